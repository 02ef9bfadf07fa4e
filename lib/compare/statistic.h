// Measures as figures of a sample of examples, made from the columns of predictions.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "compare/jackknife.h"
#include "compare/sides.h"
#include "core/measure.h"

namespace minibert {

// The mean of a column, one value an example.
Statistic mean_of(const std::vector<double>& column);

// The measure's mean over runs (seeds), as Measure::resampled says. Without some examples everything but ranks
// (Spearman's are those of all examples) is computed anew. Nothing where the measure is not made from predictions or a
// run lacks its columns. Throws an Error that names the run and the example whose tags are none.
std::optional<Statistic> statistic_of(const Measure& measure, std::span<const AlignedRun> runs);

}  // namespace minibert
