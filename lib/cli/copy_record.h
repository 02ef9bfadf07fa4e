// A stored run's record, written anew.
#pragma once

#include <string>

namespace minibert {

// Writes the record of a finished run to `out`, in today's layout, without `weights` with their SHA-256 in their place.
// Prints both sizes. Throws Error naming the file: no record, a run that has not finished, parts that are no part of a
// record and would be lost.
void copy_record(const std::string& file, const std::string& out, bool weights);

}  // namespace minibert
