// The keys of an arm's "model" that say what an encoder is made of, beside "kind".
#pragma once

#include "core/fields.h"
#include "model/config.h"

namespace minibert {

inline constexpr Whole kSegments{2, 4};

template <class V>
void fields(BertConfig& c, V& v) {
  v("d_model", c.d_model, Whole{1, 8192}, "width of the hidden states");
  v("n_heads", c.n_heads, Whole{1, 256}, "heads of attention, a divisor of `d_model`");
  v("d_ff", c.d_ff, Whole{1, 65536}, "units of a feed-forward layer");
  v("n_layers", c.n_layers, Whole{1, 96}, "layers that are applied one after the other");
  v("max_positions", c.max_positions, Whole{8, 4096}, "pieces of the longest input");
  v("segments", c.segments, kSegments, "rows of the segment table");
  v.otherwise(c.embedding_size, c.d_model, "`d_model`");
  v("embedding_size", c.embedding_size, Whole{1, 8192},
    "width of the embeddings; where it is not `d_model` a projection follows (ALBERT)");
  v("share_layers", c.share_layers,
    "the layers after the local ones are one, applied again and again (ALBERT)");
  v("norm", c.norm, OneOf{"post", "pre"},
    "LayerNorm after each sum (BERT), or before each layer (Xiong et al. 2020)");
  v("position", c.position, OneOf{"table", "relative"},
    "a learned vector a position, or in attention a learned number for the offset from query to "
    "key");
  v("local_layers", c.local_layers, Whole{0, c.n_layers, "n_layers"},
    "the first so many layers mix by convolution alone, without attention");
  v("conv", c.conv, Odd{0, 31}, "taps of a convolution on queries, keys and values; 0: none");
  v("ffn", c.ffn, OneOf{"gelu", "geglu"},
    "two dense layers with `activation` between them, or a product of two halves (Shazeer 2020)");
  v("activation", c.activation, OneOf{"gelu_tanh", "gelu", "relu"},
    "of feed-forward layers and of the masked LM's head; `gelu_tanh` with `geglu`");
  v("head_gate", c.head_gate, "a sigmoid of the layer's input scales what each head brings");
  v("causal", c.causal, "left to right: a position attends to itself and those before it");
  v("layer_norm_eps", c.layer_norm_eps, Real{1e-12, 1}, "added to the variance");
  v("dropout", c.dropout, Real{0, 0.9}, "of embeddings and of what each layer adds");
  v("attention_dropout", c.attention_dropout, Real{0, 0.9}, "of attention's probabilities");
  v.otherwise(c.mlm_transform, c.embedding_size != c.d_model,
              "where `embedding_size` is not `d_model`");
  v("mlm_transform", c.mlm_transform,
    "dense layer, activation and LayerNorm before the masked LM's output embedding");
  v("mlm_bias", c.mlm_bias, "one bias a piece on the masked LM's output");
  v("mlm_context", c.mlm_context, Whole{0, 64},
    "rank of a bonus of the masked LM on pieces that the input shows; 0: none");
  v("mlm_tied", c.mlm_tied,
    "the output embedding is the token embedding, else a matrix of its own");
  v("pooler", c.pooler, "dense layer and tanh on [CLS] also where there is no sentence task");
  v("nsp_bias", c.nsp_bias, "a bias on the two outputs of the sentence task (BERT)");
  v("weight_init", c.weight_init, OneOf{"normal", "pytorch"},
    "BERT's start, or PyTorch's with its N(0, 1) embeddings");
  v("init_std", c.init_std, Real{1e-6, 1},
    "of the normal start, which is cut off at two standard deviations");
  v("position_init", c.position_init, OneOf{"normal", "sinusoidal"},
    "how the position table starts (Vaswani et al. 2017)");
  v("attention_init", c.attention_init, OneOf{"normal", "relative"},
    "`relative`: heads start at offsets of their own");
  v.retired("embedding_norm", true);
  v.retired("local_taps", kLocalTaps);
}

template <class V>
void fields(LstmConfig& c, V& v) {
  v("d_model", c.d_model, Whole{1, 8192}, "width of the embeddings and of both directions");
  v("segments", c.segments, kSegments, "rows of the segment table");
}

template <class V>
void fields(BagConfig& c, V& v) {
  v("d_model", c.d_model, Whole{1, 8192}, "width of the embeddings");
}

}  // namespace minibert
