// Downloads data files: resumes, checks, and puts them in place in one step.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "data/registry.h"

namespace minibert {

struct FetchOptions {
  std::string url;            // address of a folder that replaces the files' own addresses
  int connect_timeout_s = 8;  // name look-up and connection together
  int stall_timeout_s = 30;   // without a byte
  // Called at times with the file's name, the bytes so far and in all (0: unknown).
  std::function<void(const std::string& name, uint64_t done, uint64_t total)> progress;
};

// Downloads every missing or wrong file of the set to <data_dir>/<folder>/. An interrupted download
// stays as <file>.part and is resumed. A file gets its name only after its size and SHA-256 have
// matched. Throws Error naming the address and the reason: no address, no network within the time,
// an HTTP error, a wrong checksum, a folder that cannot be written.
void fetch(const Registry& registry, const DataSet& set, const std::string& data_dir,
           const FetchOptions& options);

// Makes a Fetcher for choose(), which tries once. It refuses at once a data set without addresses,
// a read-only data directory and, after a failure, every other set. The registry must outlive it.
Fetcher automatic_fetcher(const Registry& registry, const FetchOptions& options);

}  // namespace minibert
