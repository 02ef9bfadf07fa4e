// Downloads data files: resumes, checks, and puts them in place in one step.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "data/registry.h"

namespace minibert {

struct FetchOptions {
  std::string url;            // a folder's address to take the files from instead of their own
  int connect_timeout_s = 8;  // name look-up and connection together
  int stall_timeout_s = 30;   // without a byte
  // Called now and then with the file's name, the bytes there and the bytes to come in all (0 when
  // the server does not say).
  std::function<void(const std::string& name, uint64_t done, uint64_t total)> progress;
};

// Gets every file of the set that is missing or wrong into <data_dir>/<folder>/. An interrupted
// download stays as <file>.part and is resumed; the file gets its name only when its size and
// SHA-256, or the SHA-1 in the publisher's file of sums, are right. Throws Error naming the address
// and the reason: no address, no network within the time, an HTTP error, a wrong checksum, a folder
// that cannot be written.
void fetch(const Registry& registry, const DataSet& set, const std::string& data_dir,
           const FetchOptions& options);

// Makes a Fetcher for choose(), which tries once. It refuses at once a data set without addresses,
// a closed data directory and, after a first failure, every further data set. The registry must
// outlive it.
Fetcher automatic_fetcher(const Registry& registry, const FetchOptions& options);

}  // namespace minibert
