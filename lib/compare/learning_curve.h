// Figures over the course of training, as a table.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "compare/comparison.h"
#include "compare/render.h"
#include "core/measure.h"

namespace minibert {

// Of finished runs, grouped as `options` say: a row an evaluation of an arm, with each figure on the dev
// split there and on the training examples since the evaluation before: the mean of what was logged, each value
// weighed by the steps that it is over. An arm's figure is the mean over its runs. A figure that no measure names is
// shown under its own name. Empty where no run is finished. Adds to `warnings` which runs are left out and why. Throws
// as compare_runs does, a usage Error for a figure that was measured in no run, and for JSON and CSV.
std::string render_learning_curves(const std::vector<std::string>& paths,
                                   const CompareOptions& options, std::span<const Measure> measures,
                                   std::span<const std::string> figures, Format format,
                                   size_t width, std::vector<std::string>* warnings);

}  // namespace minibert
