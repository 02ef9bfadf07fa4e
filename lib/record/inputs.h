// What a run was made from, by content: two runs of one configuration are the same work only when
// these are the same too.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "record/run_record.h"

namespace minibert {

// Key in /data of the SHA-256 of the weights that an arm with init_from starts from.
inline constexpr char kStartWeights[] = "start_weights_sha256";
// Likewise of an object: SHA-256 of the weights of other runs that it learns from, by what they are
// to it ("teacher").
inline constexpr char kLearntFrom[] = "learnt_from_sha256";

// SHA-256 by name: "data file NAME" of every file in /data, "tokenizer" of its bytes, "start weights"
// where /data has them (records of before they were kept do not), and "teacher" where there is one.
std::map<std::string, std::string> inputs_of(const RunRecord& record);

// "tokenizer: stored 0002…, here 1fd5…", one line for each input that both name with other sums or
// that only one has; start weights that only one names are passed over. Empty: the same inputs.
std::vector<std::string> input_differences(const RunRecord& stored, const RunRecord& here);

}  // namespace minibert
