#include "experiment/experiment_file.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "core/config_reader.h"
#include "core/error.h"
#include "core/files.h"
#include "core/shipped_files.h"
#include "core/text.h"
#include "experiment/overrides.h"

namespace minibert {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

std::vector<std::string> experiment_names(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".json" && entry.path().stem() != "datasets")
      names.push_back(entry.path().stem());
  std::sort(names.begin(), names.end());
  return names;
}

std::string base_path(const std::string& file, const std::string& named) {
  const fs::path beside = fs::path(file).parent_path() / named;
  for (const std::string& path : {beside.string(), beside.string() + ".json"})
    if (fs::is_regular_file(path)) return path;
  // As one in experiments/ would name it: base/finetune.
  const fs::path normal = fs::path(named).lexically_normal();
  const bool is_name = !named.starts_with('.') && !normal.is_absolute() && *normal.begin() != "..";
  const std::string shipped = shipped_path("experiments/" + named + ".json");
  if (is_name && fs::is_regular_file(shipped)) return shipped;
  throw usage_error(
      file + ": extends: found \"" + named + "\", expected the path of a file from " +
      (fs::path(file).has_parent_path() ? fs::path(file).parent_path().string() : ".") +
      ", or an experiment's name" +
      did_you_mean(beside.stem(), experiment_names(beside.parent_path())));
}

// Throws if `path` is already among `files`, each of which the next one extends.
void refuse_circle(const std::string& path, const std::vector<ExperimentFile>& files) {
  const auto same = [&](const ExperimentFile& one) {
    std::error_code error;
    return fs::equivalent(one.path, path, error);
  };
  const auto first = std::find_if(files.begin(), files.end(), same);
  if (first == files.end()) return;
  std::string circle;
  for (auto one = first; one != files.end(); ++one) circle += one->path + " -> ";
  throw usage_error(files.back().path + ": extends: found a circle: " + circle + first->path);
}

ExperimentFile read_file_of_experiment(const std::string& path) {
  ExperimentFile file{path, read_json(path), json::object()};
  if (!file.root.is_object()) throw usage_error(path + ": expected an object");
  if (file.root.contains("profiles")) file.profiles = std::move(file.root["profiles"]);
  file.root.erase("profiles");
  if (!file.profiles.is_object()) throw usage_error(path + ": profiles: expected an object");
  for (const auto& [name, value] : file.profiles.items())
    if (!value.is_object() && !value.is_null())
      throw usage_error(path + ": profiles." + name + ": found " + value.type_name() +
                        ", expected an object");
  return file;
}

// The files that change `profile`, in the order in which they do; null in one takes the earlier ones back.
std::vector<const ExperimentFile*> with_profile(const std::vector<ExperimentFile>& files,
                                                const std::string& profile) {
  std::vector<const ExperimentFile*> out;
  for (const ExperimentFile& file : files) {
    const auto found = file.profiles.find(profile);
    if (found == file.profiles.end()) continue;
    if (!found->is_null())
      out.push_back(&file);
    else if (out.empty())
      throw usage_error(file.path + ": profiles." + profile + ": found null, expected an object");
    else
      out.clear();
  }
  return out;
}

// The value at "arms[1].train.epochs" of `text`, where `root` says which name arms[1] has.
const json* value_at(const json& text, const json& root, const std::string& path) {
  const json* there = &text;
  const json* named = &root;
  for (const std::string& part : split_path(path)) {
    if (!part.starts_with("[")) {
      if (!there->is_object() || !there->contains(part) || !named->contains(part)) return nullptr;
      there = &(*there)[part];
      named = &(*named)[part];
      continue;
    }
    const size_t index = std::stoul(part.substr(1));
    if (!there->is_array() || !named->is_array() || index >= named->size()) return nullptr;
    named = &(*named)[index];
    if (!named->is_object() || !named->contains("name")) {
      if (index >= there->size()) return nullptr;
      there = &(*there)[index];
      continue;
    }
    const auto one = std::find_if(there->begin(), there->end(), [&](const json& item) {
      return item.is_object() && item.contains("name") && item["name"] == (*named)["name"];
    });
    if (one == there->end()) return nullptr;
    there = &*one;
  }
  return there;
}

}  // namespace

