// The database of stored runs that commands ask or write.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "export/record_database.h"

namespace minibert {

// The database of `records`. Where there are none it is of all below the folder `results`; what cannot be read
// of them is left out, with a warning on stderr. Throws as RecordDatabase and find_runs do.
std::unique_ptr<RecordDatabase> stored_database(std::vector<std::string> records,
                                                const std::string& results);

}  // namespace minibert
