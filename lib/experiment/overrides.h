// Profiles and command-line overrides: changes to an experiment's JSON before it is read.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace minibert {

// Merges `patch` into `base` (RFC 7386), but lists of objects with a "name" by that name; a name
// that `base` does not have is a usage Error. `file` and `path` are for messages.
void merge_profile(nlohmann::json* base, const nlohmann::json& patch, const std::string& file,
                   const std::string& path);

// Applies "arms[0].train.epochs=2" (or "arms[lstm].…", by name). The path up to its last key must
// exist. Throws a usage Error naming the part that does not.
void apply_override(nlohmann::json* root, const std::string& assignment);

}  // namespace minibert
