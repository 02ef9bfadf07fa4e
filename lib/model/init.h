// Initial weights from a seed alone: every parameter draws from its own stream, named after itself.
#pragma once

#include <string>

#include "core/torch.h"

namespace minibert {

// Fills a float32 CPU tensor in place; `name` and `seed` pick the stream (core/rng.h).
void fill_truncated_normal(torch::Tensor tensor, double std, uint64_t seed,
                           const std::string& name);
void fill_normal(torch::Tensor tensor, double std, uint64_t seed, const std::string& name);
void fill_uniform(torch::Tensor tensor, double bound, uint64_t seed, const std::string& name);
// [rows, cols], uniform within sqrt(6 / (rows + cols)) (Glorot, Bengio 2010).
void fill_glorot(torch::Tensor matrix, uint64_t seed, const std::string& name);
// [rows, cols] with orthonormal columns or rows (Saxe et al. 2014), by QR of a normal matrix.
void fill_orthogonal(torch::Tensor tensor, uint64_t seed, const std::string& name);

}  // namespace minibert
