// What a model is made of. Configuration only: no tensors, no argument parser.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "core/config_reader.h"

namespace minibert {

inline constexpr int64_t kSmallestVocabulary = 8;  // the special pieces and one more

// BERT (Devlin et al. 2019) as the course builds it; factorized embeddings and cross-layer sharing
// as in ALBERT (Lan et al. 2020), pre-LayerNorm as in Xiong et al. 2020.
struct BertConfig {
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
  int64_t local_taps = 7;    // of a local layer's convolution
  int64_t conv = 0;          // taps of a convolution on queries, keys and values; 0: none
  // gelu: two dense layers with `activation` between them; geglu (geglu.h): its two halves are d_ff
  // wide each, and the activation is gelu_tanh.
  std::string ffn = "gelu";
  std::string activation =
      "gelu_tanh";             // gelu_tanh | gelu | relu (activation.h), also of the MLM head
  bool head_gate = false;      // a sigmoid of the input scales each head (head_gate.h)
  bool causal = false;         // left to right: a position attends to itself and those before it
  bool embedding_norm = true;  // LayerNorm on the sum of the embeddings
  double layer_norm_eps = 1e-3;
  double dropout = 0.1;
  double attention_dropout = 0;  // of attention probabilities
  // Of the heads of pretraining, in the same object of a record.
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

struct LstmConfig {
  int64_t vocab_size = 8007;
  int64_t d_model = 512;
  int64_t segments = 2;
};

// A bag of pieces (bag.h).
struct BagConfig {
  int64_t vocab_size = 8007;
  int64_t d_model = 32;
};

struct ModelConfig {
  enum class Family { bert, lstm, bag };
  // Persisted: bert | lstm | bag, and "lstm_qa", the LSTM's name in the first records.
  std::string kind = "bert";
  BertConfig bert;
  LstmConfig lstm;
  BagConfig bag;

  Family family() const;
  int64_t vocab_size() const;
  int64_t max_positions() const;  // of BERT; the others have no limit
};

// Reads an encoder's keys. The reader's other keys are a head's or a mistake: the caller reads those
// of its head and calls finish(). Throws a usage Error naming the key. `vocab_size` is the tokenizer's
// and not a key of the file.
ModelConfig read_model_config(ConfigReader& reader, int64_t vocab_size);
// The keys of read_model_config, and vocab_size.
nlohmann::json to_json(const ModelConfig& config);
// The encoder of what a record stores as its model; keys of heads are passed over. `file` is for
// messages.
ModelConfig model_config_from_json(const nlohmann::json& json, const std::string& file);

}  // namespace minibert
