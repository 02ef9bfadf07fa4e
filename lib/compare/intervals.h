// How sure the figures of one evaluation are.
#pragma once

#include <map>
#include <span>
#include <string>

#include "compare/jackknife.h"
#include "core/measure.h"
#include "record/run_record.h"

namespace minibert {

// Cuts an interval of the measure, or of a difference of two of its values, to what these can be. A loss has no end.
void keep_within(const Measure& measure, Interval* interval);
void keep_difference_within(const Measure& measure, Interval* interval);

// By the measures' names: the value that the predictions give as `difference`, with an interval over their
// clusters, no wider than what the measure can be. Measures that are not made from predictions are left out.
std::map<std::string, Interval> intervals_of(Predictions predictions,
                                             std::span<const Measure> measures);

}  // namespace minibert
