// The keys of an arm's "model" that say what an encoder is made of, beside "kind".
#pragma once

#include "core/fields.h"
#include "model/config.h"
#include "model/key_marks.h"

namespace minibert {

inline constexpr Whole kSegments{2, 4};

// The keys of a BERT with what each does (key_marks.h).
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

// Hands a list's keys on without their marks.
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

template <class V>
void fields(LstmConfig& c, V& v) {
  v("d_model", c.d_model, Whole{1, 8192}, "width of the embeddings and of both layers");
  v("segments", c.segments, kSegments, "rows of the segment table");
}

template <class V>
void fields(BagConfig& c, V& v) {
  v("d_model", c.d_model, Whole{1, 8192}, "width of the embeddings");
}

}  // namespace minibert
