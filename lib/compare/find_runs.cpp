// Where stored runs lie.
#include <algorithm>
#include <filesystem>

#include "compare/compare.h"
#include "core/config_reader.h"
#include "core/error.h"
#include "core/h5.h"
#include "core/text.h"
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

// Whether the folder's first record that can be read is of this profile.
bool is_of_profile(const std::string& folder, const std::string& profile) {
  for (const std::string& file : sorted_entries(folder, false)) try {
      return load_record(folder + "/" + file, Load::summary).profile == profile;
    } catch (const h5::MemoryError&) {
      throw;
    } catch (const Error&) {
      continue;  // whoever reads it is told what is wrong
    }
  return false;
}

}  // namespace

std::vector<std::vector<std::string>> find_runs(const std::string& results,
                                                const std::string& experiment,
                                                const std::string& profile) {
  if (!fs::is_directory(results))
    throw usage_error(results + ": no such folder of results; an experiment makes it");
  const std::vector<std::string> experiments = sorted_entries(results, true);
  std::vector<std::vector<std::string>> found;
  const auto collect = [&](bool by_record) {
    for (const std::string& name : experiments) {
      if (!experiment.empty() && name != experiment) continue;
      for (const std::string& kind : sorted_entries(results + "/" + name, true)) {
        const std::string folder = results + "/" + name + "/" + kind;
        if (!profile.empty() && kind != profile && !(by_record && is_of_profile(folder, profile)))
          continue;
        std::vector<std::string> paths;
        for (const std::string& file : sorted_entries(folder, false))
          paths.push_back(folder + "/" + file);
        if (!paths.empty()) found.push_back(std::move(paths));
      }
    }
  };
  collect(false);
  // Records say which profile they are of, whatever their folder is called.
  if (found.empty() && !profile.empty()) collect(true);
  if (!found.empty()) return found;
  std::string message = results + ": no runs";
  if (!experiment.empty()) message += " of experiment '" + experiment + "'";
  if (!profile.empty()) message += " with profile '" + profile + "'";
  // Where the profile is not there, the message says what the experiment has instead.
  const bool has_experiment =
      std::find(experiments.begin(), experiments.end(), experiment) != experiments.end();
  const bool of_profile = has_experiment && !profile.empty();
  const std::vector<std::string> there =
      of_profile ? sorted_entries(results + "/" + experiment, true) : experiments;
  const std::string& wanted = of_profile ? profile : experiment;
  message += there.empty() ? "; it is empty" : "; it has " + joined(there);
  if (const std::string near = nearest(wanted, there); !near.empty() && near != wanted)
    message += " (did you mean '" + near + "'?)";
  throw usage_error(message);
}

}  // namespace minibert
