// Tells the kind of a file by its first bytes; the name does not matter.
#pragma once

#include <string>

namespace minibert {

// Returns true if the file has HDF5's signature at the start or behind a user block, which records
// have (HDF5 File Format Specification 3.0, II.A: at 0, 512, 1024, 2048, …).
bool is_hdf5(const std::string& path);

// Returns true for safetensors (8 bytes with a length, then a JSON header), also for `.mbq`.
bool is_safetensors(const std::string& path);

}  // namespace minibert
