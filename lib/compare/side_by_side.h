// One table of arms over several experiments: a pretrained model's results in each task.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "compare/render.h"

namespace minibert {

struct SideBySide {
  // "FIGURE", or "EXPERIMENT:FIGURE" where several experiments have it. Each comparison is of one
  // profile; an arm's value comes from the comparison of the experiment that has the arm.
  std::vector<std::string> columns;
  // An arm: each figure with intervals gets a column of differences from it. Empty: no columns.
  std::string baseline;
};

// Renders a row an arm, in the order of the first comparison that has it. Format::table or
// markdown; ends in a line feed. Throws a usage Error for another format, a figure or baseline that
// no comparison has, a "FIGURE" of several experiments, and an arm with a figure twice.
std::string render_side_by_side(std::span<const Comparison> comparisons,
                                std::span<const Measure> measures, const SideBySide& how,
                                Format format);

}  // namespace minibert
