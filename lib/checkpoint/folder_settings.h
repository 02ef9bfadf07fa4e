// The files beside a tokenizer's vocabulary in a folder of transformers: tokenizer_config.json,
// special_tokens_map.json, added_tokens.json, and the tokenizer's class in config.json.
#pragma once

#include <cstdint>
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

// A piece that stands for itself in a text, as in a file.
struct AddedPiece {
  std::string text;
  int64_t id = -1;         // -1 if the file has none
  nlohmann::json flags;    // an object: "special", "normalized", "single_word", …
  std::string where;       // the file, the key in it and the piece, for messages
  bool is_special = true;  // if the flags do not tell
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

  // Returns the pieces with an id, by id. Throws Error naming file and piece for an invalid id.
  std::vector<AddedPiece> added() const;
  // Returns the special pieces that keys name: "bos_token", "additional_special_tokens", ….
  std::vector<AddedPiece> named() const;

 private:
  std::string path(const char* name) const;
  nlohmann::json object_in(const char* name);
  FolderSetting special(const char* key) const;

  std::string folder_;
  nlohmann::json settings_, specials_, added_;
  std::vector<std::string> files_;
};

// `token`: a text, or an object with "content" and flags. Other values throw Error with `where`.
AddedPiece read_added_piece(const nlohmann::json& token, const std::string& where);

}  // namespace minibert
