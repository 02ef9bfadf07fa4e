#include "compare/bootstrap.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/rng.h"

namespace minibert {
namespace {

constexpr uint64_t kSeed = 1;  // changes every interval
constexpr double kBeyond = 0.05;
constexpr double kMissed = 0.2;  // of the differences that are just detectable
// Exchanges, and the most groups that clusters are exchanged in: more tell no more, and cost time.
constexpr size_t kExchanges = 1999, kGroups = 200;
constexpr double kRounding = 1e-9;  // of sums that were made in another order
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// Linear interpolation between order statistics, as NumPy and R (type 7) do.
double quantile(const std::vector<double>& sorted, double q) {
  const double at = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(at);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

// About the mean, with n - 1; 0 of fewer than two.
double variance(const std::vector<double>& values) {
  if (values.size() < 2) return 0;
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return squares / (count - 1);
}

// Draws of n with replacement vary by (n - 1) / n too little.
double of_draws(double variance, size_t drawn) {
  const auto count = static_cast<double>(drawn);
  return drawn > 1 ? variance * count / (count - 1) : 0;
}

// How far the mean of the runs' figures would be off with other runs: their variance, less what is due to single
// answers, which differ between runs as the resamples show.
double runs_variance(const Estimate& estimate, const std::vector<double>& figures,
                     size_t clusters) {
  const size_t runs = figures.size();
  if (runs < 2) return 0;
  std::vector<double> mean(estimate.of_runs[0].size());
  for (const std::vector<double>& run : estimate.of_runs)
    for (size_t r = 0; r < mean.size(); ++r) mean[r] += run[r] / static_cast<double>(runs);
  double answers = 0;
  for (std::vector<double> apart : estimate.of_runs) {
    std::ranges::transform(apart, mean, apart.begin(), std::minus<>());
    answers += of_draws(variance(apart), clusters) / static_cast<double>(runs - 1);
  }
  return std::max(0.0, variance(figures) - answers) / static_cast<double>(runs);
}

// What many runs tell together needs fewer resamples of each.
int run_resamples(size_t runs) {
  return std::clamp(3 * kRunResamples / std::max(1, static_cast<int>(runs)), 50, kRunResamples);
}

// The group that each example is exchanged with.
std::vector<uint32_t> groups_of(size_t examples, const Clusters& clusters, size_t groups) {
  std::vector<uint32_t> out(examples);
  for (size_t i = 0; i < examples; ++i)
    out[i] = static_cast<uint32_t>((clusters.of.empty() ? i : clusters.of[i]) % groups);
  return out;
}

std::vector<double> parts_of(const Statistic& statistic, double value,
                             const std::vector<uint32_t>& group_of, size_t groups) {
  std::vector<double> parts(groups), times(group_of.size());
  if (groups == 1) return {value};
  for (size_t group = 0; group < groups; ++group) {
    double kept = 0;
    for (size_t i = 0; i < times.size(); ++i) kept += times[i] = group_of[i] == group ? 0 : 1;
    const double left = kept / static_cast<double>(times.size());
    parts[group] = (value - statistic.of(times)) * left + value * (1 - left);
  }
  return parts;
}

// What is no more than this may be due to rounding alone.
double rounding_of(const Estimate& a, const Estimate& b) {
  return kRounding * (std::abs(a.value) + std::abs(b.value));
}

// That a run of `a` has the higher figure, over all pairs of runs and the resamples that both have.
double higher_of(const Estimate& a, const Estimate& b) {
  const auto runs_of = [](const Estimate& one) {
    std::vector<std::span<const double>> runs(one.of_runs.begin(), one.of_runs.end());
    if (runs.empty()) runs.emplace_back(one.resampled);
    return runs;
  };
  double higher = 0, all = 0;
  for (const std::span<const double> one : runs_of(a))
    for (const std::span<const double> other : runs_of(b)) {
      const size_t resamples = std::min(one.size(), other.size());
      for (size_t r = 0; r < resamples; ++r)
        higher += one[r] > other[r] ? 1 : one[r] == other[r] ? 0.5 : 0;
      all += static_cast<double>(resamples);
    }
  return higher / all;
}

// The continued fraction of the incomplete beta function (Numerical Recipes, 3rd ed., 6.4; modified Lentz).
double beta_fraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300;
  double c = 1, d = 1 - (a + b) * x / (a + 1);
  d = 1 / (std::abs(d) < kTiny ? kTiny : d);
  double out = d;
  for (int m = 1; m < 1000; ++m) {
    for (const double term : {m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                              -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))}) {
      d = 1 + term * d, c = 1 + term / c;
      d = 1 / (std::abs(d) < kTiny ? kTiny : d);
      if (std::abs(c) < kTiny) c = kTiny;
      out *= d * c;
    }
    if (std::abs(d * c - 1) < 1e-15) break;
  }
  return out;
}

}  // namespace

