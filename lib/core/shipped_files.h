// Finds files that come with the program, from whatever folder it runs.
#pragma once

#include <string>

namespace minibert {

// Sets the program's folder: the top folder of its sources. Call it once, before other threads run.
void set_shipped_folder(const std::string& folder);

// Finds a file or folder by its path from the top folder, such as experiments/datasets.json: in the
// current folder if it exists there, else in the program's; returns the path unchanged if it is in
// neither. For reading only.
std::string shipped_path(const std::string& path);

}  // namespace minibert
