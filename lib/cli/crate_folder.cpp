#include "cli/crate_folder.h"

#include <filesystem>
#include <set>

#include "cli/stored_database.h"
#include "core/error.h"
#include "core/files.h"
#include "core/sha256.h"
#include "core/shown_json.h"
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

// A file that is to be copied to its place in the folder; name and type as CrateFile has them.
struct Planned {
  std::string from, place, name, type;
};

CrateFile copied(const Planned& one, const std::string& folder) {
  const fs::path to = fs::path(folder) / one.place;
  fs::create_directories(to.parent_path());
  fs::copy_file(one.from, to);
  return {one.place, one.name, one.type, fs::file_size(to), sha256_file(to.string())};
}

// The experiments' files; of() returns the path in the folder of an experiment's own, empty where it is not to be had.
class ExperimentFiles {
 public:
  explicit ExperimentFiles(std::vector<Planned>* files) : files_(files) {}

  std::string of(const std::string& name) {
    const fs::path own = fs::path(kExperiments) / (name + ".json");
    if (!fs::exists(own)) return "";
    std::string last;
    for (const ExperimentFile& one : read_with_bases(own.string())) {
      const fs::path path = fs::path(one.path).lexically_normal();
      if (path.begin()->string() != kExperiments) continue;
      last = path.generic_string();
      if (known_.insert(last).second)
        files_->push_back(
            {one.path, last, "Experiment file " + path.stem().string(), "application/json"});
    }
    return last;
  }

 private:
  std::vector<Planned>* files_;
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
  // All are read before anything is written.
  const auto database = stored_database(given, results);
  if (database->runs().empty()) throw Error(results + ": no run can be read");
  std::vector<CrateRun> runs;
  std::vector<Planned> records, others;
  ExperimentFiles experiments(&others);
  std::set<std::string> places;
  for (const auto& [path, record] : database->runs()) {
    const std::string place = place_of(record, path, results);
    if (!places.insert(place).second) throw usage_error(path + ": a second record for " + place);
    const std::string name = record.experiment + ", " + record.profile + ": " + record.arm +
                             ", seed " + std::to_string(record.seed);
    records.push_back({path, place, name, "application/x-hdf5"});
    CrateRun& run = runs.emplace_back();
    run.record = record;
    run.experiment = experiments.of(record.experiment);
    run.citation = citation_of(record.data.value("id", ""));
  }
  const std::string file = (fs::path(folder) / kDatabase).string();
  database->write(file);
  for (size_t i = 0; i < runs.size(); ++i) runs[i].file = copied(records[i], folder);
  std::vector<CrateFile> beside;
  for (const Planned& one : others) beside.push_back(copied(one, folder));
  beside.push_back({kDatabase, "All of the runs as an SQLite database", "application/vnd.sqlite3",
                    fs::file_size(file), sha256_file(file)});
  write_file_atomically((fs::path(folder) / kCrateFile).string(),
                        shown_json(ro_crate_metadata(runs, beside), 1) + "\n");
}

}  // namespace minibert
