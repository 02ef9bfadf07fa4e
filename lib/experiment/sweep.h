// Sweeps: one arm of an experiment as many, each with other values of some keys.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace minibert {

// "sweep": {"arms[bert].train.optimizer.lr": [1e-4, 5e-4], "arms[bert].model.d_model": [64, 128],
// "seed": [1, 2], "budget": 3} in `root`: the arm (by name or index) gives way to one for each
// combination of its values, named "bert-lr0.0001-d_model64"; "seed" becomes the seeds; of more
// combinations than "budget" so many are drawn, always the same. Other arms stay. Without the key
// nothing happens. Throws a usage Error naming `file` and the key: no list of values, no such arm, a
// key that is not of an arm.
void expand_sweep(nlohmann::json* root, const std::string& file);

}  // namespace minibert
