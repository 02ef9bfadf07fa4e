#include "compare/equal_budget.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "compare/runs.h"
#include "compare/scores.h"
#include "compare/table.h"
#include "core/config_reader.h"
#include "core/error.h"
#include "core/shown_json.h"
#include "core/text.h"

namespace minibert {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr double kRounding = 1e-9;  // of sums that were made in another order
constexpr int kSpentDigits = 4;
constexpr std::string_view kDev = "dev/";

struct BudgetPoint {
  int64_t step = 0;
  double spent = 0;
};

struct SpentRun {
  const StoredRun* stored;
  SpentBySteps spent;
};

std::string four_digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*g", kSpentDigits, value);
  return text;
}

const char* in_words(Budget budget) {
  return budget == Budget::flops     ? "floating-point operations"
         : budget == Budget::seconds ? "seconds of training"
                                     : "tokens";
}

std::optional<BudgetPoint> last_within(const SpentRun& run, double limit) {
  std::optional<BudgetPoint> out;
  for (const auto& [name, series] : run.stored->record.metrics) {
    if (!name.starts_with(kDev)) continue;
    for (const int64_t step : series.step)
      if (const double spent = run.spent.at(step);
          spent <= limit * (1 + kRounding) && (!out || step > out->step))
        out = BudgetPoint{step, spent};
  }
  return out;
}

// Nothing where a run of the arm has no evaluation that early.
std::optional<ArmAtBudget> arm_at_budget(const RunGroup& group, const std::vector<SpentRun>& runs,
                                         EqualBudget* out) {
  ArmAtBudget arm{group.names, {}, {}, {}, {}};
  arm.seeds.clear();
  std::vector<double> spent, totals;
  std::map<std::string, std::vector<double>> figures;
  for (const StoredRun* stored : group.runs) {
    const auto run = std::ranges::find(runs, stored, &SpentRun::stored);
    if (run == runs.end()) continue;
    const auto at = last_within(*run, out->limit);
    if (!at) {
      out->notes.push_back(stored->path + ": its first evaluation came after the limit, left out");
      continue;
    }
    arm.seeds.push_back(stored->record.seed);
    arm.steps.push_back(at->step);
    spent.push_back(at->spent);
    totals.push_back(run->spent.total());
    for (const auto& [name, series] : stored->record.metrics) {
      if (!name.starts_with(kDev)) continue;
      if (const auto value = value_at(series, at->step))
        figures[name.substr(kDev.size())].push_back(*value);
    }
  }
  if (arm.seeds.empty()) return std::nullopt;
  arm.spent = figure_of(spent), arm.total = figure_of(totals);
  for (const auto& [name, values] : figures) arm.figures[name] = figure_of(values);
  return arm;
}

// As a comparison, whose figures are chosen and ordered elsewhere.
std::vector<Comparison> as_comparisons(const std::vector<EqualBudget>& all) {
  std::vector<Comparison> out;
  for (const EqualBudget& equal : all) {
    Comparison& one = out.emplace_back();
    for (const ArmAtBudget& arm : equal.arms) one.arms.push_back({arm, arm.figures});
  }
  return out;
}

std::string steps_text(const std::vector<int64_t>& steps) {
  const auto [least, most] = std::ranges::minmax(steps);
  return least == most ? std::to_string(least) : std::to_string(least) + "-" + std::to_string(most);
}

Table table_of(const EqualBudget& equal, std::span<const Measure> measures) {
  Table table;
  table.columns = {{"arm", false}, {"runs"}, {"step"}, {to_string(equal.budget)}, {"of"}};
  for (const Measure& measure : measures)
    table.columns.push_back({"dev " + std::string(measure.heading)});
  for (const ArmAtBudget& arm : equal.arms) {
    auto& row = table.rows.emplace_back();
    row = {arm.label, std::to_string(arm.seeds.size()), steps_text(arm.steps),
           four_digits(arm.spent.mean), four_digits(arm.total.mean)};
    for (const Measure& measure : measures) {
      const auto found = arm.figures.find(std::string(measure.name));
      row.push_back(found == arm.figures.end() ? "" : cell(found->second, measure.decimals));
    }
  }
  return table;
}

OrderedJson to_json(const Figure& figure) {
  return {{"mean", figure.mean}, {"deviation", figure.deviation}, {"runs", figure.runs}};
}

OrderedJson to_json(const EqualBudget& equal) {
  OrderedJson out = {{"budget", to_string(equal.budget)},
                     {"limit", equal.limit},
                     {"limit_of", equal.limit_of},
                     {"rule", rule_of(equal)},
                     {"experiments", equal.experiments},
                     {"profiles", equal.profiles},
                     {"data", equal.data},
                     {"arms", OrderedJson::array()}};
  for (const ArmAtBudget& arm : equal.arms) {
    OrderedJson row = {{"experiment", arm.experiment},
                       {"profile", arm.profile},
                       {"arm", arm.arm},
                       {"label", arm.label},
                       {"seeds", arm.seeds},
                       {"steps", arm.steps},
                       {"spent", arm.spent.mean},
                       {"total", arm.total.mean},
                       {"figures", OrderedJson::object()}};
    for (const auto& [name, figure] : arm.figures) row["figures"][name] = to_json(figure);
    out["arms"].push_back(std::move(row));
  }
  out["notes"] = equal.notes;
  return out;
}

