// Whether two descriptions are of the same run, and where they differ.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "train/workers.h"

namespace minibert {

// The first place where two configurations differ, as "path: a, was b", or with other words for "was ";
// empty: nowhere.
std::string first_difference(const nlohmann::json& now, const nlohmann::json& before,
                             const std::string& was = "was ");

// Throws a usage Error in every process where `own` of one of them is not the first one's, naming it
// and the first difference.
void check_alike(Workers& workers, const nlohmann::json& own);

}  // namespace minibert
