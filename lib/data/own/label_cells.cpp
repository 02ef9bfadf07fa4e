#include "data/own/label_cells.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <unordered_set>

#include "core/error.h"
#include "core/excerpt.h"
#include "core/text.h"
#include "data/own/written_numbers.h"
#include "data/tables/python_cells.h"
#include "data/tables/table.h"
#include "score/label_set.h"
#include "text/python_text.h"

namespace minibert {
namespace {

using nlohmann::json;

struct Separator {
  const char* name;
  char letter;
};
constexpr Separator kLetters[] = {{"bar", '|'}, {"semicolon", ';'}, {"comma", ','}, {"hash", '#'}};

constexpr std::string_view kChoices = "{\"choices\"";  // of Label Studio, around a list

bool is_list(std::string_view cell) {
  return (cell.starts_with('[') && cell.ends_with(']')) || cell.starts_with(kChoices);
}

// Is it no part of a list, be that cut off?
bool is_bare(std::string_view cell) { return cell.find_first_of("[]{}") == cell.npos; }

// How many brackets more are open behind the byte at `at` than before it, of ASCII and of full width.
int bracket_at(std::string_view text, size_t at) {
  constexpr std::string_view kOpen = "([{", kClosed = ")]}", kWideOpen = "（", kWideClosed = "）";
  if (kOpen.find(text[at]) != std::string_view::npos || text.substr(at).starts_with(kWideOpen))
    return 1;
  if (kClosed.find(text[at]) != std::string_view::npos || text.substr(at).starts_with(kWideClosed))
    return -1;
  return 0;
}

// Whether every bracket is closed: those of ":(" are none.
bool is_balanced(std::string_view text) {
  int open = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    open += bracket_at(text, at);
    if (open < 0) return false;
  }
  return open == 0;
}

// The parts between separators, but for those in brackets: "슬픔(우울, 상실)" is one. A separator behind the last part
// separates nothing: forms write "기쁨;슬픔;". Nor does a # before the first: "#기쁨 #슬픔".
std::vector<std::string> split_at(std::string_view text, char separator) {
  std::vector<std::string> out;
  const bool brackets = is_balanced(text);
  int open = 0;
  size_t begin = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    if (brackets) open += bracket_at(text, at);
    if (open > 0 || text[at] != separator) continue;
    out.emplace_back(strip(text.substr(begin, at - begin)));
    begin = at + 1;
  }
  out.emplace_back(strip(text.substr(begin)));
  if (out.size() > 1 && out.back().empty()) out.pop_back();
  if (separator == '#' && out.size() > 1 && out.front().empty()) out.erase(out.begin());
  return out;
}

// Whether a separator stands outside of brackets, be it behind the last part; but C# is one label.
bool has_separator(std::string_view cell, char separator) {
  if (separator == '#') return split_at(cell, separator).size() > 1;
  return split_at(std::string(cell) + separator + "-", separator).size() > 2;
}

std::vector<std::string_view> filled(std::span<const std::string_view> cells) {
  std::vector<std::string_view> out;
  for (const std::string_view cell : cells)
    if (const std::string_view bare = strip(cell); !bare.empty()) out.push_back(bare);
  return out;
}

// Whether all are lists, and with `several` one of them not of one label. Beside one of several labels others may stand
// without a list, as annotation tools write a text's only one.
bool are_lists(std::span<const std::string_view> cells, bool several) {
  bool found = !several, without = false, of_several = false;
  for (const std::string_view cell : cells) {
    if (is_bare(cell)) {
      without = true;
      continue;
    }
    const auto labels = is_list(cell) ? texts_in_list(cell) : std::nullopt;
    if (!labels) return false;
    found |= labels->size() != 1;
    of_several |= labels->size() > 1;
  }
  return found && (of_several || !without) && !cells.empty();
}

// Labels between separators are fewer than their combinations.
bool are_separated(std::span<const std::string_view> cells, char separator) {
  std::unordered_set<std::string_view> values;
  std::unordered_set<std::string> parts;
  size_t several = 0;
  for (const std::string_view cell : cells) {
    if (!values.insert(cell).second) continue;
    if (separator == ',' && has_grouped_digits(cell)) {
      parts.emplace(cell);
      continue;
    }
    if (has_separator(cell, separator)) ++several;
    for (std::string& part : split_at(cell, separator)) parts.insert(std::move(part));
  }
  return several > 1 && parts.size() < values.size();
}

// What stands in the place of a score.
constexpr std::string_view kNoScore[] = {"-", "–", "—", "결시", "미응시", "미제출", "결석"};

}  // namespace

