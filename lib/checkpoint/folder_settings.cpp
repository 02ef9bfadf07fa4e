#include "checkpoint/folder_settings.h"

#include <algorithm>
#include <filesystem>

#include "checkpoint/checkpoint.h"
#include "checkpoint/huggingface_folder.h"
#include "core/error.h"
#include "core/files.h"
#include "text/wordpiece_file.h"

namespace minibert {
namespace {

constexpr char kSpecialsFile[] = "special_tokens_map.json", kAddedFile[] = "added_tokens.json";
constexpr char kAddedKey[] = "added_tokens_decoder";
constexpr char kClassKey[] = "tokenizer_class";

// A text, or an object that has it as its content; empty where there is none.
std::string piece_text(const nlohmann::json& value, const std::string& where) {
  if (value.is_null()) return {};
  if (value.is_object())
    return piece_text(value.value("content", nlohmann::json()), where + ": content");
  if (!value.is_string())
    throw Error(where + ": found " + shown_value(value) + ", expected a text");
  return value.get<std::string>();
}

std::string with_piece(const std::string& where, const std::string& piece) {
  return where + ": \"" + piece + "\"";
}

}  // namespace

FolderSettings::FolderSettings(const std::string& folder) : folder_(folder) {
  settings_ = specials_ = added_ = nlohmann::json::object();
  if (std::filesystem::exists(path(kSettingsFile))) {
    files_.push_back(path(kSettingsFile));
    refuse_lfs_pointer(files_.back());
    settings_ = read_json(files_.back());
    if (!settings_.is_object()) settings_ = nlohmann::json::object();
  }
  const FolderSetting added = said(kAddedKey);
  if (!added.value.is_null()) expect_object(added.value, added.where);
  // As in transformers, the older file counts where the settings do not list the added pieces.
  if (added.value.is_null()) specials_ = object_in(kSpecialsFile);
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

std::string FolderSettings::special_piece(const char* key) const {
  const FolderSetting found = special(key);
  return piece_text(found.value, found.where);
}

void FolderSettings::expect_special(const char* key, std::string_view expected) const {
  const std::string found = special_piece(key);
  if (!found.empty() && found != expected)
    throw usage_error(special(key).where + ": found \"" + found + "\", expected \"" +
                      std::string(expected) + "\"");
}

std::map<int64_t, std::string> FolderSettings::added_ids() const {
  std::map<int64_t, std::string> out;
  const auto add = [&](const std::string& piece, const nlohmann::json& id, const char* file) {
    if (piece.empty()) return;  // is found nowhere
    if (!id.is_number_integer()) throw Error(with_piece(path(file), piece) + ": expected an id");
    out[id.get<int64_t>()] = piece;
  };
  for (const auto& [piece, id] : added_.items()) add(piece, id, kAddedFile);
  const FolderSetting listed = said(kAddedKey);
  for (const auto& [id, token] : listed.value.items())
    if (token.is_object() && token.contains("content"))
      add(piece_text(token, listed.where + "." + id), nlohmann::json::parse(id, nullptr, false),
          kSettingsFile);
  return out;
}

AddedPieces FolderSettings::named_pieces() const {
  AddedPieces out;
  const auto put = [&](const nlohmann::json& value, const std::string& where) {
    const std::string piece = piece_text(value, where);
    if (piece.empty()) return;
    const nlohmann::json token = value.is_object() ? value : nlohmann::json::object();
    out.emplace(piece, read_added_piece(token, with_piece(where, piece), true));
  };
  for (const char* key : {"bos_token", "eos_token", "unk_token", "sep_token", "pad_token",
                          "cls_token", "mask_token"}) {
    const FolderSetting found = special(key);
    put(found.value, found.where);
  }
  for (const char* key : {"additional_special_tokens", "extra_special_tokens"}) {
    const FolderSetting found = special(key);
    if (found.value.is_structured())
      for (const nlohmann::json& one : found.value) put(one, found.where);
  }
  return out;
}

AddedPieces FolderSettings::how_found(const nlohmann::json& listed) const {
  AddedPieces out, named = named_pieces();
  const auto put = [&](const nlohmann::json& token, const std::string& where) {
    if (!token.is_object() || !token.contains("content")) return;
    const std::string text = piece_text(token, where);
    if (text.empty()) return;
    const AddedPiece piece =
        read_added_piece(token, with_piece(where, text), is_bert_special(text));
    const auto [before, is_new] = out.emplace(text, piece);
    if (!is_new && piece.in_treated_text() && !before->second.in_treated_text())
      before->second = piece;
  };
  const FolderSetting added = said(kAddedKey);
  for (const auto& [id, token] : added.value.items()) put(token, added.where + "." + id);
  for (const nlohmann::json& token : listed) put(token, path(kTokenizerFile) + ": added_tokens");
  for (const auto& [text, id] : added_.items())
    out.emplace(text, read_added_piece(nlohmann::json::object(), with_piece(path(kAddedFile), text),
                                       is_bert_special(text) || named.contains(text)));
  out.merge(named);
  return out;
}

}  // namespace minibert
