// What a model is made of. Configuration only: no tensors, no argument parser.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "core/config_reader.h"

namespace minibert {

// BERT (Devlin et al. 2019) as the course builds it; factorized embeddings and cross-layer sharing
// as in ALBERT (Lan et al. 2020), pre-LayerNorm as in Xiong et al. 2020.
inline constexpr int64_t kSmallestVocabulary = 8;  // the special pieces and one more

struct BertConfig {
  int64_t vocab_size = 8007;
  int64_t d_model = 256;
  int64_t n_heads = 4;
  int64_t d_ff = 1024;
  int64_t n_layers = 3;  // applications; with share_layers all use one set of weights
  int64_t max_positions = 384;
  int64_t embedding_size = 256;  // E; when it is not d_model a projection E -> d_model follows
  bool share_layers = false;
  std::string norm = "post";  // post | pre
  double layer_norm_eps = 1e-3;
  double dropout = 0.1;
  bool mlm_transform = false;  // dense + GELU + LayerNorm before the tied output embedding
  bool mlm_bias = false;       // one bias a piece on the tied output embedding
  double init_std = 0.02;      // truncated normal at two standard deviations
  std::string position_init = "normal";   // normal | sinusoidal (see bert_init.h)
  std::string attention_init = "normal";  // normal | relative (see bert_init.h)
};

struct LstmConfig {
  int64_t vocab_size = 8007;
  int64_t d_model = 512;
};

struct ModelConfig {
  std::string kind = "bert";  // bert | lstm_qa
  BertConfig bert;
  LstmConfig lstm;
  // Question answering: the log frequency of training answers of 1, 2, … so many pieces is added to
  // a span's score. 0: all lengths count alike, as in the course.
  int64_t answer_lengths = 0;
};

// Throws a usage Error naming the key. `vocab_size` is the tokenizer's and not a key of the file.
ModelConfig read_model_config(ConfigReader& reader, int64_t vocab_size);
// The keys of read_model_config, and vocab_size.
nlohmann::json to_json(const ModelConfig& config);
// Reads back what to_json wrote (a record's model); `file` is for messages.
ModelConfig model_config_from_json(const nlohmann::json& json, const std::string& file);

}  // namespace minibert
