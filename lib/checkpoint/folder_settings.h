// What stands beside a tokenizer's vocabulary in a folder of transformers: tokenizer_config.json,
// special_tokens_map.json, added_tokens.json, and the tokenizer's class in config.json.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "checkpoint/added_pieces.h"

namespace minibert {

inline constexpr char kTokenizerFile[] = "tokenizer.json";
inline constexpr char kSettingsFile[] = "tokenizer_config.json";

// What is said of one thing, and where.
struct FolderSetting {
  nlohmann::json value;  // null where nothing is said
  std::string where;     // file and key, for messages
};

class FolderSettings {
 public:
  // Throws Error naming file and key: no JSON, or another form of it.
  explicit FolderSettings(const std::string& folder);

  const std::vector<std::string>& files() const { return files_; }  // that are there and count
  const nlohmann::json& settings() const { return settings_; }  // tokenizer_config.json, an object
  std::string settings_path() const { return path(kSettingsFile); }

  // A key of tokenizer_config.json.
  FolderSetting said(const char* key) const;
  // The class of transformers that makes the tokenizer.
  FolderSetting tokenizer_class() const;
  // Whether nothing is said of that class, or it is one of `kinds`: "Bert" is BertTokenizer and BertTokenizerFast.
  bool made_by(const std::vector<std::string>& kinds) const;

  // The text of the special piece that a key names, "mask_token"; empty where nothing is said. Throws Error: no text.
  std::string special_piece(const char* key) const;
  // Throws a usage Error naming file and key: the key names another piece.
  void expect_special(const char* key, std::string_view expected) const;

  // Pieces beside the vocabulary, by id. Throws Error naming file and piece: an id that is none.
  std::map<int64_t, std::string> added_ids() const;
  // How each of these is found in a text, and each of `listed`, tokenizer.json's "added_tokens", and the special ones
  // that keys name. Where tokenizer_config.json and tokenizer.json both speak of a piece, transformers' version 4 finds
  // it as either says and version 5 as the first: what is told is the first, or the one that searches treated text.
  AddedPieces how_found(const nlohmann::json& listed) const;

 private:
  std::string path(const char* name) const;
  nlohmann::json object_in(const char* name);
  FolderSetting special(const char* key) const;
  AddedPieces named_pieces() const;

  std::string folder_;
  nlohmann::json settings_, specials_, added_;
  std::vector<std::string> files_;
};

}  // namespace minibert
