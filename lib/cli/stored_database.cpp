#include "cli/stored_database.h"

#include <iostream>

#include "compare/compare.h"
#include "core/shipped_files.h"

namespace minibert {

std::unique_ptr<RecordDatabase> stored_database(std::vector<std::string> records,
                                                const std::string& results) {
  if (!records.empty()) return std::make_unique<RecordDatabase>(records, nullptr);
  for (const auto& folder : find_runs(shipped_path(results), "", ""))
    records.insert(records.end(), folder.begin(), folder.end());
  return std::make_unique<RecordDatabase>(
      records, [](const std::string& warning) { std::cerr << "warning: " << warning << "\n"; });
}

}  // namespace minibert
