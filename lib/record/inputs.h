// Identifies the inputs of a run by content: two runs of one configuration do the same work only if
// their inputs are equal.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "record/run_record.h"

namespace minibert {

// Key in /data with the SHA-256 of the weights that an arm with init_from starts from.
inline constexpr char kStartWeights[] = "start_weights_sha256";
// Key in /data with an object: the SHA-256 of the weights of other runs that it learns from, by
// their role ("teacher").
inline constexpr char kLearntFrom[] = "learnt_from_sha256";

// Returns SHA-256 by name: "data file NAME" for every file in /data, "tokenizer", "start weights"
// if /data has them (older records do not), and "teacher" if there is one.
std::map<std::string, std::string> inputs_of(const RunRecord& record);

// Returns lines such as "tokenizer: stored 0002…, here 1fd5…": one for each input with two
// different sums or with a sum on one side only. Start weights that only one side names are
// ignored. Empty if the inputs are equal.
std::vector<std::string> input_differences(const RunRecord& stored, const RunRecord& here);

}  // namespace minibert
