#include "score/label_set_score.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "score/label_set.h"

namespace minibert {
namespace {

EntityCounts sum_of(std::span<const EntityCounts> counts) {
  EntityCounts sum;
  for (const EntityCounts& one : counts) sum.add(one);
  return sum;
}

}  // namespace

CountsByType label_set_counts(std::string_view gold, std::string_view prediction) {
  CountsByType counts;
  for (const std::string& label : labels_of(gold)) counts[label].gold = 1;
  for (const std::string& label : labels_of(prediction)) {
    EntityCounts& of = counts[label];
    of.predicted = 1;
    of.correct = of.gold;
  }
  return counts;
}

double micro_f1(std::span<const EntityCounts> by_label) {
  const EntityCounts sum = sum_of(by_label);
  return sum.gold + sum.predicted == 0 ? 0 : 2 * sum.correct / (sum.gold + sum.predicted);
}

double jaccard(const CountsByType& counts) {
  EntityCounts sum;
  for (const auto& [label, of] : counts) sum.add(of);
  const double either = sum.gold + sum.predicted - sum.correct;
  return either == 0 ? 1 : sum.correct / either;
}

double average_precision(std::span<const double> scores, std::span<const uint8_t> gold) {
  std::vector<size_t> order(scores.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, [&](size_t a, size_t b) { return scores[a] > scores[b]; });
  const auto all = static_cast<double>(std::ranges::count_if(gold, [](uint8_t is) { return is; }));
  if (all == 0) return 0;
  double area = 0, right = 0;
  for (size_t first = 0, last = 0; first < order.size(); first = last) {
    double more = 0;
    do {  // at least one, as NaN equals nothing
      more += gold[order[last]] != 0 ? 1 : 0;
      ++last;
    } while (last < order.size() && scores[order[last]] == scores[order[first]]);
    right += more;
    area += more / all * right / static_cast<double>(last);
  }
  return area;
}

}  // namespace minibert
