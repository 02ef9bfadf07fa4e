// Small things done to words.
#pragma once

#include <string>
#include <vector>

namespace minibert {

// "a, b, c"
inline std::string joined(const std::vector<std::string>& words,
                          const std::string& between = ", ") {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : between) + word;
  return out;
}

}  // namespace minibert