std::string as_csv(const std::vector<EqualBudget>& all, std::span<const Measure> measures) {
  std::string out = "budget,limit,experiment,profile,arm,runs,step,spent,total";
  for (const Measure& measure : measures)
    out += "," + csv_field(std::string(measure.name)) + "," +
           csv_field(std::string(measure.name) + "_deviation");
  out += "\n";
  for (const EqualBudget& equal : all)
    for (const ArmAtBudget& arm : equal.arms) {
      out += std::string(to_string(equal.budget)) + "," + precise(equal.limit) + "," +
             csv_field(arm.experiment) + "," + csv_field(arm.profile) + "," + csv_field(arm.arm) +
             "," + std::to_string(arm.seeds.size()) + "," +
             std::to_string(std::ranges::max(arm.steps)) + "," + precise(arm.spent.mean) + "," +
             precise(arm.total.mean);
      for (const Measure& measure : measures) {
        const auto found = arm.figures.find(std::string(measure.name));
        const bool has = found != arm.figures.end();
        out += "," + (has ? precise(found->second.mean) : "") + "," +
               (has ? precise(found->second.deviation) : "");
      }
      out += "\n";
    }
  return out;
}

}  // namespace

EqualBudget compare_at_equal(const std::vector<std::string>& paths, Budget budget,
                             const CompareOptions& options) {
  EqualBudget out;
  out.budget = budget;
  std::vector<StoredRun> stored =
      filtered(load_finished(paths, options.skip_damaged, out.notes), options.filters);
  const std::vector<RunGroup> groups = grouped(stored, options.group_by);
  std::vector<SpentRun> runs;
  bool estimated = false;
  for (const StoredRun& run : stored) {
    if (steps_made(run.record) == 0) {
      out.notes.push_back(run.path + ": trained nothing, left out");
      continue;
    }
    auto spent = spent_by_steps(run.record, budget);
    if (!spent) {
      out.notes.push_back(run.path + ": this record does not hold " + in_words(budget) +
                          ", left out");
      continue;
    }
    estimated |= spent->estimated;
    if (runs.empty() || spent->total() < out.limit) {
      out.limit = spent->total();
      out.limit_of = run.path;
    }
    runs.push_back({&run, std::move(*spent)});
    add_once(out.experiments, run.record.experiment);
    add_once(out.profiles, run.record.profile);
    if (const auto id = run.record.data.find("id"); id != run.record.data.end() && id->is_string())
      add_once(out.data, id->get<std::string>());
  }
  if (estimated)
    out.notes.push_back(std::string("older records hold only the sum: ") + in_words(budget) +
                        " at their evaluations are estimated " +
                        (budget == Budget::seconds ? "by logged speeds" : "by steps"));
  for (const RunGroup& group : groups)
    if (auto arm = arm_at_budget(group, runs, &out)) out.arms.push_back(std::move(*arm));
  return out;
}

std::string rule_of(const EqualBudget& equal) {
  return "At equal " + std::string(to_string(equal.budget)) +
         ": every run by its last dev evaluation at or before " + four_digits(equal.limit) + " " +
         in_words(equal.budget) + ", the smallest total of a run (" + equal.limit_of +
         "); nothing is interpolated between evaluations, and dev figures have no intervals.";
}

std::string render(const std::vector<EqualBudget>& all, std::span<const Measure> measures,
                   const std::vector<std::string>& figures, Format format, size_t width) {
  if (format == Format::json) {
    OrderedJson json = OrderedJson::array();
    for (const EqualBudget& equal : all) json.push_back(to_json(equal));
    return shown_json(json) + "\n";
  }
  std::vector<Comparison> comparisons = as_comparisons(all);
  std::vector<Measure> shown = figures.empty() ? occurring(comparisons, measures)
                                               : choose_figures(figures, measures, &comparisons);
  if (format == Format::csv) return as_csv(all, shown);
  std::erase_if(shown, [](const Measure& measure) { return !measure.in_table; });
  std::string out;
  for (const EqualBudget& equal : all) {
    const bool markdown = format == Format::markdown;
    const std::string bold = markdown ? "**" : "";
    const Table table = table_of(equal, shown);
    out += (out.empty() ? "" : "\n") + bold + joined(equal.experiments) + ", profile " +
           joined(equal.profiles) + ", data " + joined(equal.data) + bold + "\n\n" +
           (markdown ? markdown_table(table) : plain_table(table, width)) + "\n";
    for (const std::string& line : {rule_of(equal), joined(equal.notes, "\n")})
      if (!line.empty()) out += line + "\n";
  }
  return out;
}

}  // namespace minibert
