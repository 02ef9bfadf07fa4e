#include "data/own/numbered_cells.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>
#include <utility>

#include "core/characters.h"
#include "core/utf8.h"
#include "data/tables/cells.h"
#include "text/composed.h"
#include "text/python_text.h"

namespace minibert {
namespace {

constexpr size_t kNowhere = std::string_view::npos;
constexpr std::string_view kSyllables = "가나다라마바사아자차카타파하",
                           kConsonants = "ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ";
constexpr size_t kHangulBytes = 3;
constexpr std::string_view kCounting[] = {"①", "❶", "⑴", "⒈", "➀", "➊", "ⓐ", "Ⓐ", "⒜"};
constexpr std::string_view kHangul[] = {"㉠", "㉮", "㈎", "㈀"};
constexpr std::string_view kPlain[] = {"1", "가", "ㄱ", "A", "a"};
constexpr char kJointsOfParts[] = {'|', ';', '/', '\n', ','};
// Between alternatives, and all but the dot also before a number of plain characters.
constexpr std::u32string_view kSeparating = U"·,/;|，、", kBeforeNumbers = kSeparating.substr(1);
constexpr std::u32string_view kOpenBrackets = U"([{（［【「『〈《〔",
                              kCloseBrackets = U")]}）］】」』〉》〕";
constexpr std::string_view kBehindCharacters[] = {".", ")", "．", "）", ":", "："};

// How alternatives are numbered: "(1)" is "1" between brackets.
struct Numbering {
  std::string_view first;
  bool plain = false;      // of characters that stand in texts, too
  bool bracketed = false;  // on both sides
  std::vector<std::string> numbers = {};
};

size_t most_from(std::string_view first) {
  constexpr size_t kMostDigits = 10;
  if (first == "❶" || first == "➀" || first == "➊") return kMostDigits;
  const bool hangul =
      first == "가" || first == "ㄱ" || std::ranges::find(kHangul, first) != std::end(kHangul);
  return hangul ? kSyllables.size() / kHangulBytes : kMostChoices;
}

const std::vector<Numbering>& numberings() {
  static const std::vector<Numbering> all = [] {
    std::vector<Numbering> out;
    const auto add = [&](std::string_view first, bool plain, std::string_view before,
                         std::string_view after) {
      Numbering one{first, plain, !before.empty()};
      for (size_t i = 0; i < most_from(first); ++i)
        one.numbers.push_back(std::string(before) + place_from(first, i) + std::string(after));
      out.push_back(std::move(one));
    };
    for (const std::string_view first : kCounting) add(first, false, "", "");
    for (const std::string_view first : kHangul) add(first, false, "", "");
    for (const std::string_view first : kPlain) {
      add(first, true, "(", ")");
      add(first, true, "（", "）");
      add(first, true, "", ")");
      add(first, true, "", ".");
    }
    return out;
  }();
  return all;
}

bool is_one_of(char32_t character, std::u32string_view these) {
  return these.find(character) != std::u32string_view::npos;
}

char32_t character_at(std::string_view text, size_t at) {
  char32_t out = 0;
  if (at < text.size()) decode_utf8(text, at, &out);
  return out;
}

// 0 at the beginning.
char32_t character_before(std::string_view text, size_t at) {
  if (at == 0) return 0;
  do --at;
  while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80);
  return character_at(text, at);
}

template <class Test>
bool any_character(std::string_view text, const Test& test) {
  char32_t character = 0;
  for (size_t at = 0, size = 0; at < text.size(); at += size) {
    size = std::max<size_t>(1, decode_utf8(text, at, &character));
    if (test(character)) return true;
  }
  return false;
}

// Is there more than white space and separators?
bool says_something(std::string_view part) {
  return any_character(
      part, [](char32_t c) { return !is_python_space(c) && !is_one_of(c, kSeparating); });
}

bool stands_free(std::string_view cell, size_t at) {
  const char32_t before = character_before(cell, at);
  return at == 0 || is_python_space(before) || is_one_of(before, kBeforeNumbers);
}

// Does a bracket that is open at `begin` close behind `end`, before another opens?
bool is_in_brackets(std::string_view cell, size_t begin, size_t end) {
  bool open = false;
  any_character(cell.substr(0, begin), [&](char32_t c) {
    if (is_one_of(c, kOpenBrackets)) open = true;
    if (is_one_of(c, kCloseBrackets)) open = false;
    return false;
  });
  if (!open) return false;
  bool closes = false;
  any_character(cell.substr(end), [&](char32_t c) {
    closes = is_one_of(c, kCloseBrackets);
    return closes || is_one_of(c, kOpenBrackets);
  });
  return closes;
}

bool begins_line(std::string_view cell, size_t at) {
  const size_t line = cell.substr(0, at).find_last_of("\r\n");
  return strip(cell.substr(line + 1, at - line - 1)).empty();
}

// Where the number that stands at `at` ends: a dot or bracket behind a character of its own goes with it. kNowhere:
// "1." of 1.5 is none.
size_t end_of_number(std::string_view cell, size_t at, const Numbering& how,
                     const std::string& number) {
  size_t end = at + number.size();
  const auto is_digit_at = [&](size_t place) { return is_digit(character_at(cell, place)); };
  if (how.plain) return number.ends_with('.') && is_digit_at(end) ? kNowhere : end;
  for (const std::string_view mark : kBehindCharacters)
    if (cell.substr(end).starts_with(mark) && !(mark == "." && is_digit_at(end + 1)))
      return end + mark.size();
  return end;
}

struct Place {
  size_t begin, end;
};
// Of every number up to the first that does not stand there.
using Places = std::vector<std::vector<Place>>;

Places places_in(std::string_view cell, const Numbering& how, bool anywhere) {
  Places out;
  for (const std::string& number : how.numbers) {
    std::vector<Place> found;
    for (size_t at = 0; (at = cell.find(number, at)) != kNowhere; at += number.size()) {
      const size_t end = end_of_number(cell, at, how, number);
      if (end == kNowhere || (how.plain && !anywhere && !stands_free(cell, at)) ||
          is_in_brackets(cell, at, at + number.size()))
        continue;
      found.push_back({at, end});
    }
    if (found.empty()) break;
    out.push_back(std::move(found));
  }
  return out;
}

bool follows(std::string_view cell, const Place& one, const Place& next) {
  return next.begin >= one.end && says_something(cell.substr(one.end, next.begin - one.end));
}

// The first place of every number that the ones before lead to.
std::vector<Place> first_chain(std::string_view cell, const Places& places) {
  std::vector<Place> out;
  for (const std::vector<Place>& here : places) {
    const auto next = std::ranges::find_if(
        here, [&](const Place& place) { return out.empty() || follows(cell, out.back(), place); });
    if (next == here.end()) break;
    out.push_back(*next);
  }
  return out;
}

// Of the first `count` numbers the places that have a part in any chain of all of them.
Places chained(std::string_view cell, const Places& places, size_t count) {
  Places out;
  for (size_t i = 0; i < count; ++i) {
    out.emplace_back();
    for (const Place& place : places[i])
      if (i == 0 || std::ranges::any_of(out[i - 1], [&](const Place& before) {
            return follows(cell, before, place);
          }))
        out[i].push_back(place);
  }
  for (size_t i = count; i-- > 0;)
    std::erase_if(out[i], [&](const Place& place) {
      return i + 1 == count ? !says_something(cell.substr(place.end))
                            : std::ranges::none_of(out[i + 1], [&](const Place& next) {
                                return follows(cell, place, next);
                              });
    });
  return out;
}

bool is_one_way(const Places& places) {
  return std::ranges::all_of(places, [](const auto& here) { return here.size() == 1; });
}

Places at_line_begins(std::string_view cell, Places places, size_t numbers) {
  for (size_t i = 0; i < std::min(numbers, places.size()); ++i)
    std::erase_if(places[i], [&](const Place& place) { return !begins_line(cell, place.begin); });
  return places;
}

// What is wrong with a chain of numbers that larger ones do not go on: nothing stands behind its last number, which
// `lacks` says, or they stand further up. A mention of the next number alone is nothing wrong: ⑤ of "④ ⑤번과 같다", where
// white space follows ① and not ⑤.
std::string broken_off(std::string_view cell, const Numbering& how, const Places& places,
                       const std::vector<Place>& chain, bool* lacks) {
  const size_t count = chain.size();
  const std::string& last = how.numbers[count - 1];
  const auto is_spaced = [&](const Place& place) {
    return place.end == cell.size() || is_python_space(character_at(cell, place.end));
  };
  *lacks = !says_something(cell.substr(chain.back().end));
  if (!*lacks && count < places.size()) {
    const std::vector<Place>& next = places[count];
    if (count + 1 == places.size() && is_spaced(chain.front()) &&
        std::ranges::none_of(next, is_spaced))
      return "";
    *lacks = std::ranges::any_of(
        next, [&](const Place& place) { return place.begin >= chain.back().end; });
    if (!*lacks) return how.numbers[count] + " stands before " + last;
  }
  return *lacks ? "nothing stands behind " + last : "";
}

// A comma or the like that ends all parts but the last is none of theirs; of the last it may be left away.
void take_off_separators(std::vector<std::string>* parts) {
  const char32_t separator = character_before(parts->front(), parts->front().size());
  if (!is_one_of(separator, kSeparating)) return;
  const std::string written = to_utf8(std::u32string(1, separator));
  for (size_t i = 0; i + 1 < parts->size(); ++i)
    if (!(*parts)[i].ends_with(written)) return;
  for (std::string& part : *parts)
    if (part.ends_with(written))
      part = std::string(strip(std::string_view(part).substr(0, part.size() - written.size())));
}

// Of numbers behind a question, which may mention some: what stands from the first "①" on that begins a line, where
// others follow it; else all.
Places behind_question(std::string_view cell, const Places& places) {
  if (places.empty()) return places;
  Places out = at_line_begins(cell, places, 1);
  if (out[0].empty()) return places;
  const size_t from = out[0].front().begin;
  for (std::vector<Place>& here : out)
    std::erase_if(here, [&](const Place& place) { return place.begin < from; });
  out.erase(std::ranges::find_if(out, &std::vector<Place>::empty), out.end());
  return first_chain(cell, out).size() > 1 ? out : places;
}

// Where the first number stands: at the beginning of the cell, there and nowhere else that alternatives could begin, or
// anywhere.
enum class First { begins, surely_begins, anywhere };

NumberedCut cut_with(std::string_view cell, const Numbering& how, First first) {
  const bool begins = first == First::begins;
  NumberedCut out;
  const auto find = [&](bool anywhere) {
    Places found = places_in(cell, how, anywhere);
    if (begins && !found.empty())
      std::erase_if(found[0], [](const Place& place) { return place.begin > 0; });
    if (!found.empty() && found[0].empty()) found.clear();
    return found;
  };
  Places places = find(false);
  if (first == First::anywhere) places = behind_question(cell, places);
  std::vector<Place> chain = first_chain(cell, places);
  // "(1)서울(2)부산": f(2) is a number only where no other is.
  if (how.bracketed && chain.size() < 2)
    if (Places close = find(true); first_chain(cell, close).size() > 1) {
      places = std::move(close);
      chain = first_chain(cell, places);
    }
  if (chain.empty() || (!begins && places.size() < 2)) return out;
  const size_t count = chain.size();
  out.problem = broken_off(cell, how, places, chain, &out.lacks);
  if (out.problem.empty() && count < 2)
    out.problem = how.numbers[1] + " is missing behind " + how.numbers[0];
  if (!out.problem.empty()) return out;
  const Places all = chained(cell, places, count);
  Places taken = all;
  if (!is_one_way(taken)) taken = chained(cell, at_line_begins(cell, places, count), count);
  if (!is_one_way(taken)) {
    const auto several =
        std::ranges::find_if(all, [](const auto& here) { return here.size() > 1; });
    out.problem = how.numbers[static_cast<size_t>(several - all.begin())] + " stands there " +
                  (several->size() == 2 ? "twice" : std::to_string(several->size()) + " times");
    return out;
  }
  for (size_t i = 0; i < count; ++i) {
    const size_t from = taken[i][0].end, to = i + 1 < count ? taken[i + 1][0].begin : cell.size();
    out.parts.emplace_back(strip(cell.substr(from, to - from)));
  }
  take_off_separators(&out.parts);
  out.before = std::string(strip(cell.substr(0, taken[0][0].begin)));
  out.first = how.first;
  return out;
}

// `sure`: the first number stands nowhere else where alternatives could begin.
NumberedCut cut_from_beginning(std::string_view cell, bool sure) {
  for (const Numbering& how : numberings()) {
    if (!cell.starts_with(how.numbers[0]) ||
        end_of_number(cell, 0, how, how.numbers[0]) == kNowhere)
      continue;
    return cut_with(cell, how, sure ? First::surely_begins : First::begins);
  }
  return {};
}

NumberedCut cut_composed(const NumberedColumn& column, std::string_view cell) {
  if (column.asked) return cut_with(cell, numberings()[*column.asked], First::anywhere);
  const bool headed = !column.head.empty() && cell.starts_with(column.head);
  if (headed) cell = strip(cell.substr(column.head.size()));
  // Behind a head that is a part of longer words, a number may be one that these mention.
  NumberedCut out = cut_from_beginning(cell, headed);
  if (headed) out.before = std::string(strip(column.head));
  return out;
}

// What stands before any first number in some of the cells, the longest first.
std::vector<std::string> heads_in(const std::vector<std::string>& cells) {
  constexpr size_t kLooked = 5;
  std::set<std::string> found;
  for (size_t i = 0; i < std::min(kLooked, cells.size()); ++i)
    for (const Numbering& how : numberings())
      if (const Places places = places_in(cells[i], how, false); !places.empty())
        for (const Place& place : places[0])
          if (place.begin > 0) found.insert(cells[i].substr(0, place.begin));
  std::vector<std::string> out(found.begin(), found.end());
  std::ranges::stable_sort(out, std::greater(), &std::string::size);
  return out;
}

// Whether `parts_of` gives at least two parts of every cell that says something, and of each as many.
template <class PartsOf>
bool have_as_many(std::span<const std::string_view> cells, const PartsOf& parts_of) {
  size_t parts = 0;
  for (const std::string_view written : cells) {
    const std::string_view cell = strip(written);
    if (cell.empty()) continue;
    const size_t found = parts_of(cell);
    if (found < 2 || (parts > 0 && found != parts)) return false;
    parts = found;
  }
  return parts > 0;
}

}  // namespace

