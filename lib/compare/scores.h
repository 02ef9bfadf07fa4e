// Scores the sides of a comparison: figures for its rows, statistics for its intervals.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "compare/sides.h"
#include "compare/statistic.h"
#include "core/measure.h"

namespace minibert {

struct ArmScores {
  ArmSummary summary;
  // By measure, if the arm has the figure and compared predictions.
  std::map<std::string, Statistic> statistics;
};

// Summarizes the values of an arm's runs, at least one.
Figure figure_of(const std::vector<double>& values);

// Scores every side. If examples are left out, computes again, from the others, each figure whose
// measure is resampled. Drops, with a warning, a figure whose columns a run lacks, and a figure or
// statistic with a value that is not finite.
std::vector<ArmScores> scores_of(const Sides& sides, std::span<const Measure> measures,
                                 std::vector<std::string>* warnings);

// Sorts by the figure, best first by its measure, ascending without a measure; arms without the
// figure come last. Throws a usage Error if no arm has it.
void sort_by(const std::string& figure, std::span<const Measure> measures,
             std::vector<ArmScores>* arms);

}  // namespace minibert
