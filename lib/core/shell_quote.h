// Words for a POSIX shell.
#pragma once

#include <string>

namespace minibert {

// The text as one word that no shell changes: in single quotes.
inline std::string shell_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace minibert
