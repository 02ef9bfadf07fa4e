#include "compare/equal_budget.h"

#include <algorithm>
#include <optional>

#include "compare/runs.h"
#include "compare/scores.h"

namespace minibert {
namespace {

constexpr double kRounding = 1e-9;  // of sums that were made in another order
constexpr std::string_view kDev = "dev/";

struct BudgetPoint {
  int64_t step = 0;
  double spent = 0;
};

struct SpentRun {
  const StoredRun* stored;
  SpentBySteps spent;
};

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

}  // namespace

EqualBudget compare_at_equal(const std::vector<std::string>& paths, Budget budget,
                             const CompareOptions& options) {
  EqualBudget out;
  out.budget = budget;
  std::vector<StoredRun> stored = load_finished(paths, options.runs_were_found, out.notes);
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

}  // namespace minibert
