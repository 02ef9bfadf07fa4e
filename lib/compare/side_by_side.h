// One table of arms that several experiments have: how a pretrained model fares in each task.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "compare/render.h"

namespace minibert {

struct SideBySide {
  // "FIGURE" of the first experiment that has it, or "EXPERIMENT:FIGURE"; an arm's comes from whichever comparison of
  // that experiment has it, as each is of one profile.
  std::vector<std::string> columns;
  // An arm; where a figure has intervals, another column tells what each other arm's differs from
  // this one's. Empty: none.
  std::string baseline;
};

// A row an arm, in the order of the first comparison that has it. Format::table or markdown, ends in a
// line feed. Usage Errors: another format, a figure or baseline that no comparison has, an arm that has a figure more
// than once.
std::string render_side_by_side(std::span<const Comparison> comparisons,
                                std::span<const Measure> measures, const SideBySide& how,
                                Format format);

}  // namespace minibert
