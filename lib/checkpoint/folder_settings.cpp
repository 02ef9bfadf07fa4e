#include "checkpoint/folder_settings.h"

#include <algorithm>
#include <filesystem>

#include "checkpoint/checkpoint.h"
#include "checkpoint/huggingface_config.h"
#include "core/error.h"
#include "core/files.h"
#include "text/wordpiece_file.h"

namespace minibert {
namespace {

constexpr char kSpecialsFile[] = "special_tokens_map.json", kAddedFile[] = "added_tokens.json";
constexpr char kAddedKey[] = "added_tokens_decoder";
constexpr char kClassKey[] = "tokenizer_class";

}  // namespace

AddedPiece read_added_piece(const nlohmann::json& token, const std::string& where) {
  AddedPiece out;
  out.flags = token.is_object() ? token : nlohmann::json::object();
  const nlohmann::json text = token.is_object() ? token.value("content", nlohmann::json()) : token;
  if (!text.is_string())
    throw Error(where + ": found " + shown_value(text) + ", expected a piece's text");
  out.text = text.get<std::string>();
  out.where = where + ": \"" + out.text + "\"";
  return out;
}

FolderSettings::FolderSettings(const std::string& folder) : folder_(folder) {
  settings_ = object_in(kSettingsFile);
  const FolderSetting added = said(kAddedKey);
  if (!added.value.is_null()) {
    expect_object(added.value, added.where);
  } else {  // then the older files count
    specials_ = object_in(kSpecialsFile);
    added_ = object_in(kAddedFile);
  }
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

FolderSetting FolderSettings::special(const char* key) const {
  if (specials_.contains(key)) return {specials_.at(key), path(kSpecialsFile) + ": " + key};
  return said(key);
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
  const FolderSetting found = special(key);
  if (found.value.is_null()) return;
  const std::string text = read_added_piece(found.value, found.where).text;
  if (text != expected)
    throw usage_error(found.where + ": found \"" + text + "\", expected \"" +
                      std::string(expected) + "\"");
}

std::vector<AddedPiece> FolderSettings::added() const {
  std::vector<AddedPiece> out;
  const auto add = [&](AddedPiece piece, const nlohmann::json& id) {
    if (!id.is_number_integer()) throw Error(piece.where + ": expected an id");
    piece.id = id.get<int64_t>();
    piece.is_special = is_bert_special(piece.text);
    out.push_back(std::move(piece));
  };
  for (const auto& [text, id] : added_.items()) add(read_added_piece(text, path(kAddedFile)), id);
  const FolderSetting listed = said(kAddedKey);
  for (const auto& [id, token] : listed.value.items())
    add(read_added_piece(token, listed.where + "." + id),
        nlohmann::json::parse(id, nullptr, false));
  std::ranges::stable_sort(out, {}, &AddedPiece::id);
  return out;
}

std::vector<AddedPiece> FolderSettings::named() const {
  std::vector<AddedPiece> out;
  for (const char* key :
       {"bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"})
    if (const FolderSetting found = special(key); !found.value.is_null())
      out.push_back(read_added_piece(found.value, found.where));
  for (const char* key : {"additional_special_tokens", "extra_special_tokens"})
    if (const FolderSetting found = special(key); found.value.is_structured())
      for (const nlohmann::json& one : found.value)
        out.push_back(read_added_piece(one, found.where));
  return out;
}

}  // namespace minibert
