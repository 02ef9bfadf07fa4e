// Hash of maps from strings that are looked up by a view, without a copy; std::equal_to<> goes with it.
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
