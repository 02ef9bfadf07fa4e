// What was expected of arms, judged by what comparing their runs shows.
#pragma once

#include <string>
#include <vector>

#include "compare/comparison.h"

namespace minibert {

// Judges what the runs registered by the comparison's differences. A line in `warnings` where runs of an arm that
// an expectation is about registered something else or nothing, or where it was changed after the run.
std::vector<Judged> judge(const std::vector<Registered>& runs, const Comparison& comparison,
                          std::vector<std::string>* warnings);

}  // namespace minibert
