#include "cli/stored_database.h"

#include <iostream>

#include "compare/compare.h"

namespace minibert {

std::unique_ptr<RecordDatabase> stored_database(std::vector<std::string> records,
                                                const std::string& results) {
  if (!records.empty()) return std::make_unique<RecordDatabase>(records, nullptr);
  for (const auto& folder : find_runs(results, "", ""))
    records.insert(records.end(), folder.begin(), folder.end());
  std::vector<std::string> warnings;
  auto database = std::make_unique<RecordDatabase>(records, &warnings);
  for (const std::string& warning : warnings) std::cerr << "warning: " << warning << "\n";
  return database;
}

}  // namespace minibert
