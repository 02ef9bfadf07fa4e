// Comparison of runs from their stored records alone: one row an arm, one interval a pair of arms.
// One way down: the sides are loaded, scored and resampled; render.h prints what comes of it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "compare/comparison.h"
#include "core/measure.h"

namespace minibert {

// Runs that are not finished are left out with a warning; when none is, there are no arms. Errors:
// an unreadable record, the same run twice, ids of examples that differ between runs; usage Errors:
// a key or figure that no run has.
Comparison compare_runs(const std::vector<std::string>& paths, std::span<const Measure> measures,
                        const CompareOptions& options = {});

// Records under `results`/<experiment>/<profile>/, one list for each experiment and profile, in the
// order of their names; an empty name means all. Where no folder has the profile's name, folders whose records
// are of it. Throws a usage Error when there is none.
std::vector<std::vector<std::string>> find_runs(const std::string& results,
                                                const std::string& experiment,
                                                const std::string& profile);

}  // namespace minibert
