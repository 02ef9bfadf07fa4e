#include "experiment/sweep.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <vector>

#include "core/error.h"
#include "core/rng.h"
#include "experiment/overrides.h"

namespace minibert {
namespace {

using nlohmann::json;

constexpr size_t kMostCombinations = 10000;

struct SweptKey {
  size_t arm;
  std::vector<std::string> place;  // in the arm, as split_path gives it
  std::string name;                // the last part that is no place in a list
  std::string said;                // how errors begin
  json values;
};

[[noreturn]] void fail(const std::string& file, const std::string& key, const std::string& what) {
  throw usage_error(file + ": sweep." + key + ": " + what);
}

size_t arm_index(const json& arms, const std::string& word, const std::string& file,
                 const std::string& key) {
  size_t index = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), index);
  if (error == std::errc() && end == word.data() + word.size() && index < arms.size()) return index;
  for (size_t i = 0; i < arms.size(); ++i)
    if (!word.empty() && name_in(arms[i]) == word) return i;
  fail(file, key, "there is no arm \"" + word + "\"");
}

// "arms[bert].train.phases[0].epochs"
SweptKey parse_key(const std::string& key, const json& values, const json& arms,
                   const std::string& file) {
  const std::vector<std::string> parts = split_path(key);
  if (parts.size() < 3 || parts[0] != "arms" || !parts[1].starts_with("[") || parts[2].empty() ||
      parts[2].starts_with("["))
    fail(file, key, "expected arms[NAME].KEY or seed: runs of one experiment share the rest");
  SweptKey out;
  out.arm = arm_index(arms, parts[1].substr(1), file, key);
  if (!arms[out.arm].is_object())
    fail(file, key, std::string("found ") + arms[out.arm].type_name() + ", expected an object");
  out.place.assign(parts.begin() + 2, parts.end());
  for (const std::string& part : out.place)
    if (!part.starts_with("[")) out.name = part;
  out.said = file + ": sweep." + key;
  out.values = values;
  return out;
}

// Returns a value's part of an arm's name, which is also a file's name.
std::string name_part(const json& value) {
  std::string text = value.is_string() ? value.get<std::string>() : value.dump();
  std::ranges::replace_if(
      text, [](unsigned char c) { return !std::isalnum(c) && c != '.' && c != '-'; }, '_');
  return text;
}

// The arm with each combination of its keys' values, the last key's changing fastest.
std::vector<json> variants(const json& arm, const std::vector<SweptKey>& keys) {
  std::vector<json> out{arm};
  for (const SweptKey& key : keys) {
    std::vector<json> next;
    for (const json& base : out)
      for (const json& value : key.values) {
        json one = base;
        set_at(&one, key.place, value, key.said, NoObject::made);
        // A name that is no text is refused where it is read.
        if (const std::string name = name_in(base); !name.empty())
          one["name"] = name + "-" + key.name + name_part(value);
        next.push_back(std::move(one));
      }
    out = std::move(next);
  }
  return out;
}

}  // namespace

void expand_sweep(json* root, const std::string& file) {
  const auto found = root->find("sweep");
  if (found == root->end()) return;
  const json sweep = *found;
  root->erase("sweep");
  if (!sweep.is_object()) throw usage_error(file + ": sweep: expected an object");
  json& arms = (*root)["arms"];
  if (!arms.is_array()) throw usage_error(file + ": arms: expected a list");
  size_t budget = kMostCombinations;
  std::vector<std::vector<SweptKey>> keys_of(arms.size());
  for (const auto& [key, values] : sweep.items()) {
    if (key == "budget") {
      if (!values.is_number_integer() || values < 1)
        fail(file, key, "found " + values.dump() + ", expected a whole number from 1");
      budget = values.get<size_t>();
      continue;
    }
    if (!values.is_array() || values.empty()) fail(file, key, "expected a list of values");
    if (key == "seed") {
      (*root)["seeds"] = values;
      continue;
    }
    SweptKey one = parse_key(key, values, arms, file);
    keys_of[one.arm].push_back(std::move(one));
  }
  std::vector<json> all;
  std::vector<size_t> drawable;  // in `all`
  for (size_t i = 0; i < arms.size(); ++i) {
    size_t combinations = 1;
    for (const SweptKey& key : keys_of[i])
      if ((combinations *= key.values.size()) > kMostCombinations)
        throw usage_error(file + ": sweep: more than " + std::to_string(kMostCombinations) +
                          " combinations");
    for (json& one : variants(arms[i], keys_of[i])) {
      if (!keys_of[i].empty()) drawable.push_back(all.size());
      all.push_back(std::move(one));
    }
  }
  std::vector<bool> keep(all.size(), true);
  if (drawable.size() > budget) {
    Rng(0, "sweep").shuffle(drawable);
    for (size_t i = budget; i < drawable.size(); ++i) keep[drawable[i]] = false;
  }
  arms = json::array();
  for (size_t i = 0; i < all.size(); ++i)
    if (keep[i]) arms.push_back(std::move(all[i]));
}

}  // namespace minibert
