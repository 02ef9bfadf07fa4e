// How long a run will take on this machine, told before it begins.
#pragma once

#include <functional>
#include <optional>

#include "task/task_kind.h"
#include "train/config.h"

namespace minibert {

// Makes some of an arm's first steps and throws them away: about a second of them, at least three where there are
// so many. Gives the seconds that all its training and measuring would take, at most: it may stop early. Nothing where
// it trains nothing, or where `stop_requested` said so. The arm is used up: its weights and random streams moved.
std::optional<double> foretold_seconds(Arm& arm, const TrainConfig& config, torch::Device device,
                                       uint64_t seed, const std::function<bool()>& stop_requested);

}  // namespace minibert
