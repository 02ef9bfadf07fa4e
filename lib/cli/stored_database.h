// The database of stored runs for commands that query or write it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "export/record_database.h"

namespace minibert {

// Returns the database of `records`, or without any of all records below the folder `results`;
// unreadable ones are left out with a warning on stderr. Throws like RecordDatabase and find_runs.
std::unique_ptr<RecordDatabase> stored_database(std::vector<std::string> records,
                                                const std::string& results);

}  // namespace minibert
