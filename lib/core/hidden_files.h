// Files that a system leaves in folders of its own accord, and that are nobody's data.
#pragma once

#include <string_view>

namespace minibert {

// By its name without the folder: what begins with a dot (Unix, Finder, git), and what Windows and
// archives of macOS hide.
inline bool is_hidden(std::string_view name) {
  return name.starts_with('.') || name == "Thumbs.db" || name == "desktop.ini" ||
         name == "__MACOSX" || name.starts_with("~$");
}

}  // namespace minibert
