// What stands beside a tokenizer's vocabulary in a folder of transformers: tokenizer_config.json,
// special_tokens_map.json, added_tokens.json, and the tokenizer's class in config.json.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace minibert {

inline constexpr char kTokenizerFile[] = "tokenizer.json";
inline constexpr char kSettingsFile[] = "tokenizer_config.json";

// What is said of one thing, and where.
struct FolderSetting {
  nlohmann::json value;  // null where nothing is said
  std::string where;     // file and key, for messages
};

// A piece that stands for itself in a text, as a file names it.
struct AddedPiece {
  std::string text;
  int64_t id = -1;         // -1 where the file names none
  nlohmann::json flags;    // an object: "special", "normalized", "single_word", …
  std::string where;       // the file, the key in it and the piece, for messages
  bool is_special = true;  // where the flags do not say it
};

class FolderSettings {
 public:
  // Throws Error naming file and key: no JSON, or another form of it.
  explicit FolderSettings(const std::string& folder);

  const std::vector<std::string>& files() const { return files_; }  // that are there and count
  const nlohmann::json& settings() const { return settings_; }  // tokenizer_config.json, an object

  // A key of tokenizer_config.json.
  FolderSetting said(const char* key) const;
  // The class of transformers that makes the tokenizer.
  FolderSetting tokenizer_class() const;
  // Whether nothing is said of that class, or it is one of `kinds`: "Bert" is BertTokenizer and BertTokenizerFast.
  bool made_by(const std::vector<std::string>& kinds) const;
  // Throws a usage Error naming file and key: the key names another special piece.
  void expect_special(const char* key, std::string_view expected) const;

  // Pieces with an id, in the order of their ids. Throws Error naming file and piece: an id that is none.
  std::vector<AddedPiece> added() const;
  // Special pieces that keys name: "bos_token", "additional_special_tokens", …
  std::vector<AddedPiece> named() const;

 private:
  std::string path(const char* name) const;
  nlohmann::json object_in(const char* name);
  FolderSetting special(const char* key) const;

  std::string folder_;
  nlohmann::json settings_, specials_, added_;
  std::vector<std::string> files_;
};

// `token`: a text, or an object with "content" and flags. Throws Error that begins with `where`: another value.
AddedPiece read_added_piece(const nlohmann::json& token, const std::string& where);

}  // namespace minibert
