#include "compare/bootstrap.h"

#include <algorithm>
#include <cstdint>

#include "core/rng.h"

namespace minibert {
namespace {

constexpr uint64_t kSeed = 20041;

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

// Linear between order statistics, as numpy.quantile does by default. `sorted` is ascending.
double quantile(const std::vector<double>& sorted, double q) {
  const double at = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(at);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

std::vector<Interval> paired_bootstrap(const std::vector<std::vector<double>>& differences,
                                       int resamples) {
  const size_t measures = differences.size();
  const size_t questions = differences.at(0).size();
  std::vector<Interval> intervals(measures);
  std::vector<double> by_question(questions * measures);
  for (size_t m = 0; m < measures; ++m) {
    intervals[m].difference = mean_of(differences[m]);
    for (size_t q = 0; q < questions; ++q) by_question[q * measures + m] = differences[m][q];
  }
  std::vector<std::vector<double>> means(measures, std::vector<double>(resamples));
  Rng rng(kSeed, "compare/bootstrap", 0, questions);
  std::vector<double> sums(measures);
  for (int r = 0; r < resamples; ++r) {
    std::fill(sums.begin(), sums.end(), 0.0);
    for (size_t draw = 0; draw < questions; ++draw) {
      const double* question = &by_question[rng.below(questions) * measures];
      for (size_t m = 0; m < measures; ++m) sums[m] += question[m];
    }
    for (size_t m = 0; m < measures; ++m)
      means[m][static_cast<size_t>(r)] = sums[m] / static_cast<double>(questions);
  }
  for (size_t m = 0; m < measures; ++m) {
    std::sort(means[m].begin(), means[m].end());
    intervals[m].low = quantile(means[m], 0.025);
    intervals[m].high = quantile(means[m], 0.975);
  }
  return intervals;
}

}  // namespace minibert
