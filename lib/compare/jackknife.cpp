#include "compare/jackknife.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "core/rng.h"

namespace minibert {
namespace {

constexpr uint64_t kSeed = 1;  // changes every exchange
constexpr double kBeyond = 0.05;
constexpr double kMissed = 0.2;  // of the differences that are just detectable
// Exchanges, and the most groups that clusters are exchanged in: more tell no more, and cost time.
constexpr size_t kExchanges = 1999, kGroups = 200;
constexpr double kRounding = 1e-9;  // of sums that were made in another order
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// About the mean, with n - 1; 0 of fewer than two.
double variance(const std::vector<double>& values) {
  if (values.size() < 2) return 0;
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return squares / (count - 1);
}

// The jackknife's variance of a figure minus another; `other` may be empty.
double variance_over_clusters(std::span<const double> shifts, std::span<const double> other) {
  double squares = 0;
  for (size_t c = 0; c < shifts.size(); ++c) {
    const double shift = other.empty() ? shifts[c] : shifts[c] - other[c];
    squares += shift * shift;
  }
  const auto clusters = static_cast<double>(shifts.size());
  return squares * (clusters - 1) / clusters;
}

// The addends of each cluster: begin[c] to begin[c + 1] - 1 of `sorted`.
struct ByCluster {
  std::vector<size_t> begin;
  std::vector<RunFigure::Addend> sorted;
};

ByCluster by_cluster(const RunFigure& run, const Clusters& clusters, size_t count) {
  const auto cluster_of = [&](const RunFigure::Addend& one) {
    return clusters.of.empty() ? one.example : clusters.of[one.example];
  };
  ByCluster out{std::vector<size_t>(count + 1), run.addends};
  for (const RunFigure::Addend& one : run.addends) ++out.begin[cluster_of(one) + 1];
  std::partial_sum(out.begin.begin(), out.begin.end(), out.begin.begin());
  if (clusters.of.empty()) return out;  // addends come by example
  std::vector<size_t> next = out.begin;
  for (const RunFigure::Addend& one : run.addends) out.sorted[next[cluster_of(one)]++] = one;
  return out;
}

Shifts shifts_of(const RunFigure& run, const Clusters& clusters, const std::vector<double>& sizes,
                 double examples) {
  std::vector<double> all(run.sums);
  for (const RunFigure::Addend& one : run.addends) all[one.sum] += one.value;
  Shifts out{run.of(all, examples), std::vector<double>(sizes.size())};
  if (sizes.size() < 2) return out;
  const auto [begin, addends] = by_cluster(run, clusters, sizes.size());
  std::vector<double> left = all;
  for (size_t c = 0; c < sizes.size(); ++c) {
    for (size_t i = begin[c]; i < begin[c + 1]; ++i) left[addends[i].sum] -= addends[i].value;
    out.by_cluster[c] = run.of(left, examples - sizes[c]) - out.value;
    for (size_t i = begin[c]; i < begin[c + 1]; ++i) left[addends[i].sum] = all[addends[i].sum];
  }
  return out;
}

// Adds the variance of the mean over runs, less the part due to single answers.
void add_runs(Estimate* estimate) {
  const size_t runs = estimate->runs.size();
  estimate->mean.by_cluster.resize(estimate->runs[0].by_cluster.size());
  std::vector<double> figures;
  for (const Shifts& run : estimate->runs) {
    figures.push_back(run.value);
    estimate->mean.value += run.value / static_cast<double>(runs);
    for (size_t c = 0; c < run.by_cluster.size(); ++c)
      estimate->mean.by_cluster[c] += run.by_cluster[c] / static_cast<double>(runs);
  }
  if (runs < 2) return;
  for (const Shifts& run : estimate->runs)
    estimate->answers_variance +=
        variance_over_clusters(run.by_cluster, estimate->mean.by_cluster) /
        static_cast<double>(runs - 1);
  estimate->runs_variance =
      std::max(0.0, variance(figures) - estimate->answers_variance) / static_cast<double>(runs);
}

// Differences up to this size may be rounding.
double rounding_of(const Estimate& a, const Estimate& b) {
  return kRounding * (std::abs(a.mean.value) + std::abs(b.mean.value));
}

// Probability of a higher figure of `a` over pairs of runs with normal differences (`error`).
double higher_of(const Estimate& a, const Estimate& b, double error) {
  double higher = 0;
  for (const Shifts& one : a.runs)
    for (const Shifts& other : b.runs) {
      const double difference = one.value - other.value;
      higher += error > 0         ? std::erfc(-difference / error / std::numbers::sqrt2) / 2
                : difference == 0 ? 0.5
                                  : static_cast<double>(difference > 0);
    }
  return higher / static_cast<double>(a.runs.size() * b.runs.size());
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

std::vector<double> holm(const std::vector<double>& p, size_t family) {
  std::vector<size_t> order(p.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, [&](size_t a, size_t b) { return p[a] < p[b]; });
  std::vector<double> out(p.size());
  double least = 0;
  for (size_t rank = 0; rank < order.size(); ++rank) {
    least = std::max(least, std::min(1.0, static_cast<double>(family - rank) * p[order[rank]]));
    out[order[rank]] = least;
  }
  return out;
}

double figure_of_sample(const Statistic& statistic, std::span<const double> times) {
  const double examples = std::accumulate(times.begin(), times.end(), 0.0);
  double figure = 0;
  for (const RunFigure& run : statistic) {
    std::vector<double> sums(run.sums);
    for (const RunFigure::Addend& one : run.addends)
      sums[one.sum] += times[one.example] * one.value;
    figure += run.of(sums, examples) / static_cast<double>(statistic.size());
  }
  return figure;
}

void forget_chance(Interval* interval) {
  for (double* const one :
       {&interval->p, &interval->p_exchanged, &interval->higher, &interval->detectable})
    *one = kUnknown;
}

Jackknife::Jackknife(size_t examples, const Clusters& clusters,
                     const std::vector<Statistic>& statistics)
    : sizes_(clusters.of.empty() ? examples : clusters.count, clusters.of.empty() ? 1 : 0) {
  for (const uint32_t cluster : clusters.of) sizes_[cluster] += 1;
  const auto all = static_cast<double>(examples);
  double squares = 0;
  for (const double size : sizes_) squares += size * size;
  effective_ = std::max(2.0, all * all / squares);
  for (const Statistic& statistic : statistics) {
    Estimate& estimate = estimates_.emplace_back();
    for (const RunFigure& run : statistic)
      estimate.runs.push_back(shifts_of(run, clusters, sizes_, all));
    add_runs(&estimate);
  }
  const size_t groups = std::min(sizes_.size(), kGroups);
  Rng coin(kSeed, "compare/exchange", 0, groups);
  signs_.resize(groups > 1 ? kExchanges : 0);
  for (std::vector<int8_t>& signs : signs_)
    for (size_t group = 0; group < groups; ++group) signs.push_back(coin.below(2) == 0 ? 1 : -1);
}

// Each cluster's part of the difference changes its sign. The parts sum up to the difference of means; other figures
// are taken as straight lines in the clusters' weights (the jackknife's way).
double Jackknife::exchanged(const Estimate& a, const Estimate& b) const {
  const double difference = a.mean.value - b.mean.value;
  const double examples = std::accumulate(sizes_.begin(), sizes_.end(), 0.0);
  const size_t groups = std::min(sizes_.size(), kGroups);
  std::vector<double> parts(groups);
  for (size_t c = 0; c < sizes_.size(); ++c) {
    const double share = sizes_[c] / examples;
    const double shift = a.mean.by_cluster[c] - b.mean.by_cluster[c];
    parts[c % groups] += difference * share - shift * (1 - share);
  }
  const double all = std::abs(std::accumulate(parts.begin(), parts.end(), 0.0));
  const double as_large = all - kRounding * all;
  size_t larger = 1;
  for (const std::vector<int8_t>& signs : signs_) {
    double sum = 0;
    for (size_t group = 0; group < groups; ++group) sum += signs[group] * parts[group];
    larger += std::abs(sum) >= as_large;
  }
  return static_cast<double>(larger) / static_cast<double>(signs_.size() + 1);
}

Interval Jackknife::interval(const Estimate& a, const Estimate& b, double p_exchanged) const {
  Interval out;
  out.difference = a.mean.value - b.mean.value;
  if (!std::isfinite(out.difference)) {  // a NaN tells nothing
    forget_chance(&out);
    out.low = out.high = out.error = kUnknown;
    return out;
  }
  out.p_exchanged = p_exchanged;
  const double of_clusters = variance_over_clusters(a.mean.by_cluster, b.mean.by_cluster);
  const double all = of_clusters + a.runs_variance + b.runs_variance;
  const double rounding = rounding_of(a, b);
  const double of_pair = of_clusters + a.answers_variance + b.answers_variance;
  out.higher = higher_of(a, b, of_pair > rounding * rounding ? std::sqrt(of_pair) : 0);
  double reach = 0;
  if (all > rounding * rounding) {
    out.error = std::sqrt(all);
    double inverse = of_clusters * of_clusters / (effective_ - 1);
    for (const Estimate* one : {&a, &b})
      if (one->runs_variance > 0)
        inverse +=
            one->runs_variance * one->runs_variance / static_cast<double>(one->runs.size() - 1);
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
  return out;
}

Interval Jackknife::difference(size_t a, size_t b) const {
  const Estimate &one = estimates_[a], &other = estimates_[b];
  Interval out = interval(one, other, exchanged(one, other));
  // Clusters that all differ alike do not tell how far others would.
  if (out.error == 0 && std::abs(out.difference) > rounding_of(one, other))
    out.low = out.high = out.error = out.detectable = kUnknown;
  return out;
}

Interval Jackknife::of(size_t statistic) const {
  const Estimate& one = estimates_[statistic];
  Estimate nothing;
  nothing.mean.by_cluster.resize(sizes_.size());
  nothing.runs = {nothing.mean};
  return interval(one, nothing, 1);
}

}  // namespace minibert
