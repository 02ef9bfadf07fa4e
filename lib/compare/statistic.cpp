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

RunFigure mean(const std::vector<double>& column) {
  RunFigure out{
      1, {}, [](std::span<const double> sums, double examples) { return sums[0] / examples; }};
  out.addends.reserve(column.size());
  for (size_t i = 0; i < column.size(); ++i)
    out.addends.push_back({static_cast<uint32_t>(i), 0, column[i]});
  return out;
}

// The mean of the examples' values, each as often as its weight says. Nothing where the run lacks a column.
std::optional<RunFigure> mean(const Measure& measure, const AlignedRun& run) {
  const auto* column = column_of(run.predictions.numbers, measure.name);
  if (column == nullptr) return std::nullopt;
  if (measure.weight.empty()) return mean(*column);
  const auto* weights = column_of(run.predictions.numbers, measure.weight);
  if (weights == nullptr) return std::nullopt;
  RunFigure out{2, {}, [](std::span<const double> sums, double) {
                  return sums[1] > 0 ? sums[0] / sums[1] : 0;
                }};
  for (size_t i = 0; i < column->size(); ++i) {
    out.addends.push_back({static_cast<uint32_t>(i), 0, (*column)[i] * (*weights)[i]});
    out.addends.push_back({static_cast<uint32_t>(i), 1, (*weights)[i]});
  }
  return out;
}

RunFigure of_labels(const std::vector<std::string>& gold,
                    const std::vector<std::string>& prediction,
                    double (*figure)(const Confusion&)) {
  Confusion confusion = confusion_of(gold, prediction);
  RunFigure out;
  out.sums = confusion.counts.size();
  for (size_t i = 0; i < gold.size(); ++i)
    out.addends.push_back({static_cast<uint32_t>(i),
                           static_cast<uint32_t>(confusion.cell(gold[i], prediction[i])), 1});
  out.of = [confusion, figure](std::span<const double> sums, double) mutable {
    std::ranges::copy(sums, confusion.counts.begin());
    return figure(confusion);
  };
  return out;
}

RunFigure of_numbers(std::vector<double> gold, std::vector<double> prediction, bool ranks) {
  if (ranks) gold = ranks_of(gold), prediction = ranks_of(prediction);
  const std::vector<double> x = centred(gold), y = centred(prediction);
  RunFigure out{5, {}, [](std::span<const double> sums, double examples) {
                  return pearson(PairSums{examples, sums[0], sums[1], sums[2], sums[3], sums[4]});
                }};
  for (size_t i = 0; i < x.size(); ++i) {
    uint32_t sum = 0;
    for (const double value : {x[i], y[i], x[i] * x[i], y[i] * y[i], x[i] * y[i]})
      out.addends.push_back({static_cast<uint32_t>(i), sum++, value});
  }
  return out;
}

// Returns the figure of `counts_of` each example, summed by type.
RunFigure of_counts(const AlignedRun& run, const std::vector<std::string>& gold,
                    const std::vector<std::string>& prediction,
                    CountsByType (*counts_of)(std::string_view, std::string_view),
                    double (*figure)(std::span<const EntityCounts>)) {
  RunFigure out;
  std::map<std::string, uint32_t> types;
  for (size_t i = 0; i < gold.size(); ++i) {
    try {
      for (const auto& [type, counts] : counts_of(gold[i], prediction[i])) {
        uint32_t sum = 3 * types.emplace(type, static_cast<uint32_t>(types.size())).first->second;
        for (const double value : {counts.correct, counts.gold, counts.predicted})
          out.addends.push_back({static_cast<uint32_t>(i), sum++, value});
      }
    } catch (const Error& error) {
      throw Error(run.path + ": " + layout::kPredictions + ": '" + run.predictions.id[i] +
                  "': " + error.what());
    }
  }
  out.sums = 3 * types.size();
  out.of = [by_type = std::vector<EntityCounts>(types.size()), figure](std::span<const double> sums,
                                                                       double) mutable {
    for (size_t type = 0; type < by_type.size(); ++type)
      by_type[type] = {sums[3 * type], sums[3 * type + 1], sums[3 * type + 2]};
    return figure(by_type);
  };
  return out;
}

// Nothing where the run lacks the columns.
std::optional<RunFigure> of_run(const Measure& measure, const AlignedRun& run) {
  const Resampled resampled = measure.resampled;
  if (resampled == Resampled::mean) return mean(measure, run);
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

Statistic mean_of(const std::vector<double>& column) { return {mean(column)}; }

std::optional<Statistic> statistic_of(const Measure& measure, std::span<const AlignedRun> runs) {
  if (measure.resampled == Resampled::none) return std::nullopt;
  Statistic out;
  for (const AlignedRun& run : runs) {
    auto of = of_run(measure, run);
    if (!of) return std::nullopt;
    if (measure.scale != 1)
      of->of = [of = std::move(of->of), scale = measure.scale](std::span<const double> sums,
                                                               double examples) {
        return scale * of(sums, examples);
      };
    out.push_back(std::move(*of));
  }
  return out;
}

}  // namespace minibert
