// Arms at the point where all of them had spent the same: floating-point operations, seconds of training or tokens.
//
// The rule: the limit is the smallest total of any compared run. Every run stands with the dev figures of its last
// evaluation at or before the limit; nothing is interpolated between evaluations. An arm's figure is the mean over
// its runs. Dev figures have no intervals: records keep predictions of the end alone.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "compare/comparison.h"
#include "compare/render.h"
#include "compare/spent.h"
#include "core/measure.h"

namespace minibert {

struct ArmAtBudget : ArmNames {
  std::vector<int64_t> steps;             // of each run at its evaluation
  Figure spent, total;                    // there, and at the run's end
  std::map<std::string, Figure> figures;  // of the dev split, by name
};

struct EqualBudget {
  Budget budget = Budget::flops;
  std::vector<std::string> experiments, profiles, data;
  double limit = 0;
  std::string limit_of;  // the run whose total it is
  std::vector<ArmAtBudget> arms;
  std::vector<std::string>
      notes;  // runs that are left out and why, what is estimated; one line each
};

// Compares finished runs, filtered and grouped as `options` say. Throws as compare_runs does. There are no arms
// where no run tells what it had spent.
EqualBudget compare_at_equal(const std::vector<std::string>& paths, Budget budget,
                             const CompareOptions& options);

// What the rule is, with its figures: one line.
std::string rule_of(const EqualBudget& equal);

// Figures in the order of the measures, those that no measure names last. Table and Markdown show what tables show,
// or `figures` alone. JSON is an array of {budget, limit, limit_of, rule, experiments, profiles, data, arms
// [{experiment, profile, arm, label, seeds, steps, spent, total, figures {NAME: {mean, deviation, runs}}}], notes}.
// CSV: budget, limit, experiment, profile, arm, runs, step (the largest), spent, total, then NAME, NAME_deviation.
// Throws a usage Error for a figure that no arm has.
std::string render(const std::vector<EqualBudget>& all, std::span<const Measure> measures,
                   const std::vector<std::string>& figures, Format format, size_t width = SIZE_MAX);

}  // namespace minibert
