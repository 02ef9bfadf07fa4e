#include "compare/bootstrap.h"

#include <algorithm>
#include <cstdint>

#include "core/rng.h"

namespace minibert {
namespace {

constexpr uint64_t kSeed = 20041;

// Linear between order statistics, as numpy.quantile does by default. `sorted` is ascending.
double quantile(const std::vector<double>& sorted, double q) {
  const double at = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(at);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

std::vector<Estimate> bootstrap(size_t examples, const std::vector<Statistic>& statistics) {
  std::vector<Estimate> estimates(statistics.size());
  std::vector<double> times(examples, 1);
  int resamples = 0;
  for (size_t s = 0; s < statistics.size(); ++s) {
    estimates[s].value = statistics[s].of(times);
    estimates[s].resampled.reserve(static_cast<size_t>(statistics[s].resamples));
    resamples = std::max(resamples, statistics[s].resamples);
  }
  Rng rng(kSeed, "compare/bootstrap", 0, examples);
  for (int r = 0; r < resamples; ++r) {
    std::fill(times.begin(), times.end(), 0.0);
    for (size_t draw = 0; draw < examples; ++draw) times[rng.below(examples)] += 1;
    for (size_t s = 0; s < statistics.size(); ++s)
      if (r < statistics[s].resamples) estimates[s].resampled.push_back(statistics[s].of(times));
  }
  return estimates;
}

Interval difference_of(const Estimate& a, const Estimate& b) {
  std::vector<double> differences(a.resampled.size());
  std::transform(a.resampled.begin(), a.resampled.end(), b.resampled.begin(), differences.begin(),
                 std::minus<>());
  std::sort(differences.begin(), differences.end());
  return {a.value - b.value, quantile(differences, 0.025), quantile(differences, 0.975),
          static_cast<int>(differences.size())};
}

}  // namespace minibert
