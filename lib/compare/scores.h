// What the sides of a comparison score: figures for its rows, statistics for its intervals.
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
  // By measure, where the arm has a figure of it and predictions that are compared.
  std::map<std::string, Statistic> statistics;
};

// Sums up the values of an arm's runs, at least one.
Figure figure_of(const std::vector<double>& values);

// Scores every side. Where examples are chosen, figures of measures that come from predictions are made
// again, of the compared examples alone; one that cannot be made again is dropped, with a warning. So is a figure or
// statistic of a value that is not finite.
std::vector<ArmScores> scores_of(const Sides& sides, std::span<const Measure> measures,
                                 std::vector<std::string>* warnings);

// Best first by the figure's measure, ascending where no measure has its name; arms without it last.
// Throws a usage Error where no arm has it.
void sort_by(const std::string& figure, std::span<const Measure> measures,
             std::vector<ArmScores>* arms);

}  // namespace minibert
