// The data of an experiment: a data set of the registry, or a user's text or labelled files.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/config_reader.h"
#include "data/files/file_source.h"
#include "data/registry.h"

namespace minibert {

struct DataSource {
  std::vector<std::string> ids = {};  // in the registry; the first available one is used; or else:
  // text files and folders (data/corpus.h); or else:
  std::vector<std::string> train = {}, dev = {}, test = {};
  std::optional<FileSource> labelled = {};  // labelled files

  bool is_text() const { return ids.empty() && !labelled; }
};

// Reads "data": a list of ids; {"files": [paths], "dev": [paths], "test": [paths]} for texts; or
// {"train": path, …} with keys of data/files/file_source.h for labelled files. Throws usage Errors.
DataSource read_data_source(ConfigReader& experiment);
nlohmann::json to_json(const DataSource& source);

// Finds the data and verifies or hashes it: choose() of the ids; a data set "files" with every text
// file, also of folders, named by its path; or resolve_files() of labelled files. Throws Error like
// choose() and corpus_files().
ResolvedData resolve(const DataSource& source, const Registry& registry,
                     const std::string& data_dir, const Fetcher& fetcher = nullptr);

}  // namespace minibert
