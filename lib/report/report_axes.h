// Where a run's steps stand on the report's other axes: epochs, seconds, tokens, floating-point operations.
#pragma once

#include <nlohmann/json.hpp>

#include "record/run_record.h"

namespace minibert {

// The page draws a curve through at most so many points.
inline constexpr size_t kMostPoints = 150;

// {epoch, flops, seconds, tokens}, each [[step, …], [value, …]] from step 0 to the last one made: knots, at most
// kMostPoints + 1, between which the axis is straight. An axis is absent where the record does not
// tell. What an unfinished run has done so far stands in its resume state (load with Load::all).
// * epoch: dev is measured at every epoch's end, whatever number was planned. Where a budget or the
//   present ends within an epoch, its length is taken from the one before or, of the first, from the
//   number of training examples.
// * flops, with a teacher's, and tokens: as counted at every evaluation; older records hold no flops and only the
//   sum of tokens.
// * seconds: every logged stretch as long as its tokens_per_second says; straight where a record has no
//   such series.
nlohmann::json step_axes(const RunRecord& record);

}  // namespace minibert
