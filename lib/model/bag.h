// A bag of pieces, the baseline of every task that labels text. Each piece has one vector for each
// segment, positions do not interact, and a text is the mean of its pieces. With a linear head this
// is logistic regression on piece counts, of rank d_model (Joulin et al. 2017, "Bag of Tricks for
// Efficient Text Classification").
#pragma once

#include "model/encoder.h"

namespace minibert {

class BagEncoder : public Encoder {
 public:
  explicit BagEncoder(const BagConfig& config);

  torch::Tensor encode(const torch::Tensor& ids, const torch::Tensor& segments) override;
  // The mean over the real positions except [CLS] and [SEP].
  torch::Tensor pooled(const torch::Tensor& hidden, const torch::Tensor& ids) const override;
  bool has_pooler() const override { return false; }
  int64_t width() const override { return config_.d_model; }
  // None: vectors are only looked up and added.
  Flops flops(const PassShape&) const override { return {}; }
  std::string prefix() const override { return "bag."; }
  void initialize(uint64_t seed) override;
  void initialize_dense(torch::Tensor weight, uint64_t seed,
                        const std::string& name) const override;

 private:
  BagConfig config_;
  torch::nn::Embedding token_{nullptr};  // [2 V, D]: a piece in segment 0, then in segment 1
};

}  // namespace minibert
