// Initial weights of a BERT encoder.
//
// Normal: truncated normal of init_std, zero biases, LayerNorm 1 and 0, as in the course and BERT.
//
// weight_init "pytorch": torch.nn's own initialization, which a BERT built from its modules has:
// embeddings N(0, 1), a dense layer's weights and bias uniform within
// 1 / sqrt(inputs); biases of heads are 0.
//
// position_init "sinusoidal": the first 2n dimensions of the position embedding are n pairs
// init_std * (sin wp, cos wp), w from pi/2 down to pi/80 in a geometric row, the rest zero; token
// embeddings start ten times smaller there, so that a position can be read from the sum.
//
// attention_init "relative": the heads of the first layer start by attending to the pieces at the
// offsets -1, +1, -2, +2, …: keys project those dimensions out, queries do the same and turn every
// pair by w times the offset. A small masked LM otherwise spends most of a short training on
// finding out that neighbours matter (the plateau at the loss of the piece frequencies). With
// position "relative" the first layer's heads start with a bias towards those offsets.
//
// A local layer's channels start by reading one neighbour each, in turn; a convolution on queries,
// keys and values starts by changing nothing; a bias by offset starts at zero.
#pragma once

#include <map>
#include <string>

#include "core/torch.h"
#include "model/config.h"

namespace minibert {

using NamedParameters = std::map<std::string, torch::Tensor>;

// Returns 1 / sqrt(inputs) for a dense layer's weight [outputs, inputs].
double pytorch_bound(const torch::Tensor& weight);

// Fills an encoder's parameters (float32, CPU), by their names in records, from the seed alone;
// each has its own random stream.
void initialize_bert(const BertConfig& config, const NamedParameters& parameters, uint64_t seed);

}  // namespace minibert
