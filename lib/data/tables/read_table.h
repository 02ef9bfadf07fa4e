// Reads a table whatever its form.
#pragma once

#include <string>

#include "data/tables/table.h"
#include "data/tables/text_encoding.h"

namespace minibert {

// Plain or compressed as open_bytes() reads it, in any encoding of decode_text().
// * Separated values: cells in double quotes may hold separators, line breaks and doubled quotes (RFC
//   4180); in a file with tabs quotes mean this only where the whole file keeps to it. Line ends may be
//   CRLF or CR. Cells beyond the header's are passed over while they are empty.
// * JSON: objects; {"a": {"b": 1}} is the column "a.b", and so is {"a": [{"b": [1]}]}; another list is its JSON text; an object's columns stand
//   in the order of their names. A list of objects may stand alone or as the only list of an object ("data").
//   An object of columns, and one of rows by their number, are read as pandas writes them.
// * A folder: every file in a folder named as the label is one text; hidden files are passed over, and files further
//   down counted.
// Rows without any text are left out and counted in the notes, but for those between others of a table that will be
// written again. Errors name file and line, what was
// found and expected: another number of cells, a quote that is never closed, broken JSON, no rows.
DataTable read_table(const std::string& path, const TableOptions& options = {});

// The same of a file that was read already; `path` is for messages.
DataTable table_of(const DecodedText& text, const std::string& path,
                   const TableOptions& options = {});

}  // namespace minibert
