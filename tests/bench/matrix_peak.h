// How much of what the processor can multiply a training run uses.
#pragma once

#include <torch/types.h>

#include "model/config.h"

namespace minibert::bench {

// Floating-point operations (a multiplication and an addition are two) of the matrix products that
// training needs for one real piece, forward and backward (three times the forward pass), as
// Chowdhery et al. 2022 (PaLM, appendix B) count them; embeddings' lookups, norms and padding are
// not among them. `length`: pieces of a row; `targets`: the share of pieces that the loss asks for,
// 1 where it asks for all: the last layer's queries, output and feed-forward part are needed for
// these alone, and the masked-LM head where `mlm_head`. A plain BERT: no local layers, no
// convolution, no shared layers.
double training_operations(const BertConfig& model, double length, double targets, bool mlm_head);

// Operations a second of the fastest of some products of square matrices of `type`, on the threads
// that ATen has, or on a device.
double matrix_peak(torch::ScalarType type, torch::Device device = torch::kCPU);

}  // namespace minibert::bench
