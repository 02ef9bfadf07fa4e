// Files that an experiment names as a data set, to be used like those of the registry.
#pragma once

#include <string>
#include <vector>

#include "data/files/file_source.h"
#include "data/registry.h"

namespace minibert {

// Returns a data set "own" with every file, its size and SHA-256, and ResolvedData::source set; its table is the
// source's. Throws Error naming a path that does not exist.
ResolvedData resolve_files(const FileSource& source);

// Adds files, and those that a folder holds, hashed and named by their paths. Throws Error as
// corpus_files().
void add_files(const std::vector<std::string>& paths, const std::string& kind,
               const std::string& split, ResolvedData* data);

}  // namespace minibert
