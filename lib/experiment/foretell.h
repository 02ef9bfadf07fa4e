// Predicts how long a run will take on this machine.
#pragma once

#include <functional>
#include <optional>

#include "task/task_kind.h"
#include "train/config.h"

namespace minibert {

// Runs some of an arm's first steps and discards them: about a second's, at least three if there
// are as many. Returns an upper bound on the seconds for all training and evaluation (the run may
// stop early); nothing if it trains nothing or `stop_requested` returned true. The arm is used up:
// its weights and random streams have moved.
std::optional<double> predict_seconds(Arm& arm, const TrainConfig& config, torch::Device device,
                                      uint64_t seed, const std::function<bool()>& stop_requested);

}  // namespace minibert
