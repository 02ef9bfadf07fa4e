// What a model is made of. Configuration only: no tensors, no argument parser.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "core/config_reader.h"
#include "core/key_section.h"

namespace minibert {

inline constexpr int64_t kSmallestVocabulary = 8;  // the special pieces and one more
inline constexpr int64_t kLocalTaps = 7;           // of a local layer's convolution

// BERT (Devlin et al. 2019) as the course builds it; factorized embeddings and cross-layer sharing
// as in ALBERT (Lan et al. 2020), pre-LayerNorm as in Xiong et al. 2020.
struct BertConfig {
  static constexpr const char* kKind = "bert";
  int64_t vocab_size = 8007;
  int64_t d_model = 256;
  int64_t n_heads = 4;
  int64_t d_ff = 1024;
  int64_t n_layers = 3;  // applications; with share_layers those after the local ones are one layer
  int64_t max_positions = 384;
  int64_t segments = 2;          // rows of the segment table
  int64_t embedding_size = 256;  // E; when it is not d_model a projection E -> d_model follows
  bool share_layers = false;
  std::string norm = "post";  // post | pre
  // table: a learned vector a position, added to the embeddings. relative: attention adds a learned
  // value for the offset from query to key instead (relative_position.h).
  std::string position = "table";
  int64_t local_layers = 0;  // the first so many mix by convolution alone, without attention
  int64_t conv = 0;          // taps of a convolution on queries, keys and values; 0: none
  // gelu: two dense layers with `activation` between them; geglu (geglu.h): its two halves are d_ff
  // wide each, and the activation is gelu_tanh.
  std::string ffn = "gelu";
  std::string activation =
      "gelu_tanh";         // gelu_tanh | gelu | relu (activation.h), also of the MLM head
  bool head_gate = false;  // a sigmoid of the input scales each head (head_gate.h)
  bool causal = false;     // left to right: a position attends to itself and those before it
  double layer_norm_eps = 1e-3;
  double dropout = 0.1;
  double attention_dropout = 0;  // of attention probabilities
  // The heads of pretraining have these; a record holds them in the same object.
  bool mlm_transform = false;  // dense + activation + LayerNorm before the output embedding
  bool mlm_bias = false;       // one bias a piece on the output embedding
  int64_t mlm_context = 0;     // rank of a bonus on shown pieces (context_bonus.h); 0: none
  bool mlm_tied = true;   // the output embedding is the token embedding, else a matrix of its own
  bool pooler = false;    // dense + tanh on [CLS] also where there is no sentence task
  bool nsp_bias = false;  // a bias on the two logits of the sentence task, as in Devlin et al.
  std::string weight_init = "normal";     // normal | pytorch (see bert_init.h)
  double init_std = 0.02;                 // truncated normal at two standard deviations
  std::string position_init = "normal";   // normal | sinusoidal (see bert_init.h)
  std::string attention_init = "normal";  // normal | relative (see bert_init.h)
};

// Layers with weights of their own.
int64_t stored_layers(const BertConfig& config);

// The course's baseline (lstm.h).
struct LstmConfig {
  static constexpr const char* kKind = "lstm";
  int64_t vocab_size = 8007;
  int64_t d_model = 512;
  int64_t segments = 2;
};

// A bag of pieces (bag.h).
struct BagConfig {
  static constexpr const char* kKind = "bag";
  int64_t vocab_size = 8007;
  int64_t d_model = 32;
};

// What every kind answers, by overload (IsModelKind of model_config.h says what a kind must have).
// Reads every key but "kind"; vocab_size is set already. Throws a usage Error naming the key.
void read_keys(ConfigReader& reader, BertConfig* config);
void read_keys(ConfigReader& reader, LstmConfig* config);
void read_keys(ConfigReader& reader, BagConfig* config);
// The same keys and no other, added to an object.
void write_keys(const BertConfig& config, nlohmann::json* json);
void write_keys(const LstmConfig& config, nlohmann::json* json);
void write_keys(const BagConfig& config, nlohmann::json* json);
// INT64_MAX where there is no limit.
int64_t max_positions(const BertConfig& config);
int64_t max_positions(const LstmConfig& config);
int64_t max_positions(const BagConfig& config);
// Rows of the segment table. False, and nothing is set, where there is no such table.
bool set_segments(BertConfig* config, int64_t segments);
bool set_segments(LstmConfig* config, int64_t segments);
bool set_segments(BagConfig* config, int64_t segments);
// What experiments/KEYS.md says of the kind.
KeySection key_section(const BertConfig& defaults);
KeySection key_section(const LstmConfig& defaults);
KeySection key_section(const BagConfig& defaults);

// "kind", vocab_size and the keys: a BERT as a record stores it, and back; keys of heads are passed over.
// `file` is for messages. Throws a usage Error where it is of another kind.
nlohmann::json to_json(const BertConfig& config);
BertConfig bert_from_json(const nlohmann::json& json, const std::string& file);

}  // namespace minibert
