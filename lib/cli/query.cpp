// minibert query: asks stored runs an SQL question.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <memory>

#include "cli/commands.h"
#include "cli/stored_database.h"
#include "compare/table.h"
#include "core/error.h"
#include "core/shipped_files.h"
#include "core/shown_json.h"
#include "core/text.h"

namespace minibert {
namespace {

struct QueryArguments {
  std::string sql, results = "results", format = "table";
  std::vector<std::string> runs;
  bool schema = false;
};

constexpr double kWholeBelow = 1e15;  // a double has all digits of whole numbers up to here

// Tables show six digits, and whole numbers, such as counts, in full; CSV and JSON have all digits.
std::string cell_of(const nlohmann::json& value, bool all_digits) {
  if (value.is_null()) return "";
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_number_float() || all_digits) return value.dump();
  const double number = value.get<double>();
  if (std::trunc(number) == number && std::abs(number) < kWholeBelow) return fixed(number, 0);
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", number);
  return text;
}

void print(const QueryAnswer& answer, const std::string& format) {
  if (format == "json") {
    for (const std::string& name : answer.columns)
      if (std::ranges::count(answer.columns, name) > 1)
        throw usage_error("found several columns \"" + name +
                          "\", expected different ones for JSON: name them with AS");
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const auto& row : answer.rows) {
      nlohmann::ordered_json object = nlohmann::ordered_json::object();
      for (size_t i = 0; i < row.size(); ++i) object[answer.columns[i]] = row[i];
      rows.push_back(std::move(object));
    }
    std::cout << shown_json(rows) << "\n";
    return;
  }
  if (format == "csv") {
    const auto line = [](const std::vector<std::string>& cells) {
      std::vector<std::string> fields;
      for (const std::string& cell : cells) fields.push_back(csv_field(cell));
      std::cout << joined(fields, ",") << "\n";
    };
    line(answer.columns);
    for (const auto& row : answer.rows) {
      std::vector<std::string> cells;
      for (const auto& value : row) cells.push_back(cell_of(value, true));
      line(cells);
    }
    return;
  }
  Table table;
  for (size_t i = 0; i < answer.columns.size(); ++i) {
    bool numbers = true;
    for (const auto& row : answer.rows) numbers = numbers && !row[i].is_string();
    table.columns.push_back({answer.columns[i], numbers});
  }
  for (const auto& row : answer.rows) {
    auto& cells = table.rows.emplace_back();
    for (const auto& value : row) cells.push_back(cell_of(value, false));
  }
  std::cout << (format == "markdown" ? markdown_table(table) : plain_table(table));
}

void query(const QueryArguments& arguments) {
  if (arguments.sql.empty() != arguments.schema)
    throw usage_error("expected one of SELECT … and --schema");
  const auto database = stored_database(arguments.runs, arguments.results);
  if (arguments.schema) {
    std::cout << database->schema();
    return;
  }
  try {
    print(database->ask(arguments.sql), arguments.format);
  } catch (const Error& error) {
    const std::string message = error.what();
    if (!message.starts_with("no such ")) throw;
    throw Error(message + " (`minibert query --schema` lists tables and columns)", error.kind());
  }
}

}  // namespace

void add_query(CLI::App& app) {
  auto arguments = std::make_shared<QueryArguments>();
  CLI::App* command = app.add_subcommand(
      "query",
      "ask stored runs in SQL: tables runs, config, environment, data, metrics, predictions");
  command->add_option("SELECT", arguments->sql,
                      "SQL, as \"SELECT arm, avg(f1) FROM runs GROUP BY arm\"");
  auto* results = command->add_option("--results", arguments->results, "where runs are stored")
                      ->capture_default_str();
  command->add_option("--runs", arguments->runs, "these records, separated by commas, instead")
      ->delimiter(',')
      ->transform(shipped_path)
      ->excludes(results);
  command->add_option("--format", arguments->format, "table, json, csv or markdown")
      ->check(CLI::IsMember({"table", "json", "csv", "markdown"}))
      ->capture_default_str();
  command->add_flag("--schema", arguments->schema, "print the tables and their columns instead");
  command->callback([arguments] { query(*arguments); });
}

}  // namespace minibert
