// Which rows of a table name its columns.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/tables/table.h"

namespace minibert {

// How the first row is known to name the columns.
enum class Header { none, by_name, by_difference };

struct NamingRow {
  size_t index = 0;
  Header how = Header::none;  // none: there is no such row
};

// The row that names the columns: the first, or one below rows that have fewer cells filled, as a title has. `wanted`:
// names that somebody asks for, which settle it; where all are numbers there is no such row.
NamingRow find_header(const std::vector<TableRow>& rows, const std::vector<std::string>& wanted);

// Whether the row below a header, the first of `rows`, names the columns that cells merged above them leave empty, and
// these alone: "번호,설문,,비고" above ",문장,라벨,".
bool names_more(std::span<const TableRow> rows);

// The names of two such rows, the lower where there is one; of names that are the same with what stands above.
std::vector<std::string> names_of_both(const TableRow& above, const TableRow& below);

// A cell as the name of a column: composed, without spaces around it.
std::string column_name(std::string_view cell);

// Whether two rows say the same, but for spaces around cells and empty cells at the end.
bool are_equal(const TableRow& one, const TableRow& other);

}  // namespace minibert
