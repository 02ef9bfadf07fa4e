// Options for labelled files.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "data/files/file_source.h"

namespace minibert {

struct FileOptions {
  std::vector<std::string> train, dev, test;
  std::vector<std::string> columns;  // KEY=VALUE

  // Returns the keys of an experiment's "data". Throws a usage Error naming the key.
  FileSource source() const;
};

// Returns true if the argument of --data names an existing file or folder, false for the id of a
// data set. Throws Error for a missing path, which has a "/" or ".".
bool is_file_name(const std::string& name);

// Adds --column KEY=VALUE.
void add_columns(CLI::App& command, FileOptions* options);

}  // namespace minibert
