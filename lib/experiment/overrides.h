// Changes an experiment's JSON before reading: extended files, profiles, overrides.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

namespace minibert {

// Returns the "name" of an arm or another item, or "" if it has no text there (refused later).
std::string name_in(const nlohmann::json& item);

enum class NewNames { refused, added };

// Merges `patch` into `base` (RFC 7386: null removes a key); lists of objects with a "name" are
// merged by that name. A name that `base` lacks is added, or is a usage Error. `file` and `path`
// are for messages.
void merge_patch(nlohmann::json* base, const nlohmann::json& patch, const std::string& file,
                 const std::string& path, NewNames new_names);

// Splits "arms[0].train.epochs" into arms, [0, train, epochs; brackets may hold a dot.
std::vector<std::string> split_path(const std::string& path);

enum class NoObject { refused, made };

// Sets the value at the end of such a path from `node` (its last key may be new). Throws a usage
// Error with `said` and the missing part. `missing`: whether to create missing objects.
void set_at(nlohmann::json* node, std::span<const std::string> parts, const nlohmann::json& value,
            const std::string& said, NoObject missing);

// Applies "arms[0].train.epochs=2" (or "arms[lstm].…", by name). The path up to its last key must
// exist. Throws a usage Error naming the missing part.
void apply_override(nlohmann::json* root, const std::string& assignment);

}  // namespace minibert
