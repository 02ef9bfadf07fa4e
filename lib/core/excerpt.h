// What a message may quote of a file or an argument.
#pragma once

#include <string>
#include <string_view>

namespace minibert {

// Text as a message can hold it: bytes that are not UTF-8 become \xHH. A text beyond `limit` bytes is cut
// there, between characters, and ends with "…".
std::string excerpt(std::string_view text, size_t limit = 60);

}  // namespace minibert
