// A hash for maps with string keys that look up views without a copy; use it with std::equal_to<>.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

namespace minibert {

struct TextHash {
  using is_transparent = void;
  size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};

}  // namespace minibert
