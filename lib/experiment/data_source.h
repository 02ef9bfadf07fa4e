// What an experiment reads: a data set of the registry, or text or labelled files of one's own.
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
  std::vector<std::string> ids = {};  // of the registry, the first available wins; or else:
  // Text files and folders as data/corpus.h reads them; or else:
  std::vector<std::string> train = {}, dev = {}, test = {};
  std::optional<FileSource> labelled = {};  // labelled files

  bool is_text() const { return ids.empty() && !labelled; }
};

// "data": a list of ids, or {"files": [paths], "dev": [paths], "test": [paths]} of texts, or labelled files
// {"train": path, …} with the keys of data/files/file_source.h. Throws a usage Error.
DataSource read_data_source(ConfigReader& experiment);
nlohmann::json to_json(const DataSource& source);

// Found, and verified or hashed: choose() of the ids; of text files a data set "files" with every file that
// a folder holds, named by its path; of labelled ones resolve_files(). Throws Error as choose() and
// corpus_files() do.
ResolvedData resolve(const DataSource& source, const Registry& registry,
                     const std::string& data_dir, const Fetcher& fetcher = nullptr);

}  // namespace minibert
