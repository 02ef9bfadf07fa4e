// A BERT's keys: each member with its default, and below them a list with values, meaning and
// effect (key_marks.h). Reading, writing and documenting keys follow from the list; so do the
// refusals of exports and growing. At the end, a layer's number of weights and its cost.
#pragma once

#include <cstdint>
#include <string>

#include "core/fields.h"
#include "model/flops.h"
#include "model/key_marks.h"
#include "rules/relative_bucket.h"

namespace minibert {

inline constexpr int64_t kLocalTaps = 7;  // of a local layer's convolution

// BERT (Devlin et al. 2019) as the course builds it; factorized embeddings and cross-layer sharing
// as in ALBERT (Lan et al. 2020), pre-LayerNorm as in Xiong et al. 2020.
struct BertConfig {
  static constexpr const char* kKind = "bert";
  int64_t vocab_size = 8007;
  int64_t d_model = 256;
  int64_t n_heads = 4;
  int64_t d_ff = 1024;
  int64_t n_layers = 3;  // applications; share_layers: one layer for all but the local ones
  int64_t max_positions = 384;
  int64_t segments = 2;          // rows of the segment table
  int64_t embedding_size = 256;  // E; a projection E -> d_model follows unless they are equal
  bool share_layers = false;
  std::string norm = "post";  // post | pre
  // table: a learned vector a position, added to the embeddings. relative: attention adds a learned
  // value for the offset from query to key (ops/attention.h).
  std::string position = "table";
  int64_t local_layers = 0;  // the first layers, which mix by convolution alone, without attention
  int64_t conv = 0;          // taps of a convolution on queries, keys and values; 0: none
  // gelu: two dense layers with `activation` between them; geglu (ops/elementwise.h): its two
  // halves are d_ff wide each, and the activation is gelu_tanh.
  std::string ffn = "gelu";
  // gelu_tanh | gelu | relu (ops/elementwise.h), also in the MLM head.
  std::string activation = "gelu_tanh";
  bool head_gate = false;  // a sigmoid of the input scales each head (ops/elementwise.h)
  bool causal = false;     // left to right: a position attends to itself and earlier ones
  double layer_norm_eps = 1e-3;
  double dropout = 0.1;
  double attention_dropout = 0;  // on attention probabilities
  // The next keys belong to the heads of pretraining; a record holds them in the same object.
  bool mlm_transform = false;  // dense + activation + LayerNorm before the output embedding
  bool mlm_bias = false;       // one bias a piece on the output embedding
  int64_t mlm_context = 0;     // rank of a bonus on shown pieces (ops/context_bonus.h); 0: none
  bool mlm_tied = true;   // the output embedding is the token embedding; false: a matrix of its own
  bool pooler = false;    // dense + tanh on [CLS], also without a sentence task
  bool nsp_bias = false;  // a bias on the two logits of the sentence task, as in Devlin et al.
  std::string weight_init = "normal";     // normal | pytorch (see bert_init.h)
  double init_std = 0.02;                 // truncated normal at two standard deviations
  std::string position_init = "normal";   // normal | sinusoidal (see bert_init.h)
  std::string attention_init = "normal";  // normal | relative (see bert_init.h)
};

// The number of layers with weights of their own.
int64_t stored_layers(const BertConfig& config);

inline constexpr Whole kSegments{2, 4};

// Lists the keys with their effect (key_marks.h).
template <class V>
void marked_fields(BertConfig& c, V& v) {
  v("d_model", function_key(), c.d_model, Whole{1, 8192}, "width of the hidden states");
  v("n_heads", function_key(), c.n_heads, Whole{1, 256},
    "heads of attention, a divisor of `d_model`");
  v("d_ff", function_key(), c.d_ff, Whole{1, 65536}, "units of a feed-forward layer");
  v("n_layers", function_key(), c.n_layers, Whole{1, 96},
    "layers that are applied one after the other");
  v("max_positions", function_key(), c.max_positions, Whole{8, 4096},
    "pieces of the longest input");
  v("segments", function_key(), c.segments, kSegments, "rows of the segment table");
  v.otherwise(c.embedding_size, c.d_model, "`d_model`");
  v("embedding_size", function_key(c.d_model), c.embedding_size, Whole{1, 8192},
    "width of the embeddings; where it is not `d_model` a projection follows (ALBERT)");
  v("share_layers", function_key(false), c.share_layers,
    "the layers after the local ones are one, applied again and again (ALBERT)");
  v("norm", function_key("post"), c.norm, OneOf{"post", "pre"},
    "LayerNorm after each sum (BERT), or before each layer (Xiong et al. 2020)");
  v("position", function_key("table"), c.position, OneOf{"table", "relative"},
    "a learned vector a position, or in attention a learned number for the offset from query to "
    "key");
  v("local_layers", function_key(0), c.local_layers, Whole{0, c.n_layers, "n_layers"},
    "the first so many layers mix by convolution alone, without attention");
  v("conv", function_key(0), c.conv, Odd{0, 31},
    "taps of a convolution on queries, keys and values; 0: none");
  v("ffn", function_key("gelu"), c.ffn, OneOf{"gelu", "geglu"},
    "two dense layers with `activation` between them, or a product of two halves (Shazeer 2020)");
  v("activation", function_key(), c.activation, OneOf{"gelu_tanh", "gelu", "relu"},
    "of feed-forward layers and of the masked LM's head; `gelu_tanh` with `geglu`");
  v("head_gate", function_key(false), c.head_gate,
    "a sigmoid of the layer's input scales what each head brings");
  v("causal", function_key(false), c.causal,
    "left to right: a position attends to itself and those before it");
  v("layer_norm_eps", function_key(), c.layer_norm_eps, Real{1e-12, 1}, "added to the variance");
  v("dropout", training_key(), c.dropout, Real{0, 0.9},
    "of embeddings and of what each layer adds");
  v("attention_dropout", training_key(), c.attention_dropout, Real{0, 0.9},
    "of attention's probabilities");
  v.otherwise(c.mlm_transform, c.embedding_size != c.d_model,
              "where `embedding_size` is not `d_model`");
  v("mlm_transform", head_key(true), c.mlm_transform,
    "dense layer, activation and LayerNorm before the masked LM's output embedding");
  v("mlm_bias", head_key(), c.mlm_bias, "one bias a piece on the masked LM's output");
  v("mlm_context", head_key(0), c.mlm_context, Whole{0, 64},
    "rank of a bonus of the masked LM on pieces that the input shows; 0: none");
  v("mlm_tied", head_key(), c.mlm_tied,
    "the output embedding is the token embedding, else a matrix of its own");
  v("pooler", head_key(), c.pooler,
    "dense layer and tanh on [CLS] also where there is no sentence task");
  v("nsp_bias", head_key(), c.nsp_bias, "a bias on the two outputs of the sentence task (BERT)");
  v("weight_init", training_key(), c.weight_init, OneOf{"normal", "pytorch"},
    "BERT's start, or PyTorch's with its N(0, 1) embeddings");
  v("init_std", training_key(), c.init_std, Real{1e-6, 1},
    "of the normal start, which is cut off at two standard deviations");
  v("position_init", training_key(), c.position_init, OneOf{"normal", "sinusoidal"},
    "how the position table starts (Vaswani et al. 2017)");
  v("attention_init", training_key(), c.attention_init, OneOf{"normal", "relative"},
    "`relative`: heads start at offsets of their own");
  v.retired("embedding_norm", true);
  v.retired("local_taps", kLocalTaps);
}

// Passes the keys of a list on without their marks.
template <class V>
class WithoutMarks {
 public:
  explicit WithoutMarks(V& visitor) : visitor_(visitor) {}
  template <class T, class... Rest>
  void operator()(const char* key, const KeyMark&, T& value, const Rest&... rest) {
    visitor_(key, value, rest...);
  }
  template <class T>
  void otherwise(T& value, const T& given, const char* text) {
    visitor_.otherwise(value, given, text);
  }
  void retired(const char* key, const nlohmann::json& kept) { visitor_.retired(key, kept); }

