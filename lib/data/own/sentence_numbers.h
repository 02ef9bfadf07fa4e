// Numbers before the sentences of a worksheet.
#pragma once

#include <string>
#include <vector>

namespace minibert {

// Cuts "1. ", "2) ", "(3) ", "[4] ", "⑤ " and "Q6. " off the first text of each row, where at least half of the rows have
// them and they go up; a dash or dot before each likewise. False: there are none.
bool cut_numbers(std::vector<std::vector<std::string>>* rows);

}  // namespace minibert
