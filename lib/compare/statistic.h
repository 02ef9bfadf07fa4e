// Computes measures from columns of predictions, as figures of a sample of examples.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "compare/jackknife.h"
#include "compare/sides.h"
#include "core/measure.h"

namespace minibert {

// Returns the mean of a column with one value an example.
Statistic mean_of(const std::vector<double>& column);

// Returns the measure's mean over runs (seeds), as in Measure::resampled. If examples are left out,
// the measure is computed again; only Spearman keeps the ranks of all examples. Returns nothing
// if predictions do not give the measure or a run lacks its columns. Throws Error naming the run
// and an example without valid tags.
std::optional<Statistic> statistic_of(const Measure& measure, std::span<const AlignedRun> runs);

}  // namespace minibert
