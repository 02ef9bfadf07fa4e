// What kind of file there is, told by its first bytes and not by its name.
#pragma once

#include <string>

namespace minibert {

// Whether a file is HDF5: its signature stands at the start, or behind a user block as records have
// it (HDF5 File Format Specification 3.0, II.A: at 0, 512, 1024, 2048, …).
bool is_hdf5(const std::string& path);

// Whether a file is safetensors, as `.mbq` files are: a header of JSON behind its length of 8 bytes.
bool is_safetensors(const std::string& path);

}  // namespace minibert
