#include "data/own/masked_sentences.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/error.h"
#include "core/text.h"
#include "core/utf8.h"
#include "data/tables/python_cells.h"
#include "data/tables/read_table.h"
#include "data/tables/usual_columns.h"
#include "rules/blanks.h"
#include "text/composed.h"
#include "text/python_text.h"

namespace minibert {
namespace {

constexpr std::string_view kMask = "[MASK]";

const std::vector<std::string_view>& usual_word_names() {
  static const std::vector<std::string_view> names = {"accept",    "answers", "word",  "words",
                                                      "obj_label", "target",  "label", "단어",
                                                      "낱말",      "정답들",  "라벨"};
  return names;
}

const std::vector<std::string_view>& usual_kind_names() {
  static const std::vector<std::string_view> names = {"kind", "type", "category", "topic", "domain",
                                                      "종류", "유형", "분류",     "갈래",  "주제"};
  return names;
}

std::string with_blanks_as_masks(const std::string& cell) {
  return to_utf8(with_masks(to_code_points(composed(cell))));
}

size_t masks_of(std::string_view text) {
  size_t count = 0;
  for (size_t at = 0; (at = text.find(kMask, at)) != text.npos; at += kMask.size()) ++count;
  return count;
}

// The column whose cells nearly all have a blank; empty: none has.
std::string masked_column(const DataTable& table) {
  std::vector<std::string> found;
  for (size_t column = 0; column < table.columns.size(); ++column) {
    const auto has_blank = [&](const TableRow& row) {
      return masks_of(with_blanks_as_masks(row.cells[column])) > 0;
    };
    const auto count = static_cast<size_t>(std::ranges::count_if(table.rows, has_blank));
    if (2 * count > table.rows.size()) found.push_back(table.columns[column]);
  }
  if (found.size() > 1)
    throw usage_error(table.path + ": found sentences with blanks in " + joined(found) +
                      ", expected --column text=… to name one");
  return found.empty() ? "" : found.front();
}

// Brackets around the right word, of which every sentence has one pair.
struct Brackets {
  std::string open, close;
};

bool has_pair(const std::string& cell, const Brackets& one) {
  const size_t open = cell.find(one.open), close = cell.find(one.close);
  return open != cell.npos && close != cell.npos && open + one.open.size() < close &&
         open == cell.rfind(one.open) && close == cell.rfind(one.close);
}

std::optional<Brackets> brackets_of(const DataTable& table) {
  static const std::vector<Brackets> all = {{"[", "]"},   {"{", "}"},   {"(", ")"},  {"<", ">"},
                                            {"【", "】"}, {"〈", "〉"}, {"「", "」"}};
  if (table.columns.size() != 1) return {};
  const auto all_have = [&](const Brackets& one) {
    return std::ranges::all_of(table.rows,
                               [&](const TableRow& row) { return has_pair(row.cells[0], one); });
  };
  const auto found = std::ranges::find_if(all, all_have);
  return found == all.end() ? std::optional<Brackets>() : *found;
}

// The first of sentences without names above them is no name.
DataTable read_sentences(const std::string& path, TableOptions options) {
  DataTable table = read_table(path, options);
  if (!table.header || options.header) return table;
  const std::optional<Brackets> brackets = brackets_of(table);
  const auto is_sentence = [&](const std::string& name) {
    return masks_of(with_blanks_as_masks(name)) > 0 || (brackets && has_pair(name, *brackets));
  };
  if (std::ranges::none_of(table.columns, is_sentence)) return table;
  options.header = false;
  return read_table(path, options);
}

// The words of a cell: a list of JSON or Python, else what stands between commas, semicolons, bars or slashes.
std::vector<std::string> words_of(const std::string& cell) {
  std::vector<std::string> out;
  const auto add = [&](std::string_view word) {
    if (const std::string_view some = strip(word); !some.empty()) out.push_back(composed(some));
  };
  if (const nlohmann::json list = python_value(cell); list.is_array()) {
    for (const auto& word : list) add(word.is_string() ? word.get<std::string>() : word.dump());
    return out;
  }
  const auto is_digit = [&](size_t at) {
    return at < cell.size() && cell[at] >= '0' && cell[at] <= '9';
  };
  size_t begin = 0;
  for (size_t at = 0; at <= cell.size(); ++at) {
    const bool divides =
        at == cell.size() || std::string_view(",;|/\n").find(cell[at]) != std::string_view::npos;
    if (!divides || (at > 0 && is_digit(at - 1) && is_digit(at + 1))) continue;  // 1,000
    add(std::string_view(cell).substr(begin, at - begin));
    begin = at + 1;
  }
  return out;
}

std::vector<MaskedSentence> of_bracketed(const DataTable& table, const Brackets& brackets) {
  std::vector<MaskedSentence> out;
  for (const TableRow& row : table.rows) {
    const std::string& cell = row.cells[0];
    const size_t open = cell.find(brackets.open), close = cell.find(brackets.close);
    const size_t begin = open + brackets.open.size();
    const std::vector<std::string> words = words_of(cell.substr(begin, close - begin));
    if (words.empty())
      throw usage_error(table.where(row) + ": found no word in brackets, expected one");
    out.push_back({"",
                   composed(cell.substr(0, open)) + std::string(kMask) +
                       composed(cell.substr(close + brackets.close.size())),
                   words});
  }
  return out;
}

// The column of right words.
std::string word_column(const DataTable& table, const OwnColumns& given, const std::string& text) {
  if (!given.answer.empty()) return given.answer;
  std::vector<std::string> others;
  for (const std::string& column : table.columns)
    if (column != text && column != given.group) others.push_back(column);
  for (const auto* usual : {&usual_answer_columns(), &usual_word_names()})
    if (const std::string found = usual_among(*usual, others); !found.empty()) return found;
  std::erase_if(others, [](const std::string& column) {
    return is_called(column, usual_kind_names()) || is_of_no_example(column);
  });
  if (others.size() == 1) return others.front();
  if (others.empty())
    throw usage_error(table.path +
                      ": found sentences alone, expected the right words in a column beside them "
                      "(behind a tab), or the "
                      "right word in brackets: 나는 [학교]에 간다.");
  throw usage_error(table.path + ": found the columns " + joined(table.columns) +
                    ", expected --column answer=… to name that of the right words");
}

std::string kind_column(const DataTable& table, const OwnColumns& given, const std::string& text,
                        const std::string& words) {
  if (!given.group.empty()) return given.group;
  std::vector<std::string> others = table.columns;
  std::erase(others, text);
  std::erase(others, words);
  return usual_among(usual_kind_names(), others);
}

}  // namespace

MaskedSentences read_masked_sentences(const std::string& path, const OwnSource& source) {
  const DataTable table = read_sentences(path, source.table_options());
  const OwnColumns& given = source.columns;
  if (given.text.size() > 1)
    throw usage_error("--column text: found " + joined(given.text) + ", expected one column");
  const std::string text = given.text.empty() ? masked_column(table) : given.text.front();
  if (text.empty()) {
    if (const auto brackets = brackets_of(table))
      return {of_bracketed(table, *brackets), table.notes};
    throw usage_error(
        table.path +
        ": found no column of sentences with a blank, expected [MASK] or ( ) in each "
        "and its right words beside it, or the right word in brackets: 나는 [학교]에 간다.");
  }
  const std::string words = word_column(table, given, text);
  const std::string kind = kind_column(table, given, text, words);
  const size_t text_at = table.column(text), words_at = table.column(words);
  MaskedSentences out{{}, table.notes};
  if (table.columns.size() > 2)
    out.notes.push_back("sentences of \"" + text + "\", right words of \"" + words + "\"" +
                        (kind.empty() ? "" : ", kinds of \"" + kind + "\"") + ", among " +
                        joined(table.columns));
  for (const TableRow& row : table.rows) {
    MaskedSentence one{kind.empty() ? "" : composed(strip(row.cells[table.column(kind)])),
                       with_blanks_as_masks(row.cells[text_at]), words_of(row.cells[words_at])};
    if (masks_of(one.text) != 1)
      throw usage_error(table.where(row) + ": " + text + ": found \"" + row.cells[text_at] +
                        "\", expected one [MASK]");
    if (one.accept.empty())
      throw usage_error(table.where(row) + ": " + words + ": found \"" + row.cells[words_at] +
                        "\", expected a word");
    out.sentences.push_back(std::move(one));
  }
  return out;
}

}  // namespace minibert
