#include "compare/statistic.h"

#include <algorithm>
#include <map>

#include "core/error.h"
#include "record/layout.h"
#include "score/entity_score.h"
#include "score/label_score.h"
#include "score/label_set_score.h"

namespace minibert {
namespace {

// The run's column; null where it has none.
template <class T>
const std::vector<T>* column_of(const std::map<std::string, std::vector<T>>& columns,
                                std::string_view name) {
  const auto found = columns.find(std::string(name));
  return found == columns.end() ? nullptr : &found->second;
}

// With four sums at a time, which need not wait for each other.
double weighted_sum(std::span<const double> values, std::span<const double> times) {
  double sums[4] = {};
  size_t i = 0;
  for (; i + 4 <= values.size(); i += 4)
    for (size_t lane = 0; lane < 4; ++lane) sums[lane] += values[i + lane] * times[i + lane];
  for (; i < values.size(); ++i) sums[0] += values[i] * times[i];
  return sums[0] + sums[1] + sums[2] + sums[3];
}

Figuring mean(std::vector<double> column) {
  return [column = std::move(column)](std::span<const double> times) {
    double sums[4] = {}, counts[4] = {};
    size_t i = 0;
    for (; i + 4 <= column.size(); i += 4)
      for (size_t lane = 0; lane < 4; ++lane) {
        sums[lane] += column[i + lane] * times[i + lane];
        counts[lane] += times[i + lane];
      }
    for (; i < column.size(); ++i) sums[0] += column[i] * times[i], counts[0] += times[i];
    return (sums[0] + sums[1] + sums[2] + sums[3]) /
           (counts[0] + counts[1] + counts[2] + counts[3]);
  };
}

// As one column of the runs' means, so that a resample takes one pass whatever their number.
std::optional<Statistic> mean_over(const Measure& measure, std::span<const AlignedRun> runs) {
  std::vector<double> all(runs[0].predictions.id.size());
  std::vector<Figuring> of_runs;
  for (const AlignedRun& run : runs) {
    const auto* column = column_of(run.predictions.numbers, measure.name);
    if (column == nullptr) return std::nullopt;
    std::vector<double> scaled = *column;
    for (size_t i = 0; i < all.size(); ++i) {
      scaled[i] *= measure.scale;
      all[i] += scaled[i] / static_cast<double>(runs.size());
    }
    of_runs.push_back(mean(std::move(scaled)));
  }
  Statistic statistic = mean_of(std::move(all));
  statistic.of_runs = std::move(of_runs);
  return statistic;
}

// Figures one run's mean of the examples' values, each as often as its weight says. Nothing where it lacks a
// column.
std::optional<Figuring> weighted_mean(const Measure& measure, const AlignedRun& run) {
  const auto* column = column_of(run.predictions.numbers, measure.name);
  const auto* weights = column_of(run.predictions.numbers, measure.weight);
  if (column == nullptr || weights == nullptr) return std::nullopt;
  std::vector<double> values = *column;
  for (size_t i = 0; i < values.size(); ++i) values[i] *= (*weights)[i];
  return [values = std::move(values), weights = *weights](std::span<const double> times) {
    const double all = weighted_sum(weights, times);
    return all > 0 ? weighted_sum(values, times) / all : 0;
  };
}

Figuring of_labels(const std::vector<std::string>& gold, const std::vector<std::string>& prediction,
                   double (*figure)(const Confusion&)) {
  Confusion confusion = confusion_of(gold, prediction);
  std::vector<size_t> cells;
  for (size_t i = 0; i < gold.size(); ++i) cells.push_back(confusion.cell(gold[i], prediction[i]));
  return [confusion, cells, figure](std::span<const double> times) mutable {
    std::fill(confusion.counts.begin(), confusion.counts.end(), 0.0);
    for (size_t i = 0; i < cells.size(); ++i) confusion.counts[cells[i]] += times[i];
    return figure(confusion);
  };
}

Figuring of_numbers(std::vector<double> gold, std::vector<double> prediction, bool ranks) {
  if (ranks) gold = ranks_of(gold), prediction = ranks_of(prediction);
  return [x = centred(gold), y = centred(prediction)](std::span<const double> times) {
    PairSums sums;
    for (size_t i = 0; i < x.size(); ++i) sums.add(x[i], y[i], times[i]);
    return pearson(sums);
  };
}

// `counts_of` of each example, added up by type, and the figure of these sums.
Figuring of_counts(const AlignedRun& run, const std::vector<std::string>& gold,
                   const std::vector<std::string>& prediction,
                   CountsByType (*counts_of)(std::string_view, std::string_view),
                   double (*figure)(std::span<const EntityCounts>)) {
  struct Entry {
    size_t example, type;
    EntityCounts counts;
  };
  std::vector<Entry> entries;
  std::map<std::string, size_t> types;
  for (size_t i = 0; i < gold.size(); ++i) {
    try {
      for (const auto& [type, counts] : counts_of(gold[i], prediction[i]))
        entries.push_back({i, types.emplace(type, types.size()).first->second, counts});
    } catch (const Error& error) {
      throw Error(run.path + ": " + layout::kPredictions + ": '" + run.predictions.id[i] +
                  "': " + error.what());
    }
  }
  std::vector<EntityCounts> sums(types.size());
  return [entries, sums, figure](std::span<const double> times) mutable {
    std::fill(sums.begin(), sums.end(), EntityCounts{});
    for (const Entry& entry : entries) sums[entry.type].add(entry.counts, times[entry.example]);
    return figure(sums);
  };
}

// Nothing where the run lacks the columns.
std::optional<Figuring> of_run(const Measure& measure, const AlignedRun& run) {
  const Resampled resampled = measure.resampled;
  if (resampled == Resampled::mean) return weighted_mean(measure, run);
  if (resampled == Resampled::pearson || resampled == Resampled::spearman) {
    const auto* gold = column_of(run.predictions.numbers, layout::kGoldColumn);
    const auto* prediction = column_of(run.predictions.numbers, layout::kPredictionColumn);
    if (gold == nullptr || prediction == nullptr) return std::nullopt;
    return of_numbers(*gold, *prediction, resampled == Resampled::spearman);
  }
  const auto* gold = column_of(run.predictions.texts, layout::kGoldColumn);
  const auto* prediction = column_of(run.predictions.texts, layout::kPredictionColumn);
  if (gold == nullptr || prediction == nullptr) return std::nullopt;
  if (resampled == Resampled::entity_macro_f1)
    return of_counts(run, *gold, *prediction, entity_counts, entity_macro_f1);
  if (resampled == Resampled::set_micro_f1)
    return of_counts(run, *gold, *prediction, label_set_counts, micro_f1);
  if (resampled == Resampled::set_macro_f1)
    return of_counts(run, *gold, *prediction, label_set_counts, entity_macro_f1);
  if (resampled == Resampled::matthews) return of_labels(*gold, *prediction, matthews);
  return of_labels(*gold, *prediction,
                   [](const Confusion& confusion) { return macro_f1(confusion); });
}

}  // namespace

Statistic mean_of(std::vector<double> column) { return {mean(std::move(column)), kMeanResamples}; }

std::optional<Statistic> statistic_of(const Measure& measure, std::span<const AlignedRun> runs) {
  if (measure.resampled == Resampled::none) return std::nullopt;
  const bool mean = measure.resampled == Resampled::mean;
  if (mean && measure.weight.empty()) return mean_over(measure, runs);
  std::vector<Figuring> of_runs;
  for (const AlignedRun& run : runs) {
    auto of = of_run(measure, run);
    if (!of) return std::nullopt;
    of_runs.emplace_back([of = std::move(*of), scale = measure.scale](
                             std::span<const double> times) { return scale * of(times); });
  }
  return Statistic{[of_runs](std::span<const double> times) {
                     double sum = 0;
                     for (const Figuring& of : of_runs) sum += of(times);
                     return sum / static_cast<double>(of_runs.size());
                   },
                   mean ? kMeanResamples : kOtherResamples, of_runs};
}

}  // namespace minibert
