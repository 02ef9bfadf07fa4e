// Lists and dictionaries that Python wrote into cells.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "data/tables/table.h"

namespace minibert {

// "['가', '나']", "{'text': array(['가'], dtype=object)}" and NumPy's "['가' '나']" as JSON, as pandas' to_csv writes what
// a column holds; JSON itself, too. Null: it is neither a list nor a dictionary.
nlohmann::json python_value(std::string_view cell);

// Answers that all are such: a list of Python becomes JSON, and of a dictionary each key a column behind the others, as
// of JSON ("answers.text"). Notes it. Throws Error naming the row of a column "answers" with a dictionary that is not understood.
void read_python_cells(DataTable* table);

}  // namespace minibert
