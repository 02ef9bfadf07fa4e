// Sweeps: one arm of an experiment becomes many, each with other values of some keys.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace minibert {

// Expands "sweep" in `root`: {"arms[bert].train.optimizer.lr": [1e-4, 5e-4],
// "arms[bert].model.d_model": [64, 128], "seed": [1, 2], "budget": 3}. One arm for each combination
// of values, named "bert-lr0.0001-d_model64", replaces the arm (by name or index); "seed" becomes
// the seeds; if there are more combinations than "budget", as many are drawn, always the same.
// Other arms stay. Does nothing without the key. Throws a usage Error naming `file` and the key for
// a value that is no list, an unknown arm, or a key outside an arm.
void expand_sweep(nlohmann::json* root, const std::string& file);

}  // namespace minibert
