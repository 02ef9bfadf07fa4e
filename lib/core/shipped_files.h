// What comes with the program, for one that is not run in its own folder.
#pragma once

#include <string>

namespace minibert {

// Tells once, before any other thread runs, where the program's files are: the top folder of its sources.
void set_shipped_folder(const std::string& folder);

// Where a file or folder is that a path names from the top folder, as experiments/datasets.json: from the current folder,
// where it is there; else from the program's, where it is there; else the path as it is. Only to read from.
std::string shipped_path(const std::string& path);

}  // namespace minibert
