// Quotes parts of files and arguments in messages.
#pragma once

#include <string>
#include <string_view>

namespace minibert {

// Returns `text` in a form that a message can hold: bytes that are not UTF-8 become \xHH. A text
// longer than `limit` bytes ends with "…" before the first character at or after `limit`.
std::string excerpt(std::string_view text, size_t limit = 60);

}  // namespace minibert
