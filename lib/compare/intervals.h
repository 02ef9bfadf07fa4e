// Intervals of one evaluation's figures.
#pragma once

#include <map>
#include <span>
#include <string>

#include "compare/jackknife.h"
#include "core/measure.h"
#include "record/run_record.h"

namespace minibert {

// Cut an interval of the measure, or of a difference, at the measure's possible values. A loss has
// no upper limit.
void keep_within(const Measure& measure, Interval* interval);
void keep_difference_within(const Measure& measure, Interval* interval);

// Returns, by measure's name, the predictions' figure as `difference`, with its interval over
// clusters, cut at the measure's range. Leaves out measures whose columns the predictions lack.
std::map<std::string, Interval> intervals_of(Predictions predictions,
                                             std::span<const Measure> measures);

}  // namespace minibert