double student_beyond(double t, double freedom) {
  if (t == 0) return 1;
  // The regularized incomplete beta function of freedom / 2 and 1 / 2 at x.
  const double a = freedom / 2, b = 0.5, x = freedom / (freedom + t * t);
  const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) +
                                a * std::log(x) + b * std::log1p(-x));
  return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a
                                   : 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double student_point(double p, double freedom) {
  double low = 0, high = 1;
  while (student_beyond(high, freedom) > p) high *= 2;
  for (int halved = 0; halved < 60; ++halved) {
    const double middle = (low + high) / 2;
    (student_beyond(middle, freedom) > p ? low : high) = middle;
  }
  return (low + high) / 2;
}

double detectable_share(size_t examples, size_t clusters, double disagreement) {
  const auto freedom = static_cast<double>(clusters - 1);
  return (student_point(kBeyond, freedom) + student_point(2 * kMissed, freedom)) *
         std::sqrt(disagreement / static_cast<double>(examples));
}

std::vector<double> holm(const std::vector<double>& p) {
  std::vector<size_t> order(p.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, [&](size_t a, size_t b) { return p[a] < p[b]; });
  std::vector<double> out(p.size());
  double least = 0;
  for (size_t rank = 0; rank < order.size(); ++rank) {
    least = std::max(least, std::min(1.0, static_cast<double>(p.size() - rank) * p[order[rank]]));
    out[order[rank]] = least;
  }
  return out;
}

Bootstrap::Bootstrap(size_t examples, const Clusters& clusters,
                     const std::vector<Statistic>& statistics, Resampling resampling)
    : clusters_(clusters.of.empty() ? examples : clusters.count), resampling_(resampling) {
  std::vector<double> times(examples, 1), drawn(clusters_);
  const size_t groups = std::min(clusters_, kGroups);
  const std::vector<uint32_t> group_of = groups_of(examples, clusters, groups);
  int resamples = 0;
  for (const Statistic& statistic : statistics) {
    Estimate& estimate = estimates_.emplace_back();
    estimate.value = statistic.of(times);
    estimate.of_runs.resize(statistic.of_runs.size() > 1 ? statistic.of_runs.size() : 0);
    estimate.parts = parts_of(statistic, estimate.value, group_of, groups);
    resamples = std::max(resamples, statistic.resamples);
  }
  std::vector<std::vector<double>> figures(statistics.size());  // of the runs, as they are
  for (size_t s = 0; s < statistics.size(); ++s)
    for (const Figuring& of : statistics[s].of_runs) figures[s].push_back(of(times));

  Rng rng(kSeed, "compare/bootstrap", 0, clusters_);
  for (int r = 0; r < resamples; ++r) {
    std::fill(drawn.begin(), drawn.end(), 0.0);
    for (size_t draw = 0; draw < clusters_; ++draw) drawn[rng.below(clusters_)] += 1;
    if (clusters.of.empty())
      times.swap(drawn);
    else
      for (size_t i = 0; i < examples; ++i) times[i] = drawn[clusters.of[i]];
    for (size_t s = 0; s < statistics.size(); ++s) {
      Estimate& estimate = estimates_[s];
      if (r < statistics[s].resamples) estimate.resampled.push_back(statistics[s].of(times));
      if (r >= std::min(run_resamples(estimate.of_runs.size()), statistics[s].resamples)) continue;
      for (size_t run = 0; run < estimate.of_runs.size(); ++run)
        estimate.of_runs[run].push_back(statistics[s].of_runs[run](times));
    }
  }
  for (size_t s = 0; s < statistics.size(); ++s)
    if (resampling == Resampling::clusters_and_runs)
      estimates_[s].runs_variance = runs_variance(estimates_[s], figures[s], clusters_);

  Rng coin(kSeed, "compare/exchange", 0, groups);
  signs_.resize(groups > 1 ? kExchanges : 0);
  for (std::vector<int8_t>& signs : signs_)
    for (size_t group = 0; group < groups; ++group) signs.push_back(coin.below(2) == 0 ? 1 : -1);
}

