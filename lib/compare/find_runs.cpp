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

// Returns find_runs() of these experiments below `root`; adds the profiles there to `profiles`.
std::vector<std::vector<std::string>> runs_below(const std::string& root,
                                                 const std::vector<std::string>& experiments,
                                                 const std::string& profile,
                                                 std::set<std::string>* profiles) {
  std::vector<std::vector<std::string>> found;
  for (const std::string& name : experiments)
    for (const std::string& folder : sorted_entries(root + "/" + name, true)) {
      std::vector<std::string> paths = records_in(root + "/" + name + "/" + folder);
      if (paths.empty()) continue;
      profiles->insert(folder);
      if (profile.empty() || folder == profile) found.push_back(std::move(paths));
    }
  return found;
}

// Throws a usage Error where a file or a folder stands in the place of an experiment's name.
void refuse_path(const std::string& named) {
  std::error_code ignored;
  const std::string path = shipped_path(named);
  const bool is_file = fs::is_regular_file(path, ignored);
  if (is_file || (path.find('/') != std::string::npos && fs::is_directory(path, ignored)))
    throw usage_error("EXPERIMENT: found " + path +
                      ", expected an experiment's name; records are compared by --runs " + path +
                      (is_file ? "" : "/*.h5"));
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
  refuse_path(experiment);
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
  if (const std::string near = wanted.empty() ? "" : nearest(wanted, there);
      !near.empty() && near != wanted)
    message += " (did you mean '" + near + "'?)";
  throw usage_error(message);
}

}  // namespace minibert