std::string experiment_path(const std::string& name_or_file, const std::string& folder) {
  if (name_or_file.ends_with(".json") || name_or_file.find('/') != std::string::npos)
    return name_or_file;
  const std::string file = name_or_file + ".json", in_folder = folder + "/" + file;
  if (!fs::exists(in_folder) && fs::is_regular_file(file)) return file;
  const std::string path = shipped_path(in_folder);
  if (fs::exists(path)) return path;
  const auto names = experiment_names(shipped_path(folder));
  throw usage_error("unknown experiment \"" + name_or_file + "\"" +
                    did_you_mean(name_or_file, names, ", ", "") + " (in " + folder + ": " +
                    (names.empty() ? "none" : joined(names)) + ")");
}

std::vector<ExperimentFile> read_with_bases(const std::string& path) {
  std::vector<ExperimentFile> files;  // the given one first
  for (std::string next = path; !next.empty();) {
    refuse_circle(next, files);
    ExperimentFile file = read_file_of_experiment(next);
    next.clear();
    if (file.root.contains("extends")) {
      next = base_path(file.path, ConfigReader(file.root, file.path).string("extends"));
      file.root.erase("extends");
    }
    files.push_back(std::move(file));
  }
  std::reverse(files.begin(), files.end());
  return files;
}

std::vector<Question> questions_of(const std::string& experiment) {
  std::vector<Question> questions;
  const std::string path = shipped_path("experiments/" + experiment + ".json");
  if (!fs::is_regular_file(path)) return questions;
  json asked;
  for (const ExperimentFile& file : read_with_bases(path))
    asked = file.root.value("questions", asked);
  for (const json& one : asked.is_array() ? asked : json::array())
    if (one.is_array() && one.size() == 2 && one[0].is_string() && one[1].is_string())
      questions.push_back({one[0], one[1]});
  return questions;
}

std::vector<std::string> profile_names(const std::vector<ExperimentFile>& files) {
  std::set<std::string> names;
  for (const ExperimentFile& file : files)
    for (const auto& [name, value] : file.profiles.items())
      if (!with_profile(files, name).empty()) names.insert(name);
  return {names.begin(), names.end()};
}

std::string automatic_profile(const std::vector<ExperimentFile>& files, bool on_device) {
  const std::vector<std::string> names = profile_names(files);
  const auto has = [&](const char* name) { return std::ranges::count(names, name) > 0; };
  if (on_device && has("full")) return "full";
  if (has("quick")) return "quick";
  if (names.size() == 1) return names.front();
  throw usage_error(files.back().path + ": profile: found auto, which takes " +
                    (on_device ? "full or quick" : "quick") +
                    ", expected one of: " + joined(names));
}

json merged(const std::vector<ExperimentFile>& files, const std::string& profile) {
  const auto changing = with_profile(files, profile);
  if (changing.empty())
    throw usage_error(files.back().path + ": profile: found \"" + profile +
                      "\", expected one of: " + joined(profile_names(files)));
  json root = files.front().root;
  for (size_t i = 1; i < files.size(); ++i) {
    root.erase("name");
    merge_patch(&root, files[i].root, files[i].path, "", NewNames::added);
  }
  for (const ExperimentFile* file : changing)
    merge_patch(&root, file->profiles.at(profile), file->path, "profiles." + profile,
                NewNames::refused);
  return root;
}

std::string file_of(const KeyError& error, const json& root,
                    const std::vector<ExperimentFile>& files, const std::string& profile) {
  const auto says = [&](const json& text) {
    const json* value = value_at(text, root, error.path());
    return value && *value == error.value();
  };
  const auto changing = with_profile(files, profile);
  for (auto file = changing.rbegin(); file != changing.rend(); ++file)
    if (says((*file)->profiles.at(profile))) return (*file)->path;
  for (auto file = files.rbegin(); file != files.rend(); ++file)
    if (says(file->root)) return file->path;
  return files.back().path;
}

}  // namespace minibert
