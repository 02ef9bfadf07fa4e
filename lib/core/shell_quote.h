// Quotes words for a POSIX shell.
#pragma once

#include <string>

namespace minibert {

// Returns the text as one shell word in single quotes.
inline std::string shell_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// Returns the text as one shell word, with quotes only where the shell needs them.
inline std::string for_shell(const std::string& text) {
  const bool plain =
      !text.empty() && text.find_first_of(" \t\n'\"$`\\&|;()<>*?[]#~!{}") == std::string::npos;
  return plain ? text : shell_quoted(text);
}

}  // namespace minibert
