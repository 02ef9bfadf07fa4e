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

// Returns the run's column of this name, or null.
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

// Returns the mean of the column weighted by Measure::weight, or nothing if the run lacks a column.
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
RunFigure of_counts(const std::vector<std::string>& gold,
                    const std::vector<std::string>& prediction, const AlignedRun& run,
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

// Returns nothing if the run lacks the columns.
std::optional<RunFigure> of_run(const Measure& measure, const AlignedRun& run) {
  const auto from = [](const auto& columns, auto figure, const auto&... how) {
    const auto* gold = column_of(columns, layout::kGoldColumn);
    const auto* prediction = column_of(columns, layout::kPredictionColumn);
    return gold && prediction ? std::optional(figure(*gold, *prediction, how...)) : std::nullopt;
  };
  const auto& [ids, texts, numbers] = run.predictions;
  double (*const mean_of_f1)(std::span<const EntityCounts>) = entity_macro_f1;
  switch (measure.resampled) {
    case Resampled::none:
      return std::nullopt;
    case Resampled::mean:
      return mean(measure, run);
    case Resampled::macro_f1:
      return from(texts, of_labels, [](const Confusion& counts) { return macro_f1(counts); });
    case Resampled::matthews:
      return from(texts, of_labels, matthews);
    case Resampled::pearson:
    case Resampled::spearman:
      return from(numbers, of_numbers, measure.resampled == Resampled::spearman);
    case Resampled::entity_macro_f1:
      return from(texts, of_counts, run, entity_counts, mean_of_f1);
    case Resampled::set_micro_f1:
      return from(texts, of_counts, run, label_set_counts, micro_f1);
    case Resampled::set_macro_f1:
      return from(texts, of_counts, run, label_set_counts, mean_of_f1);
  }
  return std::nullopt;
}

}  // namespace

Statistic mean_of(const std::vector<double>& column) { return {mean(column)}; }

std::optional<Statistic> statistic_of(const Measure& measure, std::span<const AlignedRun> runs) {
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
