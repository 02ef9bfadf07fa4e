// Arms at the point where all of them had spent the same: floating-point operations, seconds of training or tokens.
//
// The rule: the limit is the smallest total of any compared run. Every run stands with the dev figures of its last
// evaluation at or before the limit; nothing is interpolated between evaluations. An arm's figure is the mean over
// its runs. Dev figures have no intervals: records keep predictions of the end alone.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "compare/comparison.h"
#include "compare/spent.h"

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

// Compares finished runs, grouped as `options` say. Throws as compare_runs does. There are no arms
// where no run tells what it had spent.
EqualBudget compare_at_equal(const std::vector<std::string>& paths, Budget budget,
                             const CompareOptions& options);

}  // namespace minibert
