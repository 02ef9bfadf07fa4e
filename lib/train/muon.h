// Muon (Jordan et al. 2024, kellerjordan.github.io/posts/muon): makes each matrix's momentum nearly
// orthogonal, so that an update moves all directions of the matrix alike. Iteration, coefficients,
// momentum and scale are the authors'; products are in float32, theirs in bfloat16.
#pragma once

#include <string>
#include <vector>

#include "core/torch.h"
#include "train/config.h"
#include "train/named_tensors.h"

namespace minibert {

// Returns true if Muon updates this parameter: a dense layer's weight in a stack of layers.
// Embeddings, decoders, heads, biases, norms, convolutions and tables of offsets are AdamW's.
bool is_hidden_matrix(const std::string& name, const torch::Tensor& value);

// Returns the matrix with the singular vectors of matrix_RC and singular values near 1 (0.7 to 1.2,
// except those that are nearly 0), by five steps of a Newton-Schulz iteration.
torch::Tensor orthogonalized(const torch::Tensor& matrix);

// Does the same for several matrices_NRC of one shape at once.
torch::Tensor all_orthogonalized(const torch::Tensor& matrices);

// Multiplies a weight by `keep` where subtracting an update with the sign of `along` does not move
// it away from zero (OptimizerConfig::cautious_decay).
void decay_cautiously(torch::Tensor weight, const torch::Tensor& along, double keep);

class Muon {
 public:
  // Updates exactly these matrices. Queries, keys and values in one weight are three matrices.
  Muon(NamedTensors matrices, const OptimizerConfig& config);

  // Makes one update at `rate` with gradients times grad_factor (undefined: 1); a matrix without a
  // gradient stays. The bits do not depend on the number of threads.
  void step(double rate, const torch::Tensor& grad_factor);
  const NamedTensors& matrices() const { return matrices_; }
  // "muon_m/<parameter>"; live tensors.
  NamedTensors state() const;
  // Floating-point operations in one step's matrix products.
  double flops() const;

 private:
  void update(size_t index, double rate, const torch::Tensor& grad_factor);
  void update_all(double rate, const torch::Tensor& grad_factor);

  NamedTensors matrices_;
  torch::Tensor all_momentum_;           // of all matrices, one after the other
  std::vector<torch::Tensor> momentum_;  // each matrix's part of it
  OptimizerConfig config_;
};

}  // namespace minibert
