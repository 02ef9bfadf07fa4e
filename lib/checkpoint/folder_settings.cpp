#include "checkpoint/folder_settings.h"

#include <algorithm>
#include <filesystem>

#include "checkpoint/checkpoint.h"
#include "checkpoint/huggingface_config.h"
#include "core/error.h"
#include "core/files.h"

namespace minibert {
namespace {

constexpr char kAddedFile[] = "added_tokens.json";
constexpr char kAddedKey[] = "added_tokens_decoder";
constexpr char kClassKey[] = "tokenizer_class";

// The piece that `token` is: a text, or an object with "content".
nlohmann::json piece_of(const nlohmann::json& token, const std::string& where) {
  const nlohmann::json text = token.is_object() ? token.value("content", nlohmann::json()) : token;
  if (!text.is_string())
    throw Error(where + ": found " + shown_value(text) + ", expected a piece's text");
  return text;
}

}  // namespace

FolderSettings::FolderSettings(const std::string& folder) : folder_(folder) {
  settings_ = object_in(kSettingsFile);
  added_ = object_in(kAddedFile);
}

std::string FolderSettings::path(const char* name) const {
  return (std::filesystem::path(folder_) / name).string();
}

nlohmann::json FolderSettings::object_in(const char* name) {
  if (!std::filesystem::exists(path(name))) return nlohmann::json::object();
  files_.push_back(path(name));
  refuse_lfs_pointer(files_.back());
  nlohmann::json out = read_json(files_.back());
  expect_object(out, files_.back());
  return out;
}

FolderSetting FolderSettings::said(const char* key) const {
  return {settings_.value(key, nlohmann::json()), path(kSettingsFile) + ": " + key};
}

FolderSetting FolderSettings::tokenizer_class() const {
  FolderSetting out = said(kClassKey);
  if (!out.value.is_null() || !std::filesystem::exists(path(kConfigFile))) return out;
  const nlohmann::json config = read_json(path(kConfigFile));
  if (!config.is_object() || !config.contains(kClassKey)) return out;
  return {config.at(kClassKey), path(kConfigFile) + ": " + kClassKey};
}

bool FolderSettings::made_by(const std::vector<std::string>& kinds) const {
  const nlohmann::json name = tokenizer_class().value;
  if (name.is_null()) return true;
  if (!name.is_string()) return false;
  const std::string text = name.get<std::string>();
  return std::ranges::find(kinds, text.substr(0, text.rfind("Tokenizer"))) != kinds.end();
}

void FolderSettings::expect_special(const char* key, std::string_view expected) const {
  const FolderSetting found = said(key);
  if (found.value.is_null()) return;
  const std::string text = piece_of(found.value, found.where);
  if (text != expected)
    throw usage_error(found.where + ": found \"" + text + "\", expected \"" +
                      std::string(expected) + "\"");
}

std::vector<FolderSetting> FolderSettings::added(const nlohmann::json& tokenizer) const {
  std::vector<FolderSetting> out;
  const auto add = [&](const nlohmann::json& tokens, const std::string& where) {
    for (const auto& [key, token] : tokens.items()) {
      const std::string place = where + (tokens.is_object() ? "." + key : "");
      out.push_back({piece_of(token, place), place});
    }
  };
  if (tokenizer.is_object() && tokenizer.contains("added_tokens"))
    add(tokenizer.at("added_tokens"), path(kTokenizerFile) + ": added_tokens");
  if (const FolderSetting listed = said(kAddedKey); !listed.value.is_null())
    expect_object(listed.value, listed.where);
  for (const char* key : {kAddedKey, "additional_special_tokens", "extra_special_tokens"})
    if (const FolderSetting listed = said(key); listed.value.is_structured())
      add(listed.value, listed.where);
  for (const auto& [text, id] : added_.items()) out.push_back({text, path(kAddedFile)});
  return out;
}

}  // namespace minibert
