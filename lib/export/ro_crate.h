// What is in a folder of exported runs, as RO-Crate 1.1 tells it (ro-crate-metadata.json,
// https://w3id.org/ro/crate/1.1): each file with its size and SHA-256, which run made it from which data with which
// version of the program, licences and citations of the data.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "record/run_record.h"

namespace minibert {

inline constexpr char kCrateFile[] = "ro-crate-metadata.json";

struct CrateFile {
  std::string path;  // from the folder
  std::string name;  // for a person
  std::string type;  // media type
  uint64_t bytes = 0;
  std::string sha256;
};

struct CrateRun {
  CrateFile file;
  RunRecord record;        // its summary is enough
  std::string experiment;  // path of the experiment's file in the folder; empty: not there
  std::string citation;    // of its data set; empty: unknown
};

// The metadata of these files. Authors are left out: no record tells one. What is published is dated as the last run
// that began.
nlohmann::ordered_json ro_crate_metadata(const std::vector<CrateRun>& runs,
                                         const std::vector<CrateFile>& others);

}  // namespace minibert
