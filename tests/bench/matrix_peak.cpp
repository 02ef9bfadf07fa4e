#include "matrix_peak.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include "core/torch.h"

namespace minibert::bench {

double training_operations(const BertConfig& model, double length, double targets, bool mlm_head) {
  const auto d = static_cast<double>(model.d_model), e = static_cast<double>(model.embedding_size);
  const double feed_forward = (model.ffn == "geglu" ? 3 : 2) * d * static_cast<double>(model.d_ff);
  const double of_targets = 2 * d * d + feed_forward;  // queries and output besides
  const double of_all = 2 * d * d;                     // keys and values
  const double whole_layers = static_cast<double>(model.n_layers) - 1 + targets;
  double weights = static_cast<double>(model.n_layers) * of_all + whole_layers * of_targets;
  if (model.embedding_size != model.d_model) weights += d * e;
  if (mlm_head) weights += targets * e * (d + static_cast<double>(model.vocab_size));
  const double attention = 2 * length * d * whole_layers;  // scores, and the sum of values
  return 3 * 2 * (weights + attention);
}

double matrix_peak(torch::ScalarType type, torch::Device device) {
  using Clock = std::chrono::steady_clock;
  const torch::NoGradGuard no_grad;
  double best = 0;
  const std::vector<int64_t> sizes = device.is_cuda() ? std::vector<int64_t>{2048, 4096, 8192}
                                                      : std::vector<int64_t>{512, 1024, 2048};
  const auto wait = [&](const torch::Tensor& x) {
    if (!device.is_cpu()) x.select(0, 0).select(0, 0).item();
  };
  for (const int64_t size : sizes) {
    const auto a = torch::randn({size, size}).to(device, type),
               b = torch::randn({size, size}).to(device, type);
    auto out = torch::mm(a, b);
    for (int round = 0; round < 12; ++round) {
      wait(out);
      const auto begin = Clock::now();
      torch::mm_out(out, a, b);
      wait(out);
      const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
      best = std::max(best, 2.0 * static_cast<double>(size * size * size) / seconds);
    }
  }
  return best;
}

}  // namespace minibert::bench
