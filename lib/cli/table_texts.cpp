#include "cli/table_texts.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "core/error.h"
#include "core/text.h"
#include "data/own/columns.h"
#include "data/own/own_labelled.h"
#include "data/own/own_questions.h"
#include "data/own/own_tagged.h"
#include "data/questions/korquad.h"
#include "data/tables/json_rows.h"
#include "data/tables/read_table.h"
#include "data/tables/text_encoding.h"
#include "data/tables/usual_columns.h"
#include "data/tables/write_table.h"
#include "record/run_record.h"
#include "task/all/export_run.h"
#include "text/python_text.h"

namespace minibert {
namespace {

constexpr char kPair[] = "pair";

const std::vector<std::string_view>& usual_columns_of(const std::string& key) {
  if (key == kPair) return usual_second_columns();
  if (key == "question") return usual_question_columns();
  if (key == "context") return usual_context_columns();
  return usual_text_columns();
}

bool says_columns(const TableTexts& wanted) {
  return std::ranges::any_of(wanted.columns,
                             [](const auto& column) { return !column.second.empty(); });
}

// The run's names of a key's columns.
std::vector<std::string> learnt_names(const OwnColumns& learnt, const std::string& key) {
  if (key == "text") return learnt.text;
  const std::string& name = key == kPair        ? learnt.pair
                            : key == "question" ? learnt.question
                                                : learnt.context;
  return name.empty() ? std::vector<std::string>() : std::vector{name};
}

// Throws a usage Error where every cell of a column is a list of words, which is no text.
void refuse_lists_of_words(const DataTable& table, size_t column) {
  const bool all = std::ranges::all_of(table.rows, [&](const TableRow& row) {
    const std::string_view cell = strip(row.cells[column]);
    if (cell.empty()) return true;
    const auto list =
        cell.starts_with('[') ? nlohmann::json::parse(cell, nullptr, false) : nlohmann::json();
    return list.is_array() && !list.empty() &&
           std::ranges::all_of(list, [](const auto& word) { return word.is_string(); });
  });
  if (!all) return;
  const std::string& name = table.columns[column];
  const std::string join = ".text = (.\"" + name + "\" | join(\" \"))";
  const bool lines = table.format == "JSON lines";
  throw usage_error(table.path + ": found lists of words in \"" + name + "\", expected texts" +
                    (lines || table.format == "JSON"
                         ? "; they are made by: jq " +
                               (lines ? "-c '" + join : "'map(" + join + ")") + "' '" + table.path +
                               "' > texts.json" + (lines ? "l" : "")
                         : ""));
}

// The columns of the keys, of a text as many as the run joined; none for a pair that the table has not.
std::vector<std::vector<size_t>> find(const TableTexts& wanted, const DataTable& table) {
  std::vector<std::vector<size_t>> out;
  std::vector<std::string> told, guessed;
  const bool named = says_columns(wanted);
  const OwnColumns learnt = named ? OwnColumns() : learnt_there(wanted.learnt, table);
  for (const auto& [key, name] : wanted.columns) {
    std::vector<size_t>& at = out.emplace_back();
    if (const auto names = learnt_names(learnt, key); !names.empty()) {
      for (const std::string& one : names) at.push_back(table.column(one));
      told.push_back(key + " \"" + joined(names, " ") + "\"");
      continue;
    }
    std::string column = name;
    const bool may_lack = key == kPair && (named || !learnt.text.empty());
    if (column.empty() && !may_lack) column = usual_among(usual_columns_of(key), table.columns);
    if (column.empty() && key == "text") column = usual_among(usual_first_columns(), table.columns);
    if (column.empty() && key == "text") column = only_text_column(table);
    if (column.empty() && key != kPair)
      throw usage_error(table.path + ": found the columns " + joined(table.columns) +
                        ", expected --" + key + " to name one of them");
    if (!column.empty()) at.push_back(table.column(column));
    if (key == "text") refuse_lists_of_words(table, at.front());
    if (!column.empty() && name.empty()) guessed.push_back(key + " \"" + column + "\"");
  }
  if (!guessed.empty() && table.columns.size() > 1)
    spdlog::info("{}: {}, among {}", table.path, joined(guessed), joined(table.columns));
  if (!told.empty()) spdlog::info("{}: {}, as in the files of the run", table.path, joined(told));
  return out;
}

bool wants_questions(const TableTexts& wanted) {
  return std::ranges::any_of(wanted.columns,
                             [](const auto& one) { return one.first == "question"; });
}

// SQuAD's and KorQuAD's JSON, a row a question.
DataTable table_of_questions(const std::string& path) {
  const KorquadSet set = read_questions(path);
  DataTable table;
  table.path = path;
  table.format = "SQuAD's JSON";
  table.encoding = "UTF-8";
  table.columns = {"id", "title", "question", "context", "answer"};
  table.notes = set.notes();
  for (const KorquadParagraph& paragraph : set.paragraphs)
    for (const KorquadQuestion& one : paragraph.questions)
      table.rows.push_back({{one.id, paragraph.title, one.question, paragraph.context, one.answer},
                            table.rows.size() + 1});
  return table;
}

DataTable read_texts(const TableTexts& wanted) {
  TableOptions options;
  options.keep_objects = is_json_lines(wanted.out);
  options.rewritten = true;
  for (const auto& [key, name] : wanted.columns)
    if (!name.empty()) options.wanted.push_back(name);
  const bool named = says_columns(wanted);
  // Numbers name columns of files without a header, and whether this one has one is not known.
  for (const auto& [key, name] : wanted.columns)
    for (const std::string& learnt : learnt_names(wanted.learnt, key))
      if (!named && !is_number(learnt)) options.wanted.push_back(learnt);
  if (std::filesystem::is_directory(wanted.in)) return read_table(wanted.in, options);
  if (wants_questions(wanted) && is_question_json(wanted.in)) return table_of_questions(wanted.in);
  const DecodedText text = read_decoded(wanted.in);
  if (!named && looks_like_words(text.text))
    throw usage_error(
        wanted.in +
        ": found words with tags, one a line, expected a text a line or row: the words "
        "of a sentence with spaces between" +
        (looks_tagged(text.text) ? "; such a file is measured by evaluate --data" : ""));
  return table_of(text, wanted.in, options);
}

struct UsedRows {
  std::vector<AddedCells> added;     // of every row; empty where it stays as it is
  std::vector<std::string> lacking;  // which rows have not what the command needs
  std::vector<std::string> unread;   // which rows the model cannot read, and why
};

// Calls `use` with the cells of every row at these columns.
UsedRows use_rows(const DataTable& table, const std::vector<std::vector<size_t>>& at,
                  const std::function<AddedCells(const std::vector<std::string>&)>& use) {
  UsedRows out;
  for (const TableRow& row : table.rows) {
    std::vector<std::string> cells;
    for (const std::vector<size_t>& columns : at) {
      std::string& cell = cells.emplace_back();
      for (const size_t column : columns)
        cell += (cell.empty() ? "" : " ") + std::string(strip(row.cells[column]));
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

// The names of new columns, with "_2" behind one that a column or an object's own key has: an object under a key is the
// columns "key.…" and none of the key's name.
std::vector<std::string> free_names(const DataTable& table, const AddedCells& added) {
  std::set<std::string> taken(table.columns.begin(), table.columns.end());
  for (const std::string& text : table.objects) {
    const nlohmann::json object = nlohmann::json::parse(text);
    for (const auto& [key, value] : object.items()) taken.insert(key);
  }
  std::vector<std::string> out;
  for (const AddedCell& cell : added) {
    std::string free = cell.column;
    while (!taken.insert(free).second) free += "_2";
    out.push_back(free);
  }
  return out;
}

// Writes the table with new columns, called `names`; `like` is a row that has them all. The table's objects, where it has
// some, stay as they are, but for these.
void write_added(const std::string& path, const DataTable& table,
                 const std::vector<std::string>& names, const std::vector<AddedCells>& added,
                 const AddedCells& like) {
  const bool objects = !table.objects.empty();
  std::vector<std::string> columns = objects ? std::vector<std::string>() : table.columns;
  JsonColumns json;
  for (size_t i = 0; i < like.size(); ++i)
    if (like[i].is_json) json.insert(columns.size() + i);
  columns.insert(columns.end(), names.begin(), names.end());
  std::vector<std::vector<std::string>> rows;
  for (size_t r = 0; r < table.rows.size(); ++r) {
    rows.push_back(objects ? std::vector<std::string>() : table.rows[r].cells);
    for (const AddedCell& cell : added[r]) rows.back().push_back(cell.text);
    rows.back().resize(columns.size());
  }
  if (objects)
    write_objects(path, table.objects, columns, rows, json);
  else
    write_table(path, columns, rows, json);
}

}  // namespace

void add_table_texts(CLI::App& command, const std::vector<std::string>& keys, TableTexts* table) {
  auto* in = command.add_option("--in", table->in,
                                "a table of texts (CSV, TSV, JSON lines, …) in place of TEXT");
  command.add_option("--out", table->out, "the table with what was found beside it")->needs(in);
  for (const std::string& key : keys) table->columns.emplace_back(key, "");
  for (auto& [key, column] : table->columns)
    if (command.get_option_no_throw("--" + key) == nullptr)
      command.add_option("--" + key, column, "with --in: the column of the " + key)->needs(in);
}

OwnColumns learnt_columns(const std::string& run) {
  if (is_model_file(run)) return {};
  const nlohmann::json config = load_record(run, Load::summary).config;
  const auto data = config.find("data");
  if (data == config.end() || !data->is_object()) return {};
  ConfigReader reader(*data, run, "/config/data");
  return read_own_source(reader).columns;
}

OwnColumns learnt_there(const OwnColumns& learnt, const DataTable& table) {
  const auto has = [&](const std::string& name) {
    return std::ranges::find(table.columns, name) != table.columns.end();
  };
  if (!std::ranges::all_of(learnt.text, has)) return {};
  OwnColumns out = learnt;
  for (std::string* name : {&out.pair, &out.question, &out.context})
    if (!has(*name)) name->clear();
  if (!std::ranges::all_of(learnt.choices, has)) out.choices.clear();
  return out;
}

void for_each_row(const TableTexts& wanted,
                  const std::function<AddedCells(const std::vector<std::string>&)>& use,
                  const std::string& needs) {
  if (wanted.out.empty()) throw usage_error("--out: missing, expected a file to write with --in");
  std::error_code ignored;
  if (std::filesystem::equivalent(wanted.in, wanted.out, ignored))
    throw usage_error("--out: found the file of --in, expected another");
  check_table_path(wanted.out);
  const DataTable table = read_texts(wanted);
  const std::vector<std::vector<size_t>> at = find(wanted, table);
  spdlog::info("{}", described(table));
  for (const std::string& note : table.notes) spdlog::info("{}: {}", table.path, note);
  const UsedRows used = use_rows(table, at, use);
  const auto any = std::ranges::find_if_not(used.added, &AddedCells::empty);
  if (any == used.added.end())
    throw usage_error(used.unread.empty()
                          ? table.path + ": found no row with " + needs + ", expected some"
                          : used.unread.front());
  write_added(wanted.out, table, free_names(table, *any), used.added, *any);
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
