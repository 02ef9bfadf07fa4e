// SHA-256 sums of data files, remembered so that a start does not hash them again.
#pragma once

#include <string>

namespace minibert {

// The file's SHA-256: as remembered in <data_dir>/.minibert-verified.json while its size and
// modification time are the same, else computed, and remembered where data_dir can be written.
// With an empty data_dir nothing is remembered. Throws Error when the file cannot be read.
std::string verified_sha256(const std::string& path, const std::string& data_dir);

}  // namespace minibert
