#include "cli/table_texts.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "core/config_reader.h"
#include "core/error.h"
#include "core/text.h"
#include "data/files/columns.h"
#include "data/files/write_table.h"
#include "data/registry.h"
#include "record/run_record.h"
#include "task/all/export_run.h"

namespace minibert {
namespace {

constexpr char kPair[] = "pair", kText[] = "text";

using Names = std::vector<std::string>;

// The run's columns of a key, where the table has them all.
Names learnt_names(const TableLayout& learnt, const std::string& key, const FileTable& table) {
  Names names = key == kText ? learnt.text : Names();
  if (key == kPair && !learnt.pair.empty()) names = {learnt.pair};
  const bool there = std::ranges::all_of(
      names, [&](const std::string& name) { return std::ranges::count(table.columns, name) > 0; });
  return there ? names : Names();
}

// Returns the usual columns of a key; empty if it has none.
Names usual_names(const std::string& key, const FileTable& table) {
  if (key == kText) return with_usual_columns(table, {}).text;
  if (key == kPair) {
    const std::string pair = with_usual_columns(table, {}).pair;
    return pair.empty() ? Names() : Names{pair};
  }
  const Names usual = key == "question" ? Names{"question", "질문"} : Names{"context", "지문"};
  for (const std::string& name : usual)
    if (std::ranges::count(table.columns, name) > 0) return {name};
  return {};
}

// The columns of the keys, of a text as many as the run joined; none for a pair that the table has not.
std::vector<std::vector<size_t>> find(const TableTexts& wanted, const FileTable& table) {
  std::vector<std::vector<size_t>> out;
  Names told;
  const bool named =
      std::ranges::any_of(wanted.columns, [](const auto& one) { return !one.second.empty(); });
  for (const auto& [key, name] : wanted.columns) {
    Names names = name.empty() ? Names() : Names{name};
    // Who names the text says that there is no pair.
    if (names.empty() && !(named && key == kPair)) {
      names = learnt_names(wanted.learnt, key, table);
      if (names.empty()) names = usual_names(key, table);
      if (!names.empty()) told.push_back(key + " \"" + joined(names, " ") + "\"");
    }
    if (names.empty() && key != kPair)
      throw usage_error(table.path + ": found the columns " + joined(table.columns) +
                        ", expected --" + key + " to name one of them");
    std::vector<size_t>& at = out.emplace_back();
    for (const std::string& one : names) at.push_back(table.column(one));
  }
  if (!told.empty() && table.columns.size() > 1)
    spdlog::info("{}: {}, among {}", table.path, joined(told), joined(table.columns));
  return out;
}

struct UsedRows {
  std::vector<AddedCells> added;     // of every row; empty where it stays as it is
  std::vector<std::string> lacking;  // which rows have not what the command needs
  std::vector<std::string> unread;   // which rows the model cannot read, and why
};

// Calls `use` with the cells of every row at these columns.
UsedRows use_rows(const FileTable& table, const std::vector<std::vector<size_t>>& at,
                  const std::function<AddedCells(const std::vector<std::string>&)>& use) {
  UsedRows out;
  for (const TableRow& row : table.rows) {
    std::vector<std::string> cells;
    for (const std::vector<size_t>& columns : at) {
      std::string& cell = cells.emplace_back();
      for (const size_t column : columns)
        cell += (cell.empty() ? "" : " ") + std::string(trimmed(row.cells[column]));
    }
    AddedCells& added = out.added.emplace_back();
    try {
      if (!cells.front().empty()) added = use(cells);
      if (added.empty()) out.lacking.push_back(table.where(row));
    } catch (const Error& error) {
      const std::string wrong = table.where(row) + ": " + error.what();
      if (error.kind() != ErrorKind::usage) throw Error(wrong, error.kind());
      out.unread.push_back(wrong);
    }
  }
  return out;
}

const char* as_it_is(const std::vector<std::string>& rows) {
  return rows.size() == 1 ? "it is" : "they are";
}

// Writes the table with new columns, named as in `like`, a row with all of them; a taken name gets
// "_2". Objects of a JSON table stay, with the new keys.
void write_added(const std::string& path, const FileTable& table,
                 const std::vector<AddedCells>& added, const AddedCells& like) {
  const bool objects = !table.objects.empty() && is_json_lines(path);
  Names columns = objects ? Names() : table.columns;
  std::set<std::string> taken(table.columns.begin(), table.columns.end());
  JsonColumns json;
  for (const AddedCell& cell : like) {
    if (cell.is_json) json.insert(columns.size());
    std::string free = cell.column;
    while (!taken.insert(free).second) free += "_2";
    columns.push_back(free);
  }
  std::vector<Names> rows;
  for (size_t r = 0; r < table.rows.size(); ++r) {
    rows.push_back(objects ? Names() : table.rows[r].cells);
    for (const AddedCell& cell : added[r]) rows.back().push_back(cell.text);
    rows.back().resize(columns.size());
  }
  write_table(path, columns, rows, json, objects ? table.objects : Names());
}

}  // namespace

void add_table_texts(CLI::App& command, const std::vector<std::string>& keys, TableTexts* table) {
  auto* in = command.add_option("--in", table->in,
                                "table of texts instead of TEXT (CSV, TSV, JSON lines)");
  command.add_option("--out", table->out, "the table with what was found beside it")->needs(in);
  for (const std::string& key : keys) table->columns.emplace_back(key, "");
  for (auto& [key, column] : table->columns)
    if (command.get_option_no_throw("--" + key) == nullptr)
      command.add_option("--" + key, column, "with --in: the column of the " + key)->needs(in);
}

TableLayout learnt_layout(const std::string& run) {
  if (is_model_file(run)) return {};
  const nlohmann::json config = load_record(run, Load::summary).config;
  const nlohmann::json data = config.value("data", nlohmann::json());
  if (data.is_object() && data.contains("train")) {
    ConfigReader reader(data, run, "/config/data");
    return read_file_source(reader).table;
  }
  const std::string id = config.value("data_id", "");
  const Registry registry = Registry::load();
  const bool known = std::ranges::count(registry.ids(), id) > 0;
  return known ? registry.at(id).table.value_or(TableLayout()) : TableLayout();
}

void for_each_row(const TableTexts& wanted,
                  const std::function<AddedCells(const std::vector<std::string>&)>& use,
                  const std::string& needs) {
  if (wanted.out.empty()) throw usage_error("--out: missing, expected a file to write with --in");
  std::error_code ignored;
  if (std::filesystem::equivalent(wanted.in, wanted.out, ignored))
    throw usage_error("--out: found the file of --in, expected another");
  check_table_path(wanted.out);
  const FileTable table = read_table(wanted.in, {.keep_blank = true});
  const std::vector<std::vector<size_t>> at = find(wanted, table);
  spdlog::info("{}", table.described());
  const UsedRows used = use_rows(table, at, use);
  const auto any = std::ranges::find_if_not(used.added, &AddedCells::empty);
  if (any == used.added.end())
    throw usage_error(used.unread.empty()
                          ? table.path + ": found no row with " + needs + ", expected some"
                          : used.unread.front());
  write_added(wanted.out, table, used.added, *any);
  if (!used.lacking.empty())
    spdlog::warn("{}: {} without {}: left as {} (the first: {})", table.path,
                 count_of(used.lacking.size(), "row", "rows"), needs, as_it_is(used.lacking),
                 used.lacking.front());
  if (!used.unread.empty())
    spdlog::warn("{}: {} cannot be read: left as {} (the first: {})", table.path,
                 count_of(used.unread.size(), "row", "rows"), as_it_is(used.unread),
                 used.unread.front());
}

}  // namespace minibert
