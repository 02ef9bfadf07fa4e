// Labelled files as a command is given them.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "data/files/file_source.h"

namespace minibert {

struct FileOptions {
  std::vector<std::string> train, dev, test;
  std::vector<std::string> columns;  // KEY=VALUE

  // The same keys as "data" of an experiment has. Throws a usage Error that names the key.
  FileSource source() const;
};

// Whether --data or the like names a file or folder and no data set of the registry, whose ids have no path's
// letters. Throws Error for a path where nothing is.
bool is_file_name(const std::string& name);

// Adds --column KEY=VALUE.
void add_columns(CLI::App& command, FileOptions* options);

}  // namespace minibert
