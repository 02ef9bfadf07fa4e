// JSON lines and JSON lists of objects to rows.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "data/tables/table.h"

namespace minibert {

// Reads them into columns, rows and format of `table`, whose path is set; false, with nothing read,
// where the text is no JSON and the file's name does not say that it were. A list under the name of JSON lines is a
// list. Errors as read_table says.
bool read_json_rows(const std::string& text, DataTable* table);

// Whether a file's name says JSON lines: .jsonl or .ndjson, perhaps compressed.
bool is_json_lines(const std::string& path);

// Is it what SQuAD and KorQuAD are: "data" with questions in it?
bool holds_questions(const nlohmann::json& document);

}  // namespace minibert
