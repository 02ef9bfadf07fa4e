// The interface of all encoders: they turn pieces into one hidden vector each, which heads
// (heads.h) read. Shapes: B batch, S positions, D width.
#pragma once

#include <memory>
#include <string>

#include "core/torch.h"
#include "model/flops.h"
#include "model/model_config.h"

namespace minibert {

class Encoder : public torch::nn::Module {
 public:
  // ids_BS, segments_BS (int64; 0 is padding and stands at the end) -> hidden_BSD. Padding changes
  // no real position. Throws Error if a row is longer than max_positions().
  virtual torch::Tensor encode(const torch::Tensor& ids, const torch::Tensor& segments) = 0;
  // hidden_BSD, ids_BS -> [B, D] float32, the input of a head that judges a whole text.
  virtual torch::Tensor pooled(const torch::Tensor& hidden, const torch::Tensor& ids) const = 0;
  // True if that head puts a dense layer with tanh on pooled(), like BERT's pooler.
  virtual bool has_pooler() const = 0;

  virtual int64_t width() const = 0;
  // The cost of encode() in training.
  virtual Flops flops(const PassShape& shape) const = 0;
  virtual int64_t max_positions() const { return INT64_MAX; }
  // The prefix of the encoder's parameter names in a record ("bert."), or "".
  virtual std::string prefix() const = 0;

  // Fills every parameter from the seed alone; each has its own random stream, named after itself.
  virtual void initialize(uint64_t seed) = 0;
  // Fills the matrix of a head on this encoder; `name` is the parameter's name in a record.
  virtual void initialize_dense(torch::Tensor weight, uint64_t seed,
                                const std::string& name) const = 0;

  // Sets the type of matrix products: float32 (the default) or bfloat16 if supported.
  virtual void set_compute_type(torch::ScalarType) {}
  virtual torch::ScalarType compute_type() const { return torch::kFloat32; }
  // Dropout follows from this key until the next call (train mode).
  virtual void set_dropout_key(uint64_t) {}
};

// Joins an encoder and a task's heads into one module, with the parameter names that records keep.
class Model : public torch::nn::Module {
 public:
  explicit Model(std::shared_ptr<Encoder> encoder);

  Encoder& encoder() const { return *encoder_; }

 protected:
  // Registers a head under its own name.
  template <class Head>
  std::shared_ptr<Head> add_head(std::shared_ptr<Head> head) {
    return register_module(Head::kName, std::move(head));
  }

 private:
  std::shared_ptr<Encoder> encoder_;
};

}  // namespace minibert
