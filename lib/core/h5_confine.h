// What the process that reads a file of others may still do.
#pragma once

#include <cstdint>
#include <string>

namespace minibert::h5 {

struct Confinement {
  bool landlock = false;  // no file but the one, and no network, by the kernel's Landlock
  bool seccomp = false;   // few system calls, nothing for writing or starting programs
};

// Confines the calling process for good, as far as its kernel can: to `most_memory` bytes more than it
// has, to `most_seconds` of computing, to reading the file at `path`. For a process with one thread.
Confinement confine(const std::string& path, int64_t most_memory, int64_t most_seconds);

}  // namespace minibert::h5
