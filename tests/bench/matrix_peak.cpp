#include "matrix_peak.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include "core/torch.h"

namespace minibert::bench {

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
