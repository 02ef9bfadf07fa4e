// Compares runs from their stored records alone: one row an arm, one interval a pair of arms. The
// sides are loaded, scored and resampled; render.h prints the result.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "compare/comparison.h"
#include "core/measure.h"

namespace minibert {

// Leaves out runs that are not finished, with a warning; without a finished run there are no arms.
// With more than kMostArmsWithDifferences arms, only the differences that `options.pairs` name are
// made; without pairs, those from the arm `baseline` (empty: none). Throws Error for an unreadable
// record, the same run twice, and an example with two predictions; a usage Error for unknown keys.
Comparison compare_runs(const std::vector<std::string>& paths, std::span<const Measure> measures,
                        const CompareOptions& options = {}, const std::string& baseline = "");

// Returns the folder with runs of the experiment (empty: of all): `results`, or if that has none,
// the folder of results that the program ships.
std::string results_with(const std::string& results, const std::string& experiment);

// Returns the records under `results`/<experiment>/<folder>/, then those under
// `results`/own/<experiment>/<folder>/: one list for each folder, in the order of their names. A
// profile is a folder's name; an empty name means all. Throws a usage Error if there is none.
std::vector<std::vector<std::string>> find_runs(const std::string& results,
                                                const std::string& experiment,
                                                const std::string& profile);

}  // namespace minibert