std::string place_from(std::string_view first, size_t index) {
  if (first == "0" || first == "1")
    return std::to_string(static_cast<size_t>(first[0] - '0') + index);
  if (index >= most_from(first)) return "";
  for (const std::string_view letters : {kSyllables, kConsonants})
    if (letters.starts_with(first))
      return std::string(letters.substr(index * kHangulBytes, kHangulBytes));
  const char32_t place = to_code_points(first)[0] + static_cast<char32_t>(index);
  return to_utf8(std::u32string(1, place));
}

std::span<const std::string_view> counting_characters() { return kCounting; }

NumberedColumn numbered_column(std::span<const std::string_view> cells) {
  std::vector<std::string> filled;
  for (const std::string_view cell : cells)
    if (const std::string shown = composed(cell); !strip(shown).empty())
      filled.emplace_back(strip(shown));
  NumberedColumn plain;
  plain.filled = filled.size();
  const auto count = [&](NumberedColumn* column) {
    column->cut = column->almost = 0;
    for (const std::string& cell : filled) {
      const NumberedCut cut = cut_composed(*column, cell);
      column->cut += cut.parts.empty() ? 0 : 1;
      column->almost += cut.problem.empty() ? 0 : 1;
    }
  };
  const auto in_most = [&](const auto& test) {
    return 2 * static_cast<size_t>(std::ranges::count_if(filled, test)) > filled.size();
  };
  count(&plain);
  if (filled.empty() || plain.holds_parts()) return plain;
  for (const std::string& head : heads_in(filled)) {
    if (!in_most([&](const std::string& cell) { return cell.starts_with(head); })) continue;
    NumberedColumn headed = plain;
    headed.head = head;
    count(&headed);
    if (headed.holds_parts()) return headed;
  }
  NumberedColumn best = plain;
  for (size_t i = 0; i < numberings().size(); ++i) {
    const std::string &first = numberings()[i].numbers[0], &second = numberings()[i].numbers[1];
    if (!in_most([&](const std::string& cell) {
          const size_t at = cell.find(first);
          return at != kNowhere && cell.find(second, at) != kNowhere;
        }))
      continue;
    NumberedColumn asked = plain;
    asked.asked = i;
    count(&asked);
    if (asked.holds_parts()) return asked;
    if (!best.holds_numbers() && asked.holds_numbers()) best = asked;
  }
  return best;
}

