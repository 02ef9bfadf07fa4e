// Recognizes files that a system leaves in folders by itself, which are no data.
#pragma once

#include <string_view>

namespace minibert {

// Decides by the name without its folder: names with a leading dot (Unix, Finder, git) and names
// that Windows and macOS archives hide.
inline bool is_hidden(std::string_view name) {
  return name.starts_with('.') || name == "Thumbs.db" || name == "desktop.ini" ||
         name == "__MACOSX" || name.starts_with("~$");
}

}  // namespace minibert
