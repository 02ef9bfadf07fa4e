// Cells that say when.
#pragma once

#include <string_view>

namespace minibert {

// Whether a cell has no word in it, but for such as say when: "12,000", "2024-01-01", "24/01/01 13:05", "2024년 1월 1일
// (월) 오후 1:05", "Jan 1, 2024", "2024-01-01T13:05:22Z", "3시간 전", "어제".
bool is_wordless(std::string_view cell);

// Whether a cell says a day or a time of day, and no more: these of is_wordless(), "08:30" and "2024.1.1.", but no
// number, and neither "3월" nor "월요일", which are names of many days.
bool is_time(std::string_view cell);

}  // namespace minibert
