// Files of one's own as a data set that experiments use like those of the registry.
#pragma once

#include "data/own/own_source.h"
#include "data/registry.h"

namespace minibert {

// A data set "own" with every file (of folders all in them), its size and SHA-256, and own set; its table
// names the columns that `source` names. Throws Error naming a path that does not exist.
ResolvedData resolve_own(const OwnSource& source);

}  // namespace minibert
