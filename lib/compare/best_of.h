// How much of a figure is due to how many configurations were tried.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "compare/comparison.h"
#include "compare/render.h"
#include "core/measure.h"

namespace minibert {

// The expected best of 1, 2, … as many trials as there are values, drawn from them with replacement (Dodge et
// al., Show Your Work, EMNLP 2019, equation 7). At least one value.
std::vector<double> expected_best(std::vector<double> values, Better better);

// For each comparison whose rows have the figure: what the best of 1, 2, 3, 5, 10, … of its rows is expected to
// reach, each row a trial by its mean over runs. Throws a usage Error where no row has the figure, where it is
// better neither way, and for JSON and CSV.
std::string render_expected_best(std::span<const Comparison> comparisons,
                                 std::span<const Measure> measures, const std::string& figure,
                                 Format format);

}  // namespace minibert
