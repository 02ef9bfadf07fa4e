// Files of one's own as a data set that experiments use like those of the registry.
#pragma once

#include <string>
#include <vector>

#include "data/own_source.h"
#include "data/registry.h"

namespace minibert {

// A data set "own" with every file (of folders all in them), its size and SHA-256, and own set; its table
// names the columns that `source` names. Throws Error naming a path that does not exist.
ResolvedData resolve_own(const OwnSource& source);

// Adds files of one's own, and those that a folder holds, hashed and named by their paths. Throws Error as
// corpus_files().
void add_files(const std::vector<std::string>& paths, const std::string& kind,
               const std::string& split, ResolvedData* data);

}  // namespace minibert
