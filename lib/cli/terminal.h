// The width of a command's output.
#pragma once

#include <cstddef>
#include <optional>

namespace minibert {

// Returns the columns of the terminal on standard output, or nothing if it is none.
std::optional<size_t> terminal_columns();

}  // namespace minibert
