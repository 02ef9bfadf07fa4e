// Comparison of runs from their stored records alone: one row an arm, one interval a pair of arms.
// One way down: the sides are loaded, scored and resampled; render.h prints what comes of it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "compare/comparison.h"
#include "core/measure.h"

namespace minibert {

// Runs that are not finished are left out with a warning; when none is, there are no arms. Of more than
// kMostArmsWithDifferences arms there are the differences that `options.pairs` name; without these those from the arm
// `baseline` (empty: none). Errors: an unreadable record, the same run twice, an example with two predictions; usage
// Errors: a key or figure that no run has.
Comparison compare_runs(const std::vector<std::string>& paths, std::span<const Measure> measures,
                        const CompareOptions& options = {}, const std::string& baseline = "");

// The folder that has runs of the experiment, of all where it is empty: `results`, and where that has none of its name
// the folder of results that the program ships.
std::string results_with(const std::string& results, const std::string& experiment);

// Records under `results`/<experiment>/<folder>/ and then those under `results`/own/<experiment>/<folder>/, one list
// for each folder, in the order of their names. A profile is a folder's name; an empty name means all. Throws a usage
// Error when there is none.
std::vector<std::vector<std::string>> find_runs(const std::string& results,
                                                const std::string& experiment,
                                                const std::string& profile);

}  // namespace minibert
