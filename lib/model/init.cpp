#include "model/init.h"

#include <cmath>

#include "core/rng.h"

namespace minibert {
namespace {

// Box-Muller; one value a call keeps the stream simple.
double normal(Rng& rng) {
  const double radius = std::sqrt(-2.0 * std::log(1.0 - rng.uniform()));
  return radius * std::cos(2.0 * M_PI * rng.uniform());
}

template <class Draw>
void fill(torch::Tensor tensor, uint64_t seed, const std::string& name, Draw draw) {
  torch::NoGradGuard no_grad;
  TORCH_CHECK(tensor.is_contiguous() && tensor.scalar_type() == torch::kFloat32);
  Rng rng(seed, "init:" + name);
  float* values = tensor.data_ptr<float>();
  for (int64_t i = 0; i < tensor.numel(); ++i) values[i] = static_cast<float>(draw(rng));
}

}  // namespace

void fill_truncated_normal(torch::Tensor tensor, double std, uint64_t seed,
                           const std::string& name) {
  fill(tensor, seed, name, [std](Rng& rng) {
    double value;
    do value = normal(rng);
    while (std::abs(value) > 2.0);
    return value * std;
  });
}

void fill_normal(torch::Tensor tensor, double std, uint64_t seed, const std::string& name) {
  fill(tensor, seed, name, [std](Rng& rng) { return normal(rng) * std; });
}

void fill_uniform(torch::Tensor tensor, double bound, uint64_t seed, const std::string& name) {
  fill(tensor, seed, name, [bound](Rng& rng) { return (2.0 * rng.uniform() - 1.0) * bound; });
}

void fill_glorot(torch::Tensor matrix, uint64_t seed, const std::string& name) {
  const double bound = std::sqrt(6.0 / static_cast<double>(matrix.size(1) + matrix.size(0)));
  fill_uniform(std::move(matrix), bound, seed, name);
}

void fill_orthogonal(torch::Tensor tensor, uint64_t seed, const std::string& name) {
  torch::NoGradGuard no_grad;
  const int64_t rows = tensor.size(0), cols = tensor.size(1);
  torch::Tensor square = torch::empty({std::max(rows, cols), std::min(rows, cols)});
  fill(square, seed, name, [](Rng& rng) { return normal(rng); });
  auto [q, r] = torch::linalg_qr(square);
  q = q * r.diagonal().sign();  // makes the decomposition, and so the draw, unique
  tensor.copy_(rows < cols ? q.t() : q);
}

}  // namespace minibert
