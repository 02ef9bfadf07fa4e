// How wide what a command prints may be.
#pragma once

#include <cstddef>
#include <optional>

namespace minibert {

// Columns of the terminal that standard output is; nothing where it is none.
std::optional<size_t> terminal_columns();

}  // namespace minibert
