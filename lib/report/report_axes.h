// Maps a run's steps to the report's axes: epochs, seconds, tokens, FLOPs.
#pragma once

#include <nlohmann/json.hpp>

#include "record/run_record.h"

namespace minibert {

// The most points of a curve on the page.
inline constexpr size_t kMostPoints = 150;

// {epoch, flops, seconds, tokens}, each [[step, …], [value, …]] from step 0 to the last one made:
// at most kMostPoints + 1 knots, with straight lines between them. An axis is absent if the record
// lacks its data. An unfinished run's totals are in its resume state (load with Load::all).
// * epoch: dev is evaluated at every epoch's end, whatever number was planned. If a budget or the
//   present ends within an epoch, the previous epoch gives its length, or the number of training
//   examples if it is the first.
// * flops (with a teacher's) and tokens: as counted at every evaluation; older records hold no
//   flops and only the sum of tokens.
// * seconds: every logged stretch by its tokens_per_second; straight if a record has no such
//   series.
nlohmann::json step_axes(const RunRecord& record);

}  // namespace minibert
