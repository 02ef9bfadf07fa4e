// A model and rows of pieces small enough to inspect.
#pragma once

#include <memory>
#include <string>

#include "model/pretraining_model.h"

namespace minibert {

// Two layers of width 16 over 40 pieces.
inline BertConfig small_config(const std::string& norm = "pre", double dropout = 0) {
  BertConfig config;
  config.vocab_size = 40;
  config.d_model = config.embedding_size = 16;
  config.n_heads = 4;
  config.d_ff = 24;
  config.n_layers = 2;
  config.max_positions = 24;
  config.norm = norm;
  config.dropout = dropout;
  return config;
}

// Adds the options of the page's model that change its layers.
inline BertConfig with_layer_options(BertConfig config) {
  config.local_layers = 1;
  config.conv = 3;
  config.position = "relative";
  config.ffn = "geglu";
  config.head_gate = true;
  return config;
}

struct Rows {
  torch::Tensor ids, segments;
};

// Three rows of 9, 5 and 7 pieces, padded to `length`.
inline Rows rows(int64_t length) {
  const int64_t lengths[] = {9, 5, 7};
  Rows out{torch::zeros({3, length}, torch::kInt64), torch::zeros({3, length}, torch::kInt64)};
  for (int64_t row = 0; row < 3; ++row)
    for (int64_t i = 0; i < lengths[row]; ++i) {
      out.ids[row][i] = 7 + (row * 11 + i * 5) % 33;
      out.segments[row][i] = i > 3 ? 1 : 0;
    }
  return out;
}

inline std::shared_ptr<PretrainingModel> model(const BertConfig& config,
                                               bool sentence_head = true) {
  auto bert = std::make_shared<PretrainingModel>(config, sentence_head);
  bert->initialize(3);
  return bert;
}

}  // namespace minibert