double Bootstrap::exchanged(const std::vector<double>& parts) const {
  const double all = std::abs(std::accumulate(parts.begin(), parts.end(), 0.0));
  const double as_large = all - 1e-9 * all;
  size_t larger = 1;
  for (const std::vector<int8_t>& signs : signs_) {
    double sum = 0;
    for (size_t group = 0; group < parts.size(); ++group) sum += signs[group] * parts[group];
    larger += std::abs(sum) >= as_large;
  }
  return static_cast<double>(larger) / static_cast<double>(signs_.size() + 1);
}

Interval Bootstrap::interval(const Estimate& a, const Estimate& b) const {
  Interval out;
  out.difference = a.value - b.value;
  out.resamples = static_cast<int>(a.resampled.size());
  if (!std::isfinite(out.difference)) {  // comparing what is no number tells nothing
    for (double* const one :
         {&out.low, &out.high, &out.error, &out.p, &out.p_exchanged, &out.higher, &out.detectable})
      *one = kUnknown;
    return out;
  }
  std::vector<double> differences(a.resampled.size()), parts(a.parts.size());
  std::ranges::transform(a.resampled, b.resampled, differences.begin(), std::minus<>());
  std::ranges::transform(a.parts, b.parts, parts.begin(), std::minus<>());
  out.p_exchanged = exchanged(parts);
  out.higher = higher_of(a, b);

  const bool plain = resampling_ == Resampling::examples;
  const double of_clusters =
      plain ? variance(differences) : of_draws(variance(differences), clusters_);
  const double all = of_clusters + a.runs_variance + b.runs_variance;
  const double rounding = rounding_of(a, b);
  double reach = 0;
  if (all > rounding * rounding) {
    out.error = std::sqrt(all);
    double inverse = 0;
    if (of_clusters > 0) inverse = of_clusters * of_clusters / static_cast<double>(clusters_ - 1);
    for (const Estimate* one : {&a, &b})
      if (one->runs_variance > 0)
        inverse +=
            one->runs_variance * one->runs_variance / static_cast<double>(one->of_runs.size() - 1);
    const double freedom = all * all / inverse;
    out.p = student_beyond(out.difference / out.error, freedom);
    const double point = student_point(kBeyond, freedom);
    reach = point * out.error;
    out.detectable = (point + student_point(2 * kMissed, freedom)) * out.error;
  } else if (std::abs(out.difference) > rounding) {
    out.p = out.p_exchanged;  // which needs no variance
  }
  out.low = out.difference - reach;
  out.high = out.difference + reach;
  if (plain) {
    std::ranges::sort(differences);
    out.low = quantile(differences, kBeyond / 2);
    out.high = quantile(differences, 1 - kBeyond / 2);
  }
  return out;
}

Interval Bootstrap::difference(size_t a, size_t b) const {
  const Estimate &one = estimates_[a], &other = estimates_[b];
  Interval out = interval(one, other);
  // Examples that all differ alike do not tell how far others would.
  if (out.error == 0 && std::abs(out.difference) > rounding_of(one, other))
    out.low = out.high = out.error = out.detectable = kUnknown;
  return out;
}

Interval Bootstrap::of(size_t statistic) const {
  const Estimate& one = estimates_[statistic];
  Estimate nothing;
  nothing.resampled.resize(one.resampled.size());
  nothing.parts.resize(one.parts.size());
  return interval(one, nothing);
}

}  // namespace minibert
