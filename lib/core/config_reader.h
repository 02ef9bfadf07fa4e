// Reads JSON configuration strictly. Every error names the file, the key's path, what was found and
// what was expected; the error for an unknown key names the nearest valid key.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace minibert {

class ConfigReader {
 public:
  // `file` appears only in messages. Throws Error if `node` is not an object.
  ConfigReader(const nlohmann::json& node, std::string file, std::string path = "");

  bool has(const std::string& key);
  // Each call returns the key's value, or `fallback` if the key is missing. Without a fallback a
  // missing key is an error. Ranges are inclusive.
  int64_t integer(const std::string& key, int64_t min, int64_t max,
                  std::optional<int64_t> fallback = {});
  double number(const std::string& key, double min, double max,
                std::optional<double> fallback = {});
  bool boolean(const std::string& key, std::optional<bool> fallback = {});
  std::string string(const std::string& key, std::optional<std::string> fallback = {});
  std::string choice(const std::string& key, const std::vector<std::string>& choices,
                     std::optional<std::string> fallback = {});
  // A missing key reads as an empty list.
  std::vector<std::string> strings(const std::string& key);
  std::vector<int64_t> integers(const std::string& key, int64_t min, int64_t max);
  std::vector<ConfigReader> objects(const std::string& key);
  // A missing key reads as an empty object.
  ConfigReader object(const std::string& key);
  const nlohmann::json& raw(const std::string& key);
  // Accepts a key of a removed feature if it has the value `kept`, which stands for today's
  // computation. Any other value is an error.
  void retired(const std::string& key, const nlohmann::json& kept);

  // Throws if the object has a key that no call above named. Call it last.
  void finish() const;

  [[noreturn]] void fail(const std::string& key, const std::string& message) const;
  const std::string& file() const { return file_; }
  const nlohmann::json& node() const { return *node_; }
  std::string path_of(const std::string& key) const;

 private:
  const nlohmann::json* find(const std::string& key);
  const nlohmann::json* node_;
  std::string file_;
  std::string path_;
  std::set<std::string> known_;
  std::set<std::string> retired_;
};

// Returns the candidate with the smallest edit distance to `word`, or "" if none is near.
std::string nearest(const std::string& word, const std::vector<std::string>& candidates);
// Returns `before`, did you mean "NEAREST"? and `after` for an error's end, or "" if none is near.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates,
                         const char* before = " (", const char* after = ")");

}  // namespace minibert
