// Separated values to rows.
#pragma once

#include <string>

#include "data/tables/table.h"

namespace minibert {

// Fills columns, rows, header, format and notes of `table`, whose path is set, from its text. Errors as
// read_table says.
void read_separated(const std::string& text, const TableOptions& options, DataTable* table);

}  // namespace minibert
