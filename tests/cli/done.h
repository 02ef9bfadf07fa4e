// Runs commands that must succeed, and reads their output.
#pragma once

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "core/files.h"
#include "support/program.h"

namespace minibert::testing {

inline std::string done(const std::string& arguments) {
  const auto result = run_program(arguments);
  INFO(arguments << "\n" << result.err);
  REQUIRE(result.status == 0);
  return result.out;
}

// Returns the objects of JSON lines.
inline std::vector<nlohmann::json> rows_of(const std::string& path) {
  std::vector<nlohmann::json> rows;
  std::istringstream lines(read_file(path));
  for (std::string line; std::getline(lines, line);) rows.push_back(nlohmann::json::parse(line));
  return rows;
}

}  // namespace minibert::testing
