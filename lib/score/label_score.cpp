#include "score/label_score.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.h"

namespace minibert {
namespace {

// A variance that is this small a part of the mean square is rounding.
constexpr double kNoVariance = 1e-12;

void check_lengths(size_t gold, size_t prediction) {
  if (gold != prediction)
    throw Error(std::to_string(prediction) + " predictions, expected one for each of " +
                std::to_string(gold) + " examples");
}

// Row and column sums: how often a label is true and how often it is predicted.
struct Margins {
  std::vector<double> gold, predicted;
  double total = 0, correct = 0;
};

Margins margins_of(const Confusion& confusion) {
  const size_t labels = confusion.labels.size();
  Margins margins{std::vector<double>(labels), std::vector<double>(labels)};
  for (size_t gold = 0; gold < labels; ++gold) {
    margins.correct += confusion.counts[gold * labels + gold];
    for (size_t predicted = 0; predicted < labels; ++predicted) {
      const double count = confusion.counts[gold * labels + predicted];
      margins.gold[gold] += count;
      margins.predicted[predicted] += count;
      margins.total += count;
    }
  }
  return margins;
}

double sum_of_products(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

}  // namespace

size_t Confusion::cell(const std::string& gold, const std::string& prediction) const {
  const auto index = [&](const std::string& label) {
    const auto found = std::lower_bound(labels.begin(), labels.end(), label);
    return static_cast<size_t>(found - labels.begin());
  };
  return index(gold) * labels.size() + index(prediction);
}

Confusion confusion_of(const std::vector<std::string>& gold,
                       const std::vector<std::string>& prediction) {
  check_lengths(gold.size(), prediction.size());
  Confusion confusion;
  std::vector<std::string>& labels = confusion.labels;
  labels = gold;
  labels.insert(labels.end(), prediction.begin(), prediction.end());
  std::sort(labels.begin(), labels.end());
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  confusion.counts.resize(labels.size() * labels.size());
  for (size_t i = 0; i < gold.size(); ++i)
    confusion.counts[confusion.cell(gold[i], prediction[i])] += 1;
  return confusion;
}

double accuracy(const Confusion& confusion) {
  const Margins margins = margins_of(confusion);
  return margins.total == 0 ? 0 : margins.correct / margins.total;
}

double macro_f1(const Confusion& confusion, std::string_view left_out) {
  const Margins margins = margins_of(confusion);
  const size_t labels = confusion.labels.size();
  double sum = 0;
  int occurring = 0;
  for (size_t label = 0; label < labels; ++label) {
    const double either = margins.gold[label] + margins.predicted[label];
    if (either == 0 || (!left_out.empty() && confusion.labels[label] == left_out)) continue;
    sum += 2 * confusion.counts[label * labels + label] / either;
    ++occurring;
  }
  return occurring == 0 ? 0 : sum / occurring;
}

double matthews(const Confusion& confusion) {
  const Margins m = margins_of(confusion);
  const double total = m.total * m.total;
  const double gold = total - sum_of_products(m.gold, m.gold);
  const double predicted = total - sum_of_products(m.predicted, m.predicted);
  if (gold <= kNoVariance * total || predicted <= kNoVariance * total) return 0;
  return (m.correct * m.total - sum_of_products(m.gold, m.predicted)) / std::sqrt(gold * predicted);
}

void PairSums::add(double x_value, double y_value, double times) {
  n += times;
  x += times * x_value;
  y += times * y_value;
  xx += times * x_value * x_value;
  yy += times * y_value * y_value;
  xy += times * x_value * y_value;
}

double pearson(const PairSums& s) {
  if (s.n == 0) return 0;
  const double x_variance = s.xx - s.x * s.x / s.n;
  const double y_variance = s.yy - s.y * s.y / s.n;
  if (x_variance <= kNoVariance * s.xx || y_variance <= kNoVariance * s.yy) return 0;
  return (s.xy - s.x * s.y / s.n) / std::sqrt(x_variance * y_variance);
}

double pearson(std::span<const double> x, std::span<const double> y) {
  check_lengths(x.size(), y.size());
  const std::vector<double> around_x = centred(x);
  const std::vector<double> around_y = centred(y);
  PairSums sums;
  for (size_t i = 0; i < x.size(); ++i) sums.add(around_x[i], around_y[i]);
  return pearson(sums);
}

double spearman(std::span<const double> x, std::span<const double> y) {
  return pearson(ranks_of(x), ranks_of(y));
}

std::vector<double> ranks_of(std::span<const double> values) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (size_t first = 0; first < order.size();) {
    size_t last = first;
    while (last + 1 < order.size() && values[order[last + 1]] == values[order[first]]) ++last;
    for (size_t i = first; i <= last; ++i)
      ranks[order[i]] = static_cast<double>(first + last) / 2 + 1;
    first = last + 1;
  }
  return ranks;
}

std::vector<double> centred(std::span<const double> values) {
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  const double mean = values.empty() ? 0 : sum / static_cast<double>(values.size());
  std::vector<double> out(values.begin(), values.end());
  for (double& value : out) value -= mean;
  return out;
}

}  // namespace minibert
