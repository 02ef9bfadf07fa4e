#include "compare/runs.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "core/config_reader.h"
#include "core/error.h"
#include "core/text.h"
#include "record/record_folder.h"
#include "record/run_notes.h"

namespace minibert {
namespace {

using Json = nlohmann::json;

std::string text_of(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

// The value at "a.b.c", or null.
const Json* at_path(const Json& json, const std::string& path) {
  const Json* node = &json;
  for (size_t begin = 0; begin <= path.size();) {
    const size_t end = std::min(path.find('.', begin), path.size());
    const std::string part = path.substr(begin, end - begin);
    if (!node->is_object() || !node->contains(part)) return nullptr;
    node = &node->at(part);
    begin = end + 1;
  }
  return node;
}

std::optional<Json> value_of(const StoredRun& run, const std::string& key) {
  const RunRecord& record = run.record;
  if (key == "folder") return record_folder(run.path);
  if (key == "file") return std::filesystem::path(run.path).stem().string();
  if (key == "experiment") return record.experiment;
  if (key == "profile") return record.profile;
  if (key == "arm") return record.arm;
  if (key == "seed") return record.seed;
  const Json* found = at_path(record.config, key);
  const auto arms = record.config.is_object() ? record.config.find("arms") : record.config.end();
  if (!found && arms != record.config.end() && arms->is_array() && !arms->empty())
    found = at_path(arms->front(), key);
  if (!found && key.starts_with("environment."))
    found = at_path(record.environment, key.substr(12));
  if (!found && key.starts_with("data.")) found = at_path(record.data, key.substr(5));
  if (!found) return std::nullopt;
  return *found;
}

void add_keys(const Json& json, const std::string& prefix, std::set<std::string>& keys) {
  if (!json.is_object()) return;
  for (const auto& [key, value] : json.items()) {
    if (value.is_object())
      add_keys(value, prefix + key + ".", keys);
    else
      keys.insert(prefix + key);
  }
}

void check_key(const std::vector<StoredRun>& runs, const std::string& key) {
  std::set<std::string> keys = {"folder", "file", "experiment", "profile", "arm", "seed"};
  for (const StoredRun& run : runs) {
    const RunRecord& record = run.record;
    if (value_of(run, key)) return;
    add_keys(record.config, "", keys);
    if (const Json* arms = at_path(record.config, "arms");
        arms && arms->is_array() && !arms->empty())
      add_keys(arms->front(), "", keys);
    add_keys(record.environment, "environment.", keys);
    add_keys(record.data, "data.", keys);
  }
  if (runs.empty()) return;
  const std::string near = nearest(key, {keys.begin(), keys.end()});
  throw usage_error("'" + key + "': no run has this key" +
                    (near.empty() ? "" : " (did you mean '" + near + "'?)"));
}

const std::vector<std::string> kKeysOfAnArm = {"experiment", "profile", "arm"};

// The whole path of what the keys "folder" and "file" name, without the file's ".h5"; empty for other keys.
std::string place_of(const StoredRun& run, const std::string& key) {
  const std::filesystem::path path = std::filesystem::path(run.path).lexically_normal();
  if (key == "folder") return path.parent_path().string();
  return key == "file" ? (path.parent_path() / path.stem()).string() : "";
}

// Returns what distinguishes rows: whole paths of folders and files; "" for a missing key.
std::vector<std::string> row_values(const StoredRun& run, const std::vector<std::string>& keys) {
  std::vector<std::string> values;
  for (const std::string& key : keys) {
    const auto value = value_of(run, key);
    const std::string place = place_of(run, key);
    values.push_back(!value ? "" : "=" + (place.empty() ? text_of(*value) : place));
  }
  return values;
}

// Returns a key's value as the run's row shows it: whole paths for folders and files of one name.
std::string shown_value(const StoredRun& run, const std::string& key,
                        const std::vector<StoredRun>& runs) {
  const auto value = value_of(run, key);
  if (!value) return "none";
  const std::string place = place_of(run, key);
  const bool is_shared = !place.empty() && std::ranges::any_of(runs, [&](const StoredRun& other) {
    return value_of(other, key) == value && place_of(other, key) != place;
  });
  return is_shared ? place : text_of(*value);
}

// Checks one row alone; what stands in different rows differs in what the rows are made by.
void check_once(const RunGroup& group) {
  std::map<std::tuple<std::string, std::string, std::string, int64_t>, const StoredRun*> seen;
  for (const StoredRun* run : group.runs) {
    const RunRecord& r = run->record;
    const auto [other, is_new] = seen.try_emplace({r.experiment, r.profile, r.arm, r.seed}, run);
    if (is_new) continue;
    throw Error(other->second->path + " and " + run->path + ": both are seed " +
                std::to_string(r.seed) + " of arm '" + r.arm + "' of experiment '" + r.experiment +
                "', expected each run once in a row" +
                (other->second->path == run->path ? "" : "; --group-by file makes a row of each"));
  }
}

// Names the group by its runs' values, in the order of seeds.
void name_parts(RunGroup& group) {
  std::vector<std::string> experiments, profiles, arms;
  std::stable_sort(
      group.runs.begin(), group.runs.end(),
      [](const StoredRun* a, const StoredRun* b) { return a->record.seed < b->record.seed; });
  for (const StoredRun* run : group.runs) {
    add_once(experiments, run->record.experiment);
    add_once(profiles, run->record.profile);
    add_once(arms, run->record.arm);
    group.names.seeds.push_back(run->record.seed);
  }
  group.names.experiment = joined(experiments);
  group.names.profile = joined(profiles);
  group.names.arm = joined(arms);
}

// Labels arms by their name, with experiment and profile where they differ.
void label_arms(std::vector<RunGroup>& groups) {
  std::vector<std::string> experiments, profiles;
  for (const RunGroup& group : groups) {
    add_once(experiments, group.names.experiment);
    add_once(profiles, group.names.profile);
  }
  for (RunGroup& group : groups) {
    ArmNames& names = group.names;
    if (experiments.size() > 1) names.label += names.experiment + "/";
    if (profiles.size() > 1) names.label += names.profile + "/";
    names.label += names.arm;
  }
}

}  // namespace

std::optional<double> value_at(const MetricSeries& series, int64_t step) {
  const auto found = std::ranges::find(series.step, step);
  if (found == series.step.end()) return std::nullopt;
  return series.value[static_cast<size_t>(found - series.step.begin())];
}

std::vector<StoredRun> load_finished(const std::vector<std::string>& paths, bool skip_damaged,
                                     std::vector<std::string>& warnings) {
  std::vector<StoredRun> runs;
  std::vector<LoadedRecord> loaded = load_records(paths, Load::summary);
  for (size_t i = 0; i < paths.size(); ++i) {
    auto& [record, error] = loaded[i];
    if (error && !skip_damaged) throw *error;
    if (error)
      warnings.push_back(std::string(error->what()) + "; left out");
    else if (record.status != "finished")
      warnings.push_back(paths[i] + ": " + record.status + ", left out");
    else {
      for (const std::string& note : training_notes(record))
        warnings.push_back(paths[i] + ": " + note);
      runs.push_back({paths[i], std::move(record)});
    }
  }
  std::stable_sort(runs.begin(), runs.end(), [](const StoredRun& a, const StoredRun& b) {
    return a.record.started < b.record.started;
  });
  return runs;
}

std::vector<RunGroup> grouped(std::vector<StoredRun>& runs, const std::vector<std::string>& keys) {
  for (const std::string& key : keys) check_key(runs, key);
  const std::vector<std::string>& by = keys.empty() ? kKeysOfAnArm : keys;
  std::vector<RunGroup> groups;
  std::map<std::vector<std::string>, size_t> group_of;
  for (StoredRun& run : runs) {
    const std::vector<std::string> values = row_values(run, by);
    const auto [group, is_new] = group_of.emplace(values, groups.size());
    if (is_new) groups.emplace_back();
    groups[group->second].runs.push_back(&run);
    if (!is_new || keys.empty()) continue;
    std::string& label = groups.back().names.label;
    // An arm's name says by itself what it is.
    for (size_t i = 0; i < keys.size(); ++i)
      label += (i == 0 ? "" : ", ") + (keys[i] == "arm" ? "" : keys[i] + "=") +
               shown_value(run, keys[i], runs);
    // "none" may also be a value: a missing key is then marked.
    const auto same = std::ranges::count_if(
        groups, [&](const RunGroup& group) { return group.names.label == label; });
    if (same > 1) label += std::ranges::count(values, "") > 0 ? " (not there)" : " (a value)";
  }
  for (RunGroup& group : groups) {
    check_once(group);
    name_parts(group);
  }
  if (keys.empty()) label_arms(groups);
  return groups;
}

}  // namespace minibert
