// The settings beside a tokenizer's vocabulary in a folder of transformers: tokenizer_config.json,
// and the tokenizer's class in config.json.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace minibert {

inline constexpr char kTokenizerFile[] = "tokenizer.json";
inline constexpr char kSettingsFile[] = "tokenizer_config.json";

// A setting, and its place.
struct FolderSetting {
  nlohmann::json value;  // null if there is none
  std::string where;     // file and key, for messages
};

class FolderSettings {
 public:
  // Throws Error naming file and key for invalid or other JSON.
  explicit FolderSettings(const std::string& folder);

  const std::vector<std::string>& files() const { return files_; }  // existing files that count
  const nlohmann::json& settings() const { return settings_; }  // tokenizer_config.json, an object

  // Returns a key of tokenizer_config.json.
  FolderSetting said(const char* key) const;
  // Returns the class in transformers that makes the tokenizer.
  FolderSetting tokenizer_class() const;
  // True if the class is unstated or one of `kinds`: "Bert" is BertTokenizer and BertTokenizerFast.
  bool made_by(const std::vector<std::string>& kinds) const;
  // Throws a usage Error naming file and key if the key names another special piece.
  void expect_special(const char* key, std::string_view expected) const;
  // Returns the pieces added to the vocabulary by tokenizer_config.json, added_tokens.json and
  // `tokenizer` (tokenizer.json, if there is one), each with file and key. Throws Error for another
  // form.
  std::vector<FolderSetting> added(const nlohmann::json& tokenizer) const;

 private:
  std::string path(const char* name) const;
  nlohmann::json object_in(const char* name);

  std::string folder_;
  nlohmann::json settings_, added_;
  std::vector<std::string> files_;
};

}  // namespace minibert
