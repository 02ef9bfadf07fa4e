#include "data/tables/table.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "core/config_reader.h"
#include "core/error.h"
#include "core/text.h"
#include "core/utf8.h"
#include "text/composed.h"
#include "text/python_text.h"

namespace minibert {
namespace {

// Of days and times, in small letters.
constexpr std::string_view kOfTimes[] = {
    "년",        "월",        "일",      "시",       "분",      "초",     "오전",   "오후",
    "월요일",    "화요일",    "수요일",  "목요일",   "금요일",  "토요일", "일요일", "화",
    "수",        "목",        "금",      "토",       "am",      "pm",     "t",      "z",
    "utc",       "gmt",       "kst",     "st",       "nd",      "rd",     "th",     "mon",
    "tue",       "wed",       "thu",     "fri",      "sat",     "sun",    "monday", "tuesday",
    "wednesday", "thursday",  "friday",  "saturday", "sunday",  "jan",    "feb",    "mar",
    "apr",       "may",       "jun",     "jul",      "aug",     "sep",    "sept",   "oct",
    "nov",       "dec",       "january", "february", "march",   "april",  "june",   "july",
    "august",    "september", "october", "november", "december"};

bool is_of_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) > 127;
}

}  // namespace

std::string DataTable::where(const TableRow& row) const {
  if (format == "folders") return row.cells[2];
  if (format == "JSON") return path + ": [" + std::to_string(row.place) + "]";
  return path + ":" + std::to_string(row.place);
}

bool DataTable::is_unnamed(size_t column) const {
  return std::ranges::find(unnamed, column) != unnamed.end();
}

size_t DataTable::column(const std::string& name) const {
  auto found = std::ranges::find(columns, name);
  if (found == columns.end()) found = std::ranges::find(columns, composed(name));
  if (found != columns.end()) return static_cast<size_t>(found - columns.begin());
  constexpr size_t kQuoted = 60;
  std::vector<std::string> shown;
  for (const std::string& one : columns) shown.push_back(clipped(one, kQuoted));
  const std::string near = nearest(name, columns);
  throw usage_error(path + ": found the columns " + joined(shown) + ", expected one named \"" +
                    name + "\"" + (near.empty() ? "" : " (did you mean \"" + near + "\"?)"));
}

bool is_missing_mark(std::string_view cell) {
  static constexpr std::string_view kMarks[] = {"NA",  "N/A", "n/a",  "#N/A", "#NA",
                                                "NaN", "nan", "NULL", "null", "<NA>"};
  return std::ranges::find(kMarks, strip(cell)) != std::end(kMarks);
}

bool is_number(std::string_view cell) {
  const std::string_view bare = strip(cell);
  double value = 0;
  const auto [end, error] = std::from_chars(bare.data(), bare.data() + bare.size(), value);
  constexpr double kLargest = std::numeric_limits<float>::max();  // models calculate with these
  return error == std::errc() && end == bare.data() + bare.size() && std::abs(value) <= kLargest;
}

bool is_wordless(std::string_view cell) {
  constexpr size_t kLongestTime = 120;  // bytes, of Hangul in parts too
  if (std::ranges::none_of(cell, is_of_word)) return true;
  if (cell.size() > kLongestTime || cell.find_first_of("0123456789") == std::string_view::npos)
    return false;
  const std::string text = composed(cell);
  for (size_t at = 0; at < text.size();) {
    std::string word;
    for (; at < text.size() && is_of_word(text[at]); ++at)
      word += text[at] >= 'A' && text[at] <= 'Z' ? static_cast<char>(text[at] + 32) : text[at];
    if (!word.empty() && std::ranges::find(kOfTimes, word) == std::end(kOfTimes)) return false;
    if (word.empty()) ++at;
  }
  return true;
}

}  // namespace minibert