 private:
  V& visitor_;
};

template <class V>
void fields(BertConfig& c, V& v) {
  WithoutMarks<V> visitor(v);
  marked_fields(c, visitor);
}

// Returns the number of weights of layer `index`.
inline int64_t layer_numbers(const BertConfig& c, int64_t index) {
  const int64_t d = c.d_model;
  int64_t out = 4 * d;  // two LayerNorms
  if (index < c.local_layers) {
    out += dense_numbers(d, d) + kLocalTaps * d;
  } else {
    out += dense_numbers(d, 3 * d) + c.conv * 3 * d;
    if (c.position == "relative") out += c.n_heads * kRelativeBuckets;
    if (c.head_gate) out += dense_numbers(d, c.n_heads);
  }
  out += dense_numbers(d, d);
  out += dense_numbers(d, c.ffn == "geglu" ? 2 * c.d_ff : c.d_ff) + dense_numbers(c.d_ff, d);
  return out;
}

// Returns the cost of layer `index` on `all` positions, in rows of `length`, if it computes outputs
// at `made` of them.
inline Flops layer_flops(const BertConfig& c, int64_t index, int64_t all, int64_t made,
                         int64_t length) {
  const int64_t d = c.d_model;
  Flops out;
  if (index < c.local_layers) {
    out += dense(all, d, d) + dense(all, kLocalTaps, d);
  } else {
    out += dense(all, d, 3 * d) + dense(all, c.conv, 3 * d);
    out += dense(made, length, d) + dense(made, length, d);  // scores; sums of values
    if (c.head_gate) out += dense(made, d, c.n_heads);
  }
  out += dense(made, d, d);
  out += dense(made, d, c.ffn == "geglu" ? 2 * c.d_ff : c.d_ff);
  out += dense(made, c.d_ff, d);
  return out;
}

}  // namespace minibert
