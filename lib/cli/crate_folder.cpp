#include "cli/crate_folder.h"

#include <filesystem>
#include <iostream>
#include <set>

#include "cli/stored_database.h"
#include "compare/compare.h"
#include "core/error.h"
#include "core/files.h"
#include "core/sha256.h"
#include "data/registry.h"
#include "experiment/experiment_file.h"
#include "export/ro_crate.h"

namespace minibert {
namespace {

namespace fs = std::filesystem;

constexpr char kExperiments[] = "experiments", kDatabase[] = "runs.db";

// "experiment/profile/arm-s1.h5" of the record, whatever folder it lies in.
std::string place_of(const RunRecord& record, const std::string& path, const std::string& results) {
  const fs::path below = fs::path(path).lexically_relative(results);
  if (!below.empty() && below.begin()->string() != "..") return below.generic_string();
  return record.experiment + "/" + record.profile + "/" + fs::path(path).filename().string();
}

CrateFile copied(const std::string& from, const std::string& folder, const std::string& place,
                 const std::string& name, const std::string& type) {
  const fs::path to = fs::path(folder) / place;
  if (fs::exists(to)) throw usage_error(from + ": a second record for " + place);
  fs::create_directories(to.parent_path());
  fs::copy_file(from, to);
  return {place, name, type, fs::file_size(to), sha256_file(to.string())};
}

// The experiment's files in the folder; returns the path there of its own, empty where it is not to be had.
class ExperimentFiles {
 public:
  ExperimentFiles(std::string folder, std::vector<CrateFile>* files)
      : folder_(std::move(folder)), files_(files) {}

  std::string of(const std::string& name) {
    const fs::path own = fs::path(kExperiments) / (name + ".json");
    if (!fs::exists(own)) return "";
    std::string last;
    for (const ExperimentFile& one : read_with_bases(own.string())) {
      const fs::path path = fs::path(one.path).lexically_normal();
      if (path.begin()->string() != kExperiments) continue;
      last = path.generic_string();
      if (known_.insert(last).second)
        files_->push_back(copied(one.path, folder_, last, "Experiment file " + path.stem().string(),
                                 "application/json"));
    }
    return last;
  }

 private:
  std::string folder_;
  std::vector<CrateFile>* files_;
  std::set<std::string> known_;
};

// The citation in the registry that the working folder has; empty without one.
std::string citation_of(const std::string& data_id) {
  try {
    static const Registry registry = Registry::load();
    return registry.at(data_id).citation;
  } catch (const Error&) {
    return "";
  }
}

}  // namespace

void write_crate(const std::vector<std::string>& given, const std::string& results,
                 const std::string& folder) {
  if (fs::exists(folder) && (!fs::is_directory(folder) || !fs::is_empty(folder)))
    throw usage_error(folder + ": found something there, expected a new or an empty folder");
  std::vector<std::string> found = given, records;
  if (given.empty())
    for (const auto& some : find_runs(results, "", ""))
      found.insert(found.end(), some.begin(), some.end());
  // All are read before anything is written.
  std::vector<CrateRun> runs;
  std::vector<LoadedRecord> loaded = load_records(found, Load::summary);
  for (size_t i = 0; i < found.size(); ++i) {
    auto& [record, error] = loaded[i];
    if (error && !given.empty()) throw *error;
    if (error) {
      std::cerr << "warning: " << error->what() << "; left out\n";
      continue;
    }
    records.push_back(found[i]);
    runs.emplace_back().record = std::move(record);
  }
  if (runs.empty()) throw Error(results + ": no run can be read");
  fs::create_directories(folder);
  std::vector<CrateFile> others;
  ExperimentFiles experiments(folder, &others);
  for (size_t i = 0; i < records.size(); ++i) {
    CrateRun& run = runs[i];
    const std::string& path = records[i];
    const std::string name = run.record.experiment + ", " + run.record.profile + ": " +
                             run.record.arm + ", seed " + std::to_string(run.record.seed);
    run.file =
        copied(path, folder, place_of(run.record, path, results), name, "application/x-hdf5");
    run.experiment = experiments.of(run.record.experiment);
    run.citation = citation_of(run.record.data.value("id", ""));
  }
  const std::string database = (fs::path(folder) / kDatabase).string();
  stored_database(records, results)->write(database);
  others.push_back({kDatabase, "All of the runs as an SQLite database", "application/vnd.sqlite3",
                    fs::file_size(database), sha256_file(database)});
  write_file_atomically((fs::path(folder) / kCrateFile).string(),
                        ro_crate_metadata(runs, others).dump(1) + "\n");
}

}  // namespace minibert
