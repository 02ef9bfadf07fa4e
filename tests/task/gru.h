// The tests' own kind of model: one GRU layer (Cho et al. 2014), left to right. It has everything
// that the program needs of a kind; nothing in lib knows it.
#pragma once

#include <memory>
#include <string>

#include "model/encoder.h"
#include "model/init.h"

namespace minibert::testing {

struct GruConfig {
  static constexpr const char* kKind = "gru";
  int64_t vocab_size = 8007;
  int64_t d_model = 16;
  int64_t segments = 2;
};

inline void read_keys(ConfigReader& reader, GruConfig* config) {
  config->d_model = reader.integer("d_model", 1, 8192, config->d_model);
  config->segments = reader.integer("segments", 2, 4, config->segments);
}

inline void write_keys(const GruConfig& config, nlohmann::json* json) {
  (*json)["d_model"] = config.d_model;
  (*json)["segments"] = config.segments;
}

inline int64_t max_positions(const GruConfig&) { return INT64_MAX; }

inline bool set_segments(GruConfig* config, int64_t segments) {
  config->segments = segments;
  return true;
}

inline KeySection key_section(const GruConfig&) {
  return {"`arms[].model`: GRU", "`\"kind\": \"gru\"`", {}};
}

class GruEncoder : public Encoder {
 public:
  explicit GruEncoder(const GruConfig& config)
      : d_model_(config.d_model),
        token_(register_module("token", torch::nn::Embedding(config.vocab_size, d_model_))),
        segment_(register_module("segment", torch::nn::Embedding(config.segments, d_model_))),
        gru_(register_module(
            "gru", torch::nn::GRU(torch::nn::GRUOptions(d_model_, d_model_).batch_first(true)))) {}

  torch::Tensor encode(const torch::Tensor& ids, const torch::Tensor& segments) override {
    return std::get<0>(gru_(token_(ids) + segment_(segments)));
  }
  torch::Tensor pooled(const torch::Tensor& hidden, const torch::Tensor& ids) const override {
    const torch::Tensor last_B = ids.ne(0).sum(1) - 1;
    return hidden.gather(1, last_B.view({-1, 1, 1}).expand({-1, 1, hidden.size(2)})).squeeze(1);
  }
  bool has_pooler() const override { return false; }
  int64_t width() const override { return d_model_; }
  // Three gates, from below and from the previous step, whose first state takes no gradient.
  Flops flops(const PassShape& shape) const override {
    Flops out = dense(2 * shape.rows * shape.length, d_model_, 3 * d_model_);
    out.backward -= dense(shape.rows, d_model_, 3 * d_model_).forward;
    return out;
  }
  std::string prefix() const override { return "gru."; }
  void initialize(uint64_t seed) override {
    torch::NoGradGuard no_grad;
    for (const auto& item : named_parameters()) fill_uniform(item.value(), 0.2, seed, item.key());
  }
  void initialize_dense(torch::Tensor weight, uint64_t seed,
                        const std::string& name) const override {
    fill_glorot(std::move(weight), seed, name);
  }

 private:
  int64_t d_model_;
  torch::nn::Embedding token_{nullptr}, segment_{nullptr};
  torch::nn::GRU gru_{nullptr};
};

inline std::shared_ptr<Encoder> make_encoder(const GruConfig& config) {
  return std::make_shared<GruEncoder>(config);
}

}  // namespace minibert::testing
