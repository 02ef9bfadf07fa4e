// Edits of a run record that no writer of ours makes, chosen by a fuzzer's bytes: through HDF5 itself,
// so that what comes out is a valid HDF5 file with another content.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace minibert::test {

// Up to sixteen edits of the file at `path`: objects and attributes taken away, or put there with
// another type, shape, filter or value; links that loop or lead out; groups in groups.
void edit_record(const std::string& path, const uint8_t* data, size_t size);

}  // namespace minibert::test
