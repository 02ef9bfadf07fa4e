// Figures over the course of training, as a table.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "compare/comparison.h"
#include "compare/render.h"
#include "core/measure.h"

namespace minibert {

// Renders finished runs, grouped by `options`: a row for each evaluation of an arm, with each
// figure on the dev split there and on the training examples since the previous evaluation (the
// mean of the logged values, weighted by their steps). An arm's figure is the mean over its runs. A
// figure without a measure has its own name as heading. Returns "" without a finished run. Adds to
// `warnings` the left-out runs and the reasons. Throws like compare_runs; a usage Error for a
// figure that no run has, and for JSON and CSV.
std::string render_learning_curves(const std::vector<std::string>& paths,
                                   const CompareOptions& options, std::span<const Measure> measures,
                                   std::span<const std::string> figures, Format format,
                                   size_t width, std::vector<std::string>* warnings);

}  // namespace minibert
