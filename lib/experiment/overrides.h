// Changes to an experiment's JSON before it is read: files that extend another, profiles, and
// command-line overrides.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

namespace minibert {

// "name" of an arm or another item; empty where it has none, or one that is no text, which is refused where it is read.
std::string name_in(const nlohmann::json& item);

enum class NewNames { refused, added };

// Merges `patch` into `base` (RFC 7386: null removes a key), but lists of objects with a "name" by that
// name; one that `base` does not have is added, or a usage Error. `file` and `path` are for messages.
void merge_patch(nlohmann::json* base, const nlohmann::json& patch, const std::string& file,
                 const std::string& path, NewNames new_names);

// "arms[0].train.epochs" as arms, [0, train, epochs; brackets may hold a dot.
std::vector<std::string> split_path(const std::string& path);

enum class NoObject { refused, made };

// Sets the value at the end of such a path from `node`, its last key a new one or not. Errors begin with `said`:
// usage Errors naming the part that is not there. `missing`: what becomes of an object that is not.
void set_at(nlohmann::json* node, std::span<const std::string> parts, const nlohmann::json& value,
            const std::string& said, NoObject missing);

// Applies "arms[0].train.epochs=2" (or "arms[lstm].…", by name). The path up to its last key must
// exist. Throws a usage Error naming the part that does not.
void apply_override(nlohmann::json* root, const std::string& assignment);

}  // namespace minibert
