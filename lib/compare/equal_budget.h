// Compares arms at an equal expense: floating-point operations, seconds of training or tokens.
//
// The limit is the smallest total of any compared run. Every run counts with the dev figures of its
// last evaluation at or before the limit; nothing is interpolated between evaluations. An arm's
// figure is the mean over its runs. Dev figures have no intervals, because records keep only final
// predictions.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "compare/comparison.h"
#include "compare/spent.h"

namespace minibert {

struct ArmAtBudget : ArmNames {
  std::vector<int64_t> steps;             // by run: its evaluation's step
  Figure spent, total;                    // at that step, and at the run's end
  std::map<std::string, Figure> figures;  // on the dev split, by name
};

struct EqualBudget {
  Budget budget = Budget::flops;
  std::vector<std::string> experiments, profiles, data;
  double limit = 0;
  std::string limit_of;  // the run with this total
  std::vector<ArmAtBudget> arms;
  std::vector<std::string> notes;  // left-out runs with reasons, and estimates; one line each
};

// Compares finished runs, grouped by `options`. Throws like compare_runs. Without known expenses
// there are no arms.
EqualBudget compare_at_equal(const std::vector<std::string>& paths, Budget budget,
                             const CompareOptions& options);

}  // namespace minibert
