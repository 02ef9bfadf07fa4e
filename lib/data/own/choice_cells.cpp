#include "data/own/choice_cells.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "core/error.h"
#include "core/excerpt.h"
#include "core/text.h"
#include "data/own/choice_answers.h"
#include "data/own/label_cells.h"
#include "data/own/numbered_cells.h"
#include "data/tables/python_cells.h"
#include "data/tables/usual_columns.h"
#include "text/composed.h"
#include "text/python_text.h"

namespace minibert {
namespace {

// 보기 stands last: beside 선택지 it is what a question refers to.
constexpr const char* kStems[] = {"choice", "choices", "option",      "options",
                                  "ending", "endings", "alternative", "candidate",
                                  "선택지", "선지",    "답지",        "보기"};
// What stands before numbers or letters alone, where the cells are alternatives, too: answerA, sol1, opa.
constexpr std::string_view kNumberedStems[] = {"", "answer", "ans", "sol", "op"};
constexpr std::string_view kNumber = "번", kCircled = "①";

std::string plain(std::string_view name) {
  std::string out = plain_name(name);
  std::erase_if(out, [](char c) { return c == '_' || c == '#'; });
  return out;
}

// The columns `stem` + first, `stem` + the next, … as the table writes them, be it with 번 behind a number or, below a
// key of JSON, a dot before it.
std::vector<std::string> counted(const DataTable& table, std::string_view stem,
                                 std::string_view first) {
  std::vector<std::string> out;
  for (size_t i = 0; i < kMostChoices; ++i) {
    const std::string place = place_from(first, i), wanted = std::string(stem) + place;
    const auto is_wanted = [&](const std::string& name) {
      return name == wanted || name == wanted + std::string(kNumber) ||
             (!stem.empty() && name == std::string(stem) + "." + place);
    };
    size_t found = 0;
    while (found < table.columns.size() &&
           (!is_wanted(plain(table.columns[found])) || table.is_unnamed(found)))
      ++found;
    if (found == table.columns.size()) break;
    out.push_back(table.columns[found]);
  }
  return out.size() > 1 ? out : std::vector<std::string>();
}

// Of names that are numbers or letters alone: two cells of every row are filled and none behind an empty one, with more
// than yes and no, and no two in a row are equal, as what two people A and B judge is.
bool hold_alternatives(const DataTable& table, const std::vector<std::string>& columns) {
  std::vector<size_t> places;
  for (const std::string& name : columns) places.push_back(table.column(name));
  bool flags = true;
  for (const TableRow& row : table.rows) {
    std::vector<std::string> cells;
    for (const size_t column : places) {
      cells.push_back(row.cells[column]);
      flags = flags && (strip(cells.back()).empty() || flag_of(cells.back()));
    }
    while (!cells.empty() && strip(cells.back()).empty()) cells.pop_back();
    if (cells.size() < 2 || have_equal(cells)) return false;
    for (const std::string& cell : cells)
      if (strip(cell).empty()) return false;
  }
  return !flags;
}

struct Labelled {
  std::vector<std::string> texts, labels;
};

// The alternatives of a list of objects, as [{"label": "A", "text": "서울"}, …], or of an object of lists, as
// {"text": ["서울", …], "label": ["A", …]}, and their labels. Nothing: a cell is none.
std::optional<Labelled> labelled_in(std::string_view cell) {
  static constexpr const char* kTexts[] = {"text", "content", "value", "내용"};
  static constexpr const char* kLabels[] = {"label", "id", "key", "번호"};
  const nlohmann::json value = python_value(cell);
  const auto member = [](const nlohmann::json& object, const auto& names) -> const nlohmann::json* {
    for (const char* name : names)
      if (object.is_object() && object.contains(name)) return &object.at(name);
    return nullptr;
  };
  const auto is_text = [](const nlohmann::json& one) { return one.is_string() || one.is_number(); };
  const auto written = [](const nlohmann::json& one) {
    return one.is_string() ? std::string(strip(one.get<std::string>())) : one.dump();
  };
  Labelled out;
  if (value.is_object()) {
    const nlohmann::json *texts = member(value, kTexts), *labels = member(value, kLabels);
    if (texts == nullptr || !texts->is_array() || !std::ranges::all_of(*texts, is_text))
      return std::nullopt;
    for (const auto& one : *texts) out.texts.push_back(written(one));
    if (labels != nullptr && labels->is_array())
      for (const auto& one : *labels) out.labels.push_back(written(one));
    return out;
  }
  if (!value.is_array() || value.empty()) return std::nullopt;
  for (const auto& object : value) {
    const nlohmann::json *text = member(object, kTexts), *label = member(object, kLabels);
    if (text == nullptr || !is_text(*text)) return std::nullopt;
    out.texts.push_back(written(*text));
    if (label != nullptr) out.labels.push_back(written(*label));
  }
  return out;
}

// Labels are left out where they count the alternatives, and else refused: an answer may be one of them.
Alternatives of_labelled(Labelled found, std::string_view cell) {
  Alternatives out;
  const auto count_from = [&](std::string_view first) {
    for (size_t i = 0; i < found.labels.size(); ++i)
      if (small_letters(found.labels[i]) != place_from(first, i)) return false;
    return true;
  };
  static constexpr std::string_view kFirst[] = {"a", "1", "0", "①", "가", "ㄱ"};
  const bool all = found.labels.empty() || found.labels.size() == found.texts.size();
  const auto first = std::ranges::find_if(kFirst, count_from);
  if (!all || first == std::end(kFirst)) {
    out.problem = "found \"" + excerpt(strip(cell)) + "\", labelled " + joined(found.labels) +
                  ", expected labels that count all alternatives, as A, B, C or 1, 2, 3";
    return out;
  }
  if (!found.labels.empty()) out.first = *first;
  out.texts = std::move(found.texts);
  return out;
}

bool holds_lists(const DataTable& table, size_t column) {
  return std::ranges::all_of(table.rows, [&](const TableRow& row) {
    const std::string_view cell = strip(row.cells[column]);
    return cell.empty() || (cell.starts_with('[') && cell.ends_with(']')) || labelled_in(cell);
  });
}

bool is_of_several(std::string_view cell) {
  const auto list = texts_in_list(cell);
  return (list && list->size() > 1) || cell.find(',') != std::string_view::npos;
}

// "choices", be it below a key ("question.choices"), or "choices.text" beside the letters in "choices.label".
bool is_list_named(std::string_view name, std::string_view stem) {
  return name == stem || name == std::string(stem) + ".text" ||
         name.ends_with("." + std::string(stem));
}

// So many rows tell how a column's cells are numbered, from all over the file.
std::vector<const TableRow*> some_rows(const DataTable& table) {
  constexpr size_t kLooked = 200;
  std::vector<const TableRow*> out;
  const size_t stride = std::max<size_t>(1, table.rows.size() / kLooked);
  for (size_t r = 0; r < table.rows.size(); r += stride) out.push_back(&table.rows[r]);
  return out;
}

NumberedColumn look_at(const DataTable& table, size_t column) {
  std::vector<std::string_view> cells;
  for (const TableRow* row : some_rows(table)) cells.push_back(row->cells[column]);
  return numbered_column(cells);
}

// Columns that are called as alternatives are, without a number behind.
std::vector<size_t> list_columns(const DataTable& table) {
  std::vector<size_t> out;
  if (!table.header) return out;
  for (const std::string_view stem : kStems)
    for (size_t i = 0; i < table.columns.size(); ++i)
      if (is_list_named(plain(table.columns[i]), stem)) out.push_back(i);
  return out;
}

const TableRow* first_filled(const DataTable& table, size_t column) {
  const auto found = std::ranges::find_if(
      table.rows, [&](const TableRow& row) { return !strip(row.cells[column]).empty(); });
  return found == table.rows.end() ? nullptr : &*found;
}

// Of a column that holds some numbered alternatives, and mostly none: names the first cell that is something else.
void refuse_few_numbered(const DataTable& table, size_t column) {
  const NumberedColumn numbers = look_at(table, column);
  const TableRow *other = nullptr, *like = nullptr;
  NumberedCut wrong;
  for (const TableRow& row : table.rows) {
    if (strip(row.cells[column]).empty()) continue;
    const NumberedCut cut = cut_of(numbers, row.cells[column]);
    if (!cut.parts.empty())
      like = like == nullptr ? &row : like;
    else if (other == nullptr)
      other = &row, wrong = cut;
  }
  if (like == nullptr || other == nullptr) return;
  throw usage_error(table.where(*other) + ": found \"" + excerpt(strip(other->cells[column])) +
                    "\" in \"" + excerpt(table.columns[column]) + "\"" +
                    (wrong.problem.empty() ? "" : ", where " + wrong.problem) +
                    ", expected alternatives behind numbers, as in " + table.where(*like));
}

}  // namespace

bool have_equal(const std::vector<std::string>& choices) {
  for (size_t i = 0; i < choices.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (strip(choices[i]) == strip(choices[j])) return true;
  return false;
}

std::vector<std::string> choice_columns(const DataTable& table) {
  if (!table.header) return {};
  // From 0 before 1: ending1 to ending3 are not all of ending0 to ending3.
  const auto counted_from_any = [&](std::string_view stem, const auto& fit) {
    for (const std::string_view first :
         {std::string_view("0"), std::string_view("1"), kCircled, std::string_view("a")})
      if (std::vector<std::string> found = counted(table, stem, first);
          !found.empty() && fit(found))
        return found;
    return std::vector<std::string>();
  };
  for (const std::string_view stem : kStems) {
    const auto any = [](const std::vector<std::string>&) { return true; };
    if (std::vector<std::string> found = counted_from_any(stem, any); !found.empty()) return found;
    for (size_t i = 0; i < table.columns.size(); ++i)
      if (is_list_named(plain(table.columns[i]), stem) && holds_lists(table, i) &&
          is_of_several(table.rows.front().cells[i]))
        return {table.columns[i]};
  }
  const auto hold = [&](const std::vector<std::string>& columns) {
    return hold_alternatives(table, columns);
  };
  for (const std::string_view stem : kNumberedStems)
    if (std::vector<std::string> found = counted_from_any(stem, hold); !found.empty()) return found;
  for (const size_t column : list_columns(table))
    if (look_at(table, column).holds_numbers()) return {table.columns[column]};
  return {};
}

std::vector<std::string> answered_column(const DataTable& table) {
  constexpr size_t kOf = 10, kFitting = 9;
  if (!table.header) return {};
  const std::string right = usual_among(usual_right_columns(), table.columns);
  if (right.empty()) return {};
  const size_t answers = table.column(right);
  for (size_t column = 0; column < table.columns.size(); ++column) {
    if (column == answers || is_of_no_example(table.columns[column])) continue;
    const NumberedColumn numbers = look_at(table, column);
    if (!numbers.holds_parts()) continue;
    size_t cut = 0, fitting = 0;
    for (const TableRow* row : some_rows(table)) {
      NumberedCut found = cut_of(numbers, row->cells[column]);
      const std::string answer = composed(strip(row->cells[answers]));
      if (found.parts.empty() || answer.empty()) continue;
      ++cut;
      fitting +=
          may_answer(answer, {.texts = std::move(found.parts), .first = found.first}) ? 1 : 0;
    }
    if (cut > 0 && fitting * kOf >= cut * kFitting) return {table.columns[column]};
  }
  return {};
}

bool ask_too(const DataTable& table, const std::vector<std::string>& choices) {
  if (choices.size() != 1) return false;
  const size_t column = table.column(choices.front());
  const NumberedColumn numbers = look_at(table, column);
  const std::vector<size_t> called = list_columns(table);
  // Words that are the same in all rows ask something where the column is not called as alternatives are.
  return numbers.asked ||
         (!numbers.head.empty() && std::ranges::find(called, column) == called.end());
}

void refuse_joined_alternatives(const DataTable& table) {
  if (!choice_columns(table).empty()) return;
  for (const size_t column : list_columns(table)) {
    const TableRow* first = first_filled(table, column);
    if (first == nullptr) continue;
    std::vector<std::string_view> cells;
    for (const TableRow& row : table.rows) cells.push_back(row.cells[column]);
    const std::string joint = joint_of_parts(cells);
    if (joint.empty()) {
      refuse_few_numbered(table, column);
      continue;
    }
    throw usage_error(
        table.where(*first) + ": found alternatives " + joint + " in one cell of \"" +
        excerpt(table.columns[column]) + "\" (\"" + excerpt(strip(first->cells[column])) +
        "\"), expected a column for each (보기1, 보기2, …), a list of JSON, or numbers "
        "before them, as ① … ② … or (1) … (2) …");
  }
}

bool may_name_alternatives(const DataTable& table) {
  if (!table.header) return false;
  if (!counted(table, "", kCircled).empty()) return true;
  for (const std::string_view stem : kStems) {
    if (!counted(table, stem, kCircled).empty()) return true;
    if (!counted(table, stem, "1").empty()) return true;
    for (const std::string& column : table.columns)
      if (plain(column) == stem) return true;
  }
  return false;
}

ChoiceCells::ChoiceCells(const DataTable& table, const std::vector<std::string>& choices,
                         const std::vector<std::string>& text) {
  if (choices.size() != 1) return;
  name_ = choices.front();
  asks_ = std::ranges::find(text, name_) != text.end();
  column_ = look_at(table, table.column(name_));
}

Alternatives ChoiceCells::numbered(std::string_view cell) const {
  Alternatives out;
  NumberedCut cut = cut_of(column_, cell);
  const std::string found = "found \"" + excerpt(strip(cell)) + "\"";
  if (cut.lacks || (asks_ && cut.parts.empty() && cut.problem.empty()))
    out.lacking = cut.lacks ? cut.problem : "no numbered alternatives stand there";
  else if (!cut.problem.empty())
    out.problem = found + ", where " + cut.problem +
                  ", expected each number once before its alternative, or each at the beginning of "
                  "a line";
  else if (cut.parts.empty())
    out.problem = found +
                  ", expected alternatives as a list ([\"서울\", \"부산\"]), numbered as ① … ② …, "
                  "(1) … (2) … or 가. … 나. …, or in columns of their own";
  else if (column_.asked && !asks_ && !cut.before.empty())
    out.problem = "found \"" + excerpt(cut.before) + "\" before the first number of \"" +
                  excerpt(name_) +
                  "\", expected alternatives alone, or \"text\" to name this "
                  "column, too";
  else
    out.asked = cut.before, out.texts = std::move(cut.parts), out.first = cut.first;
  return out;
}

Alternatives ChoiceCells::of(const std::vector<std::string>& cells) const {
  Alternatives out;
  if (cells.size() > 1) {
    for (const std::string& cell : cells) out.texts.emplace_back(strip(cell));
  } else if (std::optional<std::vector<std::string>> list = texts_in_list(cells.front())) {
    out.texts = *std::move(list);
  } else if (std::optional<Labelled> labelled = labelled_in(cells.front())) {
    return of_labelled(*std::move(labelled), cells.front());
  } else {
    return numbered(cells.front());
  }
  out.first = take_off_numbers(&out.texts);
  return out;
}

std::string ChoiceCells::told(const DataTable& table) const {
  if (name_.empty() || !column_.holds_numbers()) return "";
  const size_t column = table.column(name_);
  for (const TableRow& row : table.rows) {
    if (texts_in_list(row.cells[column])) continue;
    const NumberedCut cut = cut_of(column_, row.cells[column]);
    if (cut.parts.empty()) continue;
    const std::string behind = asks_                ? " behind what is asked"
                               : cut.before.empty() ? ""
                                                    : " behind \"" + excerpt(cut.before) + "\"";
    return "alternatives: numbered in the cells of \"" + excerpt(name_) + "\"" + behind + ", " +
           std::to_string(cut.parts.size()) + " in " + table.where(row);
  }
  return "";
}

}  // namespace minibert