NumberedCut cut_of(const NumberedColumn& column, std::string_view cell) {
  const std::string shown = composed(cell);
  return cut_composed(column, strip(shown));
}

std::string_view take_off_numbers(std::vector<std::string>* texts) {
  if (texts->size() < 2) return {};
  for (const Numbering& how : numberings()) {
    std::vector<std::string> left;
    for (size_t i = 0; i < std::min(texts->size(), how.numbers.size()); ++i) {
      const std::string_view text = strip((*texts)[i]);
      if (!text.starts_with(how.numbers[i])) break;
      const size_t end = end_of_number(text, 0, how, how.numbers[i]);
      if (end == kNowhere || !says_something(text.substr(end))) break;
      left.emplace_back(strip(text.substr(end)));
    }
    if (left.size() != texts->size()) continue;
    *texts = std::move(left);
    return how.first;
  }
  return {};
}

std::string joint_of_parts(std::span<const std::string_view> cells) {
  for (const char joint : kJointsOfParts)
    if (have_as_many(cells, [&](std::string_view cell) {
          const auto parts = cells_between(cell, joint);
          const bool filled = std::ranges::none_of(
              parts, [](std::string_view part) { return strip(part).empty(); });
          return filled ? parts.size() : 0;
        }))
      return joint == '\n' ? "on lines of their own" : std::string("between \"") + joint + "\"";
  return "";
}

}  // namespace minibert
