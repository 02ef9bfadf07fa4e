#include "data/tables/times.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "core/characters.h"
#include "core/text.h"
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

constexpr std::string_view kMonths[] = {"jan", "feb", "mar", "apr", "may", "jun",
                                        "jul", "aug", "sep", "oct", "nov", "dec"};

bool is_of_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) > 127;
}

// As web sites say when something was written: "3시간 전", "어제", "2 days ago".
bool is_time_ago(std::string_view text) {
  static constexpr std::string_view kAlone[] = {"방금", "방금 전",  "어제",  "그제",     "그저께",
                                                "오늘", "just now", "today", "yesterday"};
  static constexpr std::string_view kSpans[] = {"초",     "분",   "시간", "일",   "주",     "주일",
                                                "달",     "개월", "년",   "sec",  "second", "min",
                                                "minute", "hour", "day",  "week", "month",  "year"};
  if (std::ranges::find(kAlone, text) != std::end(kAlone)) return true;
  const size_t number = std::min(text.find_first_not_of("0123456789"), text.size());
  std::string_view span = text.substr(number);
  if (number == 0) return false;
  bool ago = false;
  for (const std::string_view end : {"전", "후", "뒤", "ago"})
    if (!ago && span.ends_with(end)) span.remove_suffix(end.size()), ago = true;
  span = strip(span);
  if (span.ends_with('s')) span.remove_suffix(1);
  return ago && std::ranges::find(kSpans, span) != std::end(kSpans);
}

// The numbers of a cell, with nothing between their digits.
std::vector<std::string_view> numbers_of(std::string_view text) {
  std::vector<std::string_view> out;
  for (size_t at = 0; at < text.size();) {
    const size_t begin = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    if (at > begin)
      out.push_back(text.substr(begin, at - begin));
    else
      ++at;
  }
  return out;
}

}  // namespace

bool is_wordless(std::string_view cell) {
  constexpr size_t kLongestTime = 120;  // bytes, of Hangul in parts too
  if (std::ranges::none_of(cell, is_of_word)) return true;
  if (cell.size() > kLongestTime) return false;
  const std::string shown = composed(cell);
  if (is_time_ago(strip(shown))) return true;
  const std::string text = small_letters(shown);
  if (text.find_first_of("0123456789") == std::string::npos) return false;
  for (size_t at = 0; at < text.size();) {
    const size_t begin = at;
    while (at < text.size() && is_of_word(text[at])) ++at;
    const std::string_view word = std::string_view(text).substr(begin, at - begin);
    if (!word.empty() && std::ranges::find(kOfTimes, word) == std::end(kOfTimes)) return false;
    if (word.empty()) ++at;
  }
  return true;
}

bool is_time(std::string_view cell) {
  const std::string whole = composed(strip(cell));
  const std::string_view text = whole;
  if (!is_wordless(text)) return false;
  if (is_time_ago(text)) return true;
  const std::vector<std::string_view> numbers = numbers_of(text);
  const auto stands = [&](std::string_view word) { return text.find(word) != text.npos; };
  if (numbers.empty()) return false;
  // "08:30"
  for (const std::string_view number : numbers) {
    const auto at = static_cast<size_t>(number.data() - text.data());
    if (at > 1 && text[at - 1] == ':' && is_digit(text[at - 2]) && number.size() == 2) return true;
  }
  if ((stands("월") && stands("일") && numbers.size() > 1) || (stands("시") && stands("분")))
    return true;
  const std::string small = small_letters(text);
  for (const std::string_view month : kMonths)
    if (small.find(month) != small.npos) return true;
  // "2024.1.1.", "'24/01/01"
  const auto at_most = [](std::string_view number, std::string_view most) {
    return number.size() < most.size() || (number.size() == most.size() && number <= most);
  };
  return numbers.size() == 3 && (numbers[0].size() == 4 || numbers[0].size() == 2) &&
         at_most(numbers[1], "12") && at_most(numbers[2], "31") &&
         text.find_first_not_of("0123456789-./ '") == text.npos;
}

}  // namespace minibert
