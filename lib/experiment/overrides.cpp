#include "experiment/overrides.h"

#include <algorithm>
#include <charconv>

#include "core/config_reader.h"
#include "core/error.h"
#include "core/utf8.h"

namespace minibert {
namespace {

using nlohmann::json;

bool is_named_list(const json& value) {
  return value.is_array() && !value.empty() && value[0].is_object() && value[0].contains("name");
}

json* find_named(json* list, const std::string& name) {
  for (json& item : *list)
    if (!name.empty() && name_in(item) == name) return &item;
  return nullptr;
}

std::vector<std::string> names_in(const json& list) {
  std::vector<std::string> names;
  for (const json& item : list)
    if (item.is_object()) names.push_back(name_in(item));
  return names;
}

std::vector<std::string> keys_of(const json& object) {
  std::vector<std::string> keys;
  if (object.is_object())
    for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

[[noreturn]] void no_such_key(const std::string& said, const std::string& where,
                              const std::string& key, const std::vector<std::string>& known) {
  throw usage_error(said + ": there is no \"" + key + "\"" + (where.empty() ? "" : " in " + where) +
                    did_you_mean(key, known, ", ", ""));
}

json* step_into(json* node, const std::string& part, const std::string& said,
                const std::string& where) {
  if (part.starts_with("[")) {
    const std::string inside = part.substr(1);
    if (!node->is_array()) throw usage_error(said + ": " + where + " is not a list");
    size_t index = 0;
    const auto [end, error] = std::from_chars(inside.data(), inside.data() + inside.size(), index);
    if (error == std::errc() && end == inside.data() + inside.size()) {
      if (index >= node->size())
        throw usage_error(said + ": " + where + " has " + std::to_string(node->size()) +
                          " entries, found index " + inside);
      return &(*node)[index];
    }
    if (json* named = find_named(node, inside)) return named;
    no_such_key(said, where, inside, names_in(*node));
  }
  if (!node->is_object() || !node->contains(part)) no_such_key(said, where, part, keys_of(*node));
  return &(*node)[part];
}

}  // namespace

std::string name_in(const json& item) {
  const bool named = item.is_object() && item.contains("name") && item["name"].is_string();
  return named ? item["name"].get<std::string>() : "";
}

void merge_patch(json* base, const json& patch, const std::string& file, const std::string& path,
                 NewNames new_names) {
  if (!patch.is_object() || !base->is_object()) {
    *base = patch;
    return;
  }
  for (const auto& [key, value] : patch.items()) {
    const std::string where = path.empty() ? key : path + "." + key;
    if (value.is_null()) {
      base->erase(key);
    } else if (is_named_list(value) && base->contains(key) && is_named_list((*base)[key])) {
      for (const json& item : value) {
        json* target = find_named(&(*base)[key], name_in(item));
        if (target)
          merge_patch(target, item, file, where, new_names);
        else if (new_names == NewNames::added)
          (*base)[key].push_back(item);
        else
          throw usage_error(file + ": " + where + ": there is no " +
                            (item.contains("name") ? item["name"] : item).dump() + " to change");
      }
    } else if (value.is_object() && base->contains(key)) {
      merge_patch(&(*base)[key], value, file, where, new_names);
    } else {
      (*base)[key] = value;
    }
  }
}

std::vector<std::string> split_path(const std::string& path) {
  std::vector<std::string> parts(1);
  bool inside = false;  // brackets, where an arm's name may have a dot
  for (char c : path) {
    if (c == '.' && !inside) {
      parts.emplace_back();
    } else if (c == '[') {
      parts.emplace_back("[");
      inside = true;
    } else if (c == ']') {
      inside = false;
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

void set_at(json* node, std::span<const std::string> parts, const json& value,
            const std::string& said, NoObject missing) {
  std::string where;
  for (size_t i = 0; i + 1 < parts.size(); ++i) {
    const std::string& part = parts[i];
    const bool of_list = part.starts_with("[");
    if (missing == NoObject::made && !of_list && !parts[i + 1].starts_with("[") &&
        node->is_object() && !node->contains(part))
      (*node)[part] = json::object();
    node = step_into(node, part, said, where);
    where += of_list ? part + "]" : (where.empty() ? "" : ".") + part;
  }
  const std::string& last = parts.back();
  if (last.starts_with("["))
    *step_into(node, last, said, where) = value;
  else if (node->is_object())
    (*node)[last] = value;  // a key that is not valid is found when the whole is read
  else
    throw usage_error(said + ": " + where + " is not an object");
}

void apply_override(json* root, const std::string& assignment) {
  const size_t equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0)
    throw usage_error("--set " + assignment + ": expected KEY=VALUE");
  if (const size_t at = first_invalid_utf8(assignment); at != kValid)
    throw usage_error("--set " + assignment.substr(0, equals) + ": is no UTF-8 at byte " +
                      std::to_string(at) + ", expected UTF-8");
  const std::string text = assignment.substr(equals + 1);
  json value = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (value.is_discarded()) value = text;
  set_at(root, split_path(assignment.substr(0, equals)), value, "--set " + assignment,
         NoObject::refused);
}

}  // namespace minibert
