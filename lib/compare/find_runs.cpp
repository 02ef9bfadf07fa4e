// Finds stored runs.
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>

#include "compare/compare.h"
#include "core/config_reader.h"
#include "core/error.h"
#include "core/shipped_files.h"
#include "core/text.h"
#include "record/record_folder.h"
#include "record/run_record.h"

namespace minibert {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> sorted_entries(const std::string& folder, bool folders) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->is_directory() != folders) continue;
    if (folders || entry->path().extension() == ".h5")
      names.push_back(entry->path().filename().string());
  }
  if (error) throw usage_error(folder + ": cannot be read: " + error.message());
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> records_in(const std::string& folder) {
  std::vector<std::string> paths;
  for (const std::string& file : sorted_entries(folder, false))
    paths.push_back(folder + "/" + file);
  return paths;
}

// Returns the records of the profile. Unreadable ones stay if they are beside them or in a folder
// of the profile's name, to be reported. Adds the profiles that occur to `profiles`.
std::vector<std::string> of_profile(const std::vector<std::string>& paths,
                                    const std::string& profile, bool is_named_so,
                                    std::set<std::string>* profiles) {
  const std::vector<LoadedRecord> loaded = load_records(paths, Load::summary);
  std::vector<std::string> kept;
  bool is_there = is_named_so;
  for (size_t i = 0; i < paths.size(); ++i) {
    const auto& [record, error] = loaded[i];
    if (!error) profiles->insert(record.profile);
    if (!error && record.profile != profile) continue;
    is_there = is_there || !error;
    kept.push_back(paths[i]);
  }
  if (!is_there) kept.clear();
  return kept;
}

// Returns find_runs' result for these experiments below `root`. A profile adds those that occur.
std::vector<std::vector<std::string>> runs_below(const std::string& root,
                                                 const std::vector<std::string>& experiments,
                                                 const std::string& profile,
                                                 std::set<std::string>* profiles) {
  std::vector<std::vector<std::string>> found;
  const auto collect = [&](bool by_record) {
    for (const std::string& name : experiments)
      for (const std::string& kind : sorted_entries(root + "/" + name, true)) {
        const bool is_named_so = profile.empty() || kind == profile;
        if (!is_named_so && !by_record) continue;
        std::vector<std::string> paths = records_in(root + "/" + name + "/" + kind);
        if (!profile.empty() && !paths.empty())
          paths = of_profile(paths, profile, is_named_so, profiles);
        if (!paths.empty()) found.push_back(std::move(paths));
      }
  };
  collect(false);
  // Records say which profile they are of, whatever their folder is called.
  if (found.empty() && !profile.empty()) collect(true);
  return found;
}

std::string of_folder(const std::string& folder) {
  return "; a folder's records are compared by --runs " + folder + "/*.h5";
}

// Throws a usage Error where a record or a folder of results is named by its path.
void refuse_path(const std::string& results, const std::string& named) {
  std::error_code ignored;
  const std::string experiment = shipped_path(named);
  if (fs::is_regular_file(experiment, ignored))
    throw usage_error("EXPERIMENT: found the file " + experiment +
                      ", expected an experiment's name; records are compared by --runs " +
                      experiment);
  if (experiment.find('/') == std::string::npos || !fs::is_directory(experiment, ignored)) return;
  std::vector<std::string> parts;  // below the folder of results
  for (const fs::path& part : fs::relative(experiment, results, ignored))
    if (const std::string name = part.string(); !name.empty() && name != "." && name != kOwnRuns)
      parts.push_back(name);
  std::string way;
  if (parts.size() == 1 && parts[0] != "..") way = ": " + parts[0];
  if (parts.size() == 2 && parts[0] != "..") way = of_folder(experiment);
  throw usage_error("EXPERIMENT: found the folder " + experiment +
                    ", expected an experiment's name" + way);
}

}  // namespace

std::string results_with(const std::string& results, const std::string& experiment) {
  std::error_code ignored;
  const fs::path own = fs::path(results) / kOwnRuns / experiment;
  if (experiment.empty() || fs::exists(own, ignored)) return shipped_path(results);
  const std::string named = results + "/" + experiment, found = shipped_path(named);
  return found == named ? shipped_path(results) : fs::path(found).parent_path().string();
}

std::vector<std::vector<std::string>> find_runs(const std::string& results,
                                                const std::string& experiment,
                                                const std::string& profile) {
  if (!fs::is_directory(results))
    throw usage_error(results + ": no such folder of results; an experiment makes it");
  refuse_path(results, experiment);
  std::set<std::string> experiments, profiles;  // that are there
  std::vector<std::vector<std::string>> found;
  for (const std::string& root : {results, results + "/" + kOwnRuns}) {
    if (!fs::is_directory(root)) continue;
    std::vector<std::string> asked;
    for (const std::string& name : sorted_entries(root, true)) {
      if (root == results && name == kOwnRuns) continue;
      experiments.insert(name);
      if (experiment.empty() || name == experiment) asked.push_back(name);
    }
    std::ranges::move(runs_below(root, asked, profile, &profiles), std::back_inserter(found));
  }
  if (!found.empty()) return found;
  std::string message = results + ": no runs";
  if (!experiment.empty()) message += " of experiment '" + experiment + "'";
  if (!profile.empty()) message += " with profile '" + profile + "'";
  // Where the profile is not there, the message says which are instead.
  const std::set<std::string>& instead = profiles.empty() ? experiments : profiles;
  const std::vector<std::string> there(instead.begin(), instead.end());
  const std::string& wanted = profiles.empty() ? experiment : profile;
  message += there.empty() ? "; it is empty" : "; it has " + joined(there);
  const std::string near = wanted.empty() ? "" : nearest(wanted, there);
  const std::string folder = results + "/" + experiment + "/" + profile;
  if (!experiment.empty() && !profile.empty() && fs::is_directory(folder))
    message += of_folder(folder);
  else if (!near.empty() && near != wanted)
    message += " (did you mean '" + near + "'?)";
  throw usage_error(message);
}

}  // namespace minibert
