// Makes a data set of files that an experiment names.
#pragma once

#include <string>
#include <vector>

#include "data/files/file_source.h"
#include "data/registry.h"

namespace minibert {

// Returns a data set "own" with every file, its size and SHA-256, and ResolvedData::source set; its
// table is the source's. Throws Error naming a path that does not exist.
ResolvedData resolve_files(const FileSource& source);

// Adds files, also of folders, hashed and named by path. Throws Error like corpus_files().
void add_files(const std::vector<std::string>& paths, const std::string& kind,
               const std::string& split, ResolvedData* data);

}  // namespace minibert
