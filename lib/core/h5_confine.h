// Confines the process that parses an HDF5 file from elsewhere.
#pragma once

#include <cstdint>
#include <string>

namespace minibert::h5 {

struct Confinement {
  bool landlock = false;  // Landlock: the kernel allows this one file, and no network
  bool seccomp = false;   // few system calls are allowed; none writes or starts a program
};

// Confines the calling process for good, as far as its kernel can: to `most_memory` more bytes than
// it has, to `most_seconds` of CPU time, and to reading `path`. The process has one thread.
Confinement confine(const std::string& path, int64_t most_memory, int64_t most_seconds);

}  // namespace minibert::h5