std::string label_separator_of(std::span<const std::string_view> cells) {
  const std::vector<std::string_view> written = filled(cells);
  if (are_lists(written, true)) return kListOfLabels;
  for (const auto& [name, letter] : kLetters)
    if (are_separated(written, letter)) return name;
  return "";
}

std::string likely_separator_of(std::span<const std::string_view> cells) {
  const std::vector<std::string_view> written = filled(cells);
  if (are_lists(written, false)) return kListOfLabels;
  for (const auto& [name, letter] : kLetters)
    for (const std::string_view cell : written)
      if (has_separator(cell, letter) && !(letter == ',' && has_grouped_digits(cell))) return name;
  return "";
}

std::string foreign_separator_of(std::span<const std::string_view> cells) {
  const std::vector<std::string_view> written = filled(cells);
  if (are_separated(written, '/')) return "/";
  return are_separated(written, '\n') ? "a line break" : "";
}

bool gives_names(const OwnSource& source) {
  return std::ranges::any_of(source.labels, [](const auto& label) {
    return !label.second.empty() && !is_way_of_numbers(label.first, label.second);
  });
}

std::optional<LabelNames> ways_of_scores(std::span<const std::string_view> cells) {
  std::set<std::string_view> none;
  std::vector<std::string_view> numbers;
  for (const std::string_view cell : filled(cells))
    if (std::ranges::find(kNoScore, cell) != std::end(kNoScore))
      none.insert(cell);
    else if (!is_missing_mark(cell))
      numbers.push_back(cell);
  const std::optional<std::string> way = way_of_numbers(numbers);
  if (!way) return std::nullopt;
  LabelNames out;
  if (!way->empty()) out.emplace_back(*way, std::string(kAnyNumber));
  for (const std::string_view cell : none) out.emplace_back(std::string(cell), "");
  return out;
}

std::optional<std::vector<std::string>> texts_in_list(std::string_view cell) {
  json list = python_value(cell);
  if (cell.starts_with(kChoices) && list.is_object() && list.size() == 1)
    list = json(list.at("choices"));
  if (!list.is_array()) return std::nullopt;
  std::vector<std::string> out;
  for (const json& one : list) {
    if (!one.is_string() && !one.is_number()) return std::nullopt;
    out.push_back(one.is_string() ? std::string(strip(one.get<std::string>())) : one.dump());
  }
  return out;
}

std::vector<std::string> labels_in_cell(std::string_view cell, const std::string& separator,
                                        const std::string& where) {
  cell = strip(cell);
  std::vector<std::string> labels = {std::string(cell)};
  if (separator == kListOfLabels && !is_bare(cell)) {
    auto list = texts_in_list(cell);
    if (!list)
      throw Error(where + ": found \"" + excerpt(cell) +
                  "\", expected a list, as [\"기쁨\", \"행복\"]");
    labels = std::move(*list);
  }
  for (const auto& [name, letter] : kLetters)
    if (separator == name) labels = split_at(cell, letter);
  for (const std::string& label : labels)
    if (label.empty() || label.find(kBetweenLabels) != std::string::npos)
      throw Error(where + ": found the labels \"" + excerpt(cell) + "\", expected labels " +
                  (label.empty() ? "that are not empty" : "without |"));
  return labels;
}

std::string_view whole_number(std::string_view label) {
  const std::string_view digits = label.substr(0, label.find('.'));
  const bool whole =
      is_number(label) && is_number(digits) &&
      (digits.size() == label.size() || label.find_last_not_of('0') == digits.size());
  return whole ? digits : std::string_view();
}

bool holds_spans(std::string_view cell) {
  if (!is_list(cell)) return false;
  const json list = json::parse(cell, nullptr, false);
  if (!list.is_array() || list.empty()) return false;
  const json& first = list.front();
  return (first.is_object() && first.contains("start") && first.contains("end")) ||
         (first.is_object() && first.contains("start_offset") && first.contains("end_offset")) ||
         (first.is_array() && first.size() == 3 && first[0].is_number() && first[1].is_number() &&
          first[2].is_string());
}

std::optional<bool> flag_of(std::string_view cell) {
  const std::string small = small_letters(strip(cell));
  for (const char* yes : {"1", "1.0", "true", "yes", "y", "o", "예", "네", "응", "○", "●", "◯", "v",
                          "✓", "✔", "☑", "√"})
    if (small == yes) return true;
  for (const char* no :
       {"0", "0.0", "false", "no", "n", "x", "-", "아니오", "아니요", "×", "✕", "✗", "✘", "☐"})
    if (small == no) return false;
  return std::nullopt;
}

}  // namespace minibert
