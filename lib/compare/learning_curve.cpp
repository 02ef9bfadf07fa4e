#include "compare/learning_curve.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "compare/figure_hint.h"
#include "compare/runs.h"
#include "compare/scores.h"
#include "compare/table.h"
#include "core/error.h"
#include "core/text.h"

namespace minibert {
namespace {

constexpr std::string_view kTraining = "train/", kHeldOut = "dev/";
constexpr int kUnnamedDecimals = 4;  // of a figure that no measure names

std::vector<int64_t> evaluations_of(const RunRecord& record) {
  std::set<int64_t> steps;
  for (const auto& [name, series] : record.metrics)
    if (name.starts_with(kHeldOut)) steps.insert(series.step.begin(), series.step.end());
  return {steps.begin(), steps.end()};
}

// Returns the mean of values logged after step `begin` until `end`.
std::optional<double> mean_between(const MetricSeries& series, int64_t begin, int64_t end) {
  double sum = 0, steps = 0;
  int64_t before = begin;
  for (size_t i = 0; i < series.step.size(); ++i) {
    const int64_t step = series.step[i];
    if (step <= begin || step > end) continue;
    const auto over = static_cast<double>(step - before);
    sum += over * series.value[i];
    steps += over;
    before = step;
  }
  return steps > 0 ? std::optional(sum / steps) : std::nullopt;
}

// The figure's value of a run at its evaluation `place`, on one split.
std::optional<double> figure_at(const RunRecord& record, const std::string& name,
                                const std::vector<int64_t>& evaluations, size_t place) {
  const auto series = record.metrics.find(name);
  if (series == record.metrics.end()) return std::nullopt;
  if (name.starts_with(kHeldOut)) return value_at(series->second, evaluations[place]);
  return mean_between(series->second, place == 0 ? 0 : evaluations[place - 1], evaluations[place]);
}

struct Shown {
  std::string name;  // "dev/mlm_accuracy"
  std::string heading;
  int decimals;
};

// The columns of the figures that some run measured.
std::vector<Shown> columns_of(const std::vector<StoredRun>& runs, std::span<const Measure> measures,
                              std::span<const std::string> figures) {
  std::set<std::string> measured;
  for (const StoredRun& run : runs)
    for (const auto& [name, series] : run.record.metrics)
      if (name.starts_with(kTraining) || name.starts_with(kHeldOut)) measured.insert(name);
  std::vector<Shown> shown;
  for (const std::string& figure : figures) {
    const auto measure = std::ranges::find(measures, figure, &Measure::name);
    const bool named = measure != measures.end();
    const size_t before = shown.size();
    for (const std::string_view split : {kTraining, kHeldOut}) {
      const std::string name = std::string(split) + figure;
      if (!measured.contains(name)) continue;
      shown.push_back({name,
                       std::string(split.substr(0, split.size() - 1)) + " " +
                           (named ? std::string(measure->heading) : figure),
                       named ? std::max(measure->decimals, 0) : kUnnamedDecimals});
    }
    if (shown.size() > before) continue;
    std::vector<std::string> known;
    for (const std::string& name : measured) add_once(known, name.substr(name.find('/') + 1));
    throw usage_error("--curves: no run measured \"" + figure + "\" while it trained" +
                      figure_hint(figure, known, measures));
  }
  return shown;
}

void add_rows(const RunGroup& group, std::span<const Shown> columns, Table* table) {
  std::vector<std::vector<int64_t>> evaluations;
  size_t most = 0;
  for (const StoredRun* run : group.runs) {
    evaluations.push_back(evaluations_of(run->record));
    most = std::max(most, evaluations.back().size());
  }
  for (size_t place = 0; place < most; ++place) {
    std::vector<int64_t> steps;
    std::map<std::string, std::vector<double>> values;
    for (size_t i = 0; i < group.runs.size(); ++i) {
      if (place >= evaluations[i].size()) continue;  // it had stopped
      steps.push_back(evaluations[i][place]);
      for (const Shown& column : columns)
        if (const auto value = figure_at(group.runs[i]->record, column.name, evaluations[i], place))
          values[column.name].push_back(*value);
    }
    const auto [least, greatest] = std::ranges::minmax(steps);
    auto& row = table->rows.emplace_back();
    row = {group.names.label, std::to_string(steps.size()), std::to_string(place + 1),
           std::to_string(least) + (least == greatest ? "" : "-" + std::to_string(greatest))};
    for (const Shown& column : columns) {
      const auto found = values.find(column.name);
      row.push_back(found == values.end() ? "" : cell(figure_of(found->second), column.decimals));
    }
  }
}

}  // namespace

std::string render_learning_curves(const std::vector<std::string>& paths,
                                   const CompareOptions& options, std::span<const Measure> measures,
                                   std::span<const std::string> figures, Format format,
                                   size_t width, std::vector<std::string>* warnings) {
  if (format != Format::table && format != Format::markdown)
    throw usage_error("--curves: expected --format table or markdown; query has every point");
  std::vector<StoredRun> runs = load_finished(paths, options.skip_damaged, *warnings);
  if (runs.empty()) return "";
  std::vector<std::string> experiments, profiles;
  for (const StoredRun& run : runs) {
    add_once(experiments, run.record.experiment);
    add_once(profiles, run.record.profile);
  }
  Table table;
  table.columns = {{"arm", false}, {"runs"}, {"evaluation"}, {"step"}};
  const std::vector<Shown> shown = columns_of(runs, measures, figures);
  for (const Shown& column : shown) table.columns.push_back({column.heading});
  for (const RunGroup& group : grouped(runs, options.group_by)) add_rows(group, shown, &table);
  const bool markdown = format == Format::markdown;
  const std::string bold = markdown ? "**" : "";
  return bold + joined(experiments) + ", profile " + joined(profiles) + bold + "\n\n" +
         (markdown ? markdown_table(table) : plain_table(table, width));
}

}  // namespace minibert
