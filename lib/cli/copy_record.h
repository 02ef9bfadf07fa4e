// Rewrites a stored run's record.
#pragma once

#include <string>

namespace minibert {

// Writes the record of a finished run to `out` in today's layout; without `weights` their SHA-256
// replaces them. Prints both sizes. Throws Error naming the file for no record, an unfinished run,
// or foreign parts that would be lost.
void copy_record(const std::string& file, const std::string& out, bool weights);

}  // namespace minibert
