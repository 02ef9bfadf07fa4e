// Compares two descriptions of runs.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "train/workers.h"

namespace minibert {

// Returns the first place where two configurations differ as "path: a, was b", or "".
std::string first_difference(const nlohmann::json& now, const nlohmann::json& before,
                             const std::string& was = "was ");

// Throws a usage Error in every process if one's `own` differs from the first one's, naming the
// process and the first difference.
void check_alike(Workers& workers, const nlohmann::json& own);

}  // namespace minibert
