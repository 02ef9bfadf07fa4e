#include "core/config_reader.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.h"
#include "core/key_error.h"
#include "core/text.h"
#include "core/utf8.h"

namespace minibert {
namespace {

using nlohmann::json;

const json kEmptyObject = json::object();

std::string shown(const json& value) {
  std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
  return text.size() <= 60 ? text : clipped(text, 57) + "...";
}

// "0.5", "3"
std::string shortest(double value) {
  std::string text = json(value).dump();
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = above;
    }
  }
  return row.back();
}

}  // namespace

std::string nearest(const std::string& word, const std::vector<std::string>& candidates) {
  std::string best;
  size_t best_distance = std::max<size_t>(3, word.size() / 2 + 1);
  for (const auto& candidate : candidates) {
    const size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) best = candidate, best_distance = distance;
  }
  return best;
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates,
                         const char* before, const char* after) {
  const std::string near = nearest(word, candidates);
  return near.empty() ? "" : before + ("did you mean \"" + near + "\"?") + after;
}

ConfigReader::ConfigReader(const json& node, std::string file, std::string path)
    : node_(&node), file_(std::move(file)), path_(std::move(path)) {
  if (!node.is_object())
    throw usage_error(file_ + ": " + (path_.empty() ? "the file" : path_) + ": found " +
                      shown(node) + ", expected an object");
}

std::string ConfigReader::path_of(const std::string& key) const {
  return path_.empty() ? key : path_ + "." + key;
}

void ConfigReader::fail(const std::string& key, const std::string& message) const {
  const auto found = node_->find(key);
  throw KeyError(file_, path_of(key), message, found == node_->end() ? json() : *found);
}

const json* ConfigReader::find(const std::string& key) {
  known_.insert(key);
  const auto it = node_->find(key);
  return it == node_->end() ? nullptr : &*it;
}

bool ConfigReader::has(const std::string& key) { return find(key) != nullptr; }

int64_t ConfigReader::integer(const std::string& key, int64_t min, int64_t max,
                              std::optional<int64_t> fallback) {
  const std::string expected =
      "expected a whole number from " + std::to_string(min) + " to " + std::to_string(max);
  const json* value = find(key);
  if (!value) {
    if (fallback) return *fallback;
    fail(key, "is missing, " + expected);
  }
  const bool fits =
      value->is_number_integer() &&
      (!value->is_number_unsigned() || value->get<uint64_t>() <= static_cast<uint64_t>(INT64_MAX));
  if (!fits || value->get<int64_t>() < min || value->get<int64_t>() > max)
    fail(key, "found " + shown(*value) + ", " + expected);
  return value->get<int64_t>();
}

double ConfigReader::number(const std::string& key, double min, double max,
                            std::optional<double> fallback) {
  const std::string expected = "expected a number from " + shortest(min) + " to " + shortest(max);
  const json* value = find(key);
  if (!value) {
    if (fallback) return *fallback;
    fail(key, "is missing, " + expected);
  }
  if (!value->is_number() || !(value->get<double>() >= min && value->get<double>() <= max))
    fail(key, "found " + shown(*value) + ", " + expected);
  return value->get<double>();
}

bool ConfigReader::boolean(const std::string& key, std::optional<bool> fallback) {
  const json* value = find(key);
  if (!value) {
    if (fallback) return *fallback;
    fail(key, "is missing, expected true or false");
  }
  if (!value->is_boolean()) fail(key, "found " + shown(*value) + ", expected true or false");
  return value->get<bool>();
}

std::string ConfigReader::string(const std::string& key, std::optional<std::string> fallback) {
  const json* value = find(key);
  if (!value) {
    if (fallback) return *fallback;
    fail(key, "is missing, expected a string");
  }
  if (!value->is_string()) fail(key, "found " + shown(*value) + ", expected a string");
  return value->get<std::string>();
}

std::string ConfigReader::choice(const std::string& key, const std::vector<std::string>& choices,
                                 std::optional<std::string> fallback) {
  const std::string value = string(key, std::move(fallback));
  if (std::find(choices.begin(), choices.end(), value) == choices.end())
    fail(key, "found \"" + value + "\", expected one of: " + joined(choices) +
                  did_you_mean(value, choices));
  return value;
}

std::vector<std::string> ConfigReader::strings(const std::string& key) {
  std::vector<std::string> out;
  const json* value = find(key);
  if (!value) return out;
  if (!value->is_array()) fail(key, "found " + shown(*value) + ", expected a list of strings");
  for (size_t i = 0; i < value->size(); ++i) {
    if (!(*value)[i].is_string())
      fail(key + "[" + std::to_string(i) + "]",
           "found " + shown((*value)[i]) + ", expected a string");
    out.push_back((*value)[i].get<std::string>());
  }
  return out;
}

std::vector<int64_t> ConfigReader::integers(const std::string& key, int64_t min, int64_t max) {
  std::vector<int64_t> out;
  const json* value = find(key);
  if (!value) return out;
  if (!value->is_array()) fail(key, "found " + shown(*value) + ", expected a list of numbers");
  for (size_t i = 0; i < value->size(); ++i) {
    const json& one = (*value)[i];
    if (!one.is_number_integer() || one.get<int64_t>() < min || one.get<int64_t>() > max)
      fail(key + "[" + std::to_string(i) + "]",
           "found " + shown(one) + ", expected a whole number from " + std::to_string(min) +
               " to " + std::to_string(max));
    out.push_back(one.get<int64_t>());
  }
  return out;
}

std::vector<ConfigReader> ConfigReader::objects(const std::string& key) {
  std::vector<ConfigReader> out;
  const json* value = find(key);
  if (!value) return out;
  if (!value->is_array()) fail(key, "found " + shown(*value) + ", expected a list of objects");
  for (size_t i = 0; i < value->size(); ++i)
    out.emplace_back((*value)[i], file_, path_of(key) + "[" + std::to_string(i) + "]");
  return out;
}

ConfigReader ConfigReader::object(const std::string& key) {
  const json* value = find(key);
  return ConfigReader(value ? *value : kEmptyObject, file_, path_of(key));
}

const json& ConfigReader::raw(const std::string& key) {
  const json* value = find(key);
  if (!value) fail(key, "is missing");
  return *value;
}

void ConfigReader::retired(const std::string& key, const json& kept) {
  const auto found = node_->find(key);
  if (found != node_->end() && *found != kept)
    fail(key, "found " + found->dump() + ", expected no such key: it was removed in 0.2.0 " +
                  "(CHANGELOG.md names what to use instead)");
  retired_.insert(key);
}

void ConfigReader::finish() const {
  for (const auto& [key, value] : node_->items()) {
    if (known_.count(key) || retired_.count(key)) continue;
    const std::vector<std::string> known(known_.begin(), known_.end());
    const std::string near = did_you_mean(key, known, ", ", "");
    fail(key, "unknown key" + (near.empty() ? ", expected one of: " + joined(known, " ") : near));
  }
}

}  // namespace minibert
