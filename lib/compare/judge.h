// What was expected of arms, judged by what comparing their runs shows.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "compare/comparison.h"
#include "core/measure.h"

namespace minibert {

// Judges what the runs registered by the comparison's differences. A line in `warnings` where runs of an arm that
// an expectation is about registered something else or nothing, where it was changed after the run, or where it cannot
// be read, as of a later version.
std::vector<Judged> judge(const std::vector<Registered>& runs, const Comparison& comparison,
                          std::span<const Measure> measures, std::vector<std::string>* warnings);

}  // namespace minibert
