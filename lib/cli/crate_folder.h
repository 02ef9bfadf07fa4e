// A folder of stored runs to pass on, with RO-Crate metadata.
#pragma once

#include <string>
#include <vector>

namespace minibert {

// Copies the records, those of `results` where none are named, into `folder` (a new or an empty one) as they stand
// there, beside them the experiments' files (experiments/), runs.db (export/record_database.h) and
// ro-crate-metadata.json (export/ro_crate.h). Records of `results` that cannot be read are left out, with a warning
// on stderr. Throws Error: a named record that cannot be read, none that can, a folder that has something in it.
void write_crate(const std::vector<std::string>& records, const std::string& results,
                 const std::string& folder);

}  // namespace minibert
