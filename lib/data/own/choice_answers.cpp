#include "data/own/choice_answers.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/characters.h"
#include "core/error.h"
#include "core/excerpt.h"
#include "core/text.h"
#include "data/own/label_cells.h"
#include "data/own/numbered_cells.h"
#include "data/tables/python_cells.h"
#include "text/composed.h"
#include "text/python_text.h"

namespace minibert {
namespace {

constexpr std::string_view kBehindNumbers = "번";
constexpr std::string_view kAnswerTitles[] = {"정답은", "정답", "답", "Answer", "ANSWER", "answer"};
constexpr std::string_view kColons[] = {":", "：", "="};
constexpr std::string_view kBehindAnswers[] = {")", "）", ".", "．", ":", "："};
constexpr std::pair<std::string_view, std::string_view> kBrackets[] = {
    {"(", ")"}, {"（", "）"}, {"[", "]"}};
constexpr size_t kMostDigits = 3;

bool is_plain_digit(std::string_view text) { return !text.empty() && is_digit(text[0]); }

bool is_ascii_letter(std::string_view text) {
  return !text.empty() &&
         ((text[0] >= 'a' && text[0] <= 'z') || (text[0] >= 'A' && text[0] <= 'Z'));
}

// Are these numbers letters of Hangul, in characters of their own or not?
bool is_hangul(std::string_view first) {
  return !first.empty() && !is_plain_digit(first) && !is_ascii_letter(first) &&
         std::ranges::find(counting_characters(), first) == counting_characters().end();
}

// Takes the first of `these` that a text begins with off it.
template <class Range>
bool take_off(std::string_view* text, const Range& these) {
  for (const std::string_view one : these)
    if (text->starts_with(one)) {
      text->remove_prefix(one.size());
      return true;
    }
  return false;
}

// What stands behind "정답:" and the like; all of another text.
std::string_view untitled(std::string_view answer) {
  std::string_view out = answer;
  if (!take_off(&out, kAnswerTitles)) return answer;
  out = strip(out);
  take_off(&out, kColons);
  out = strip(out);
  return out.empty() ? answer : out;
}

// A number at the beginning of an answer.
struct Said {
  size_t number = 0;  // from 1, or from 0 where it is bare
  bool bare = false;  // plain digits and no 번
  bool letter = false;
  bool parted = false;         // from what follows, as ① is and a digit or letter is not
  std::string_view rest = {};  // what stands behind it
};

// A number's own characters, taken off `text`. `first`: of the alternatives' numbers.
std::optional<Said> digits_or_letter(std::string_view* text, std::string_view first) {
  Said out;
  if (is_plain_digit(*text)) {
    size_t size = 0;
    while (size < text->size() && size < kMostDigits && is_digit((*text)[size]))
      out.number = 10 * out.number + static_cast<size_t>((*text)[size++] - '0');
    text->remove_prefix(size);
    out.bare = true;
    return out;
  }
  if (is_ascii_letter(*text)) {
    out.number = static_cast<size_t>(((*text)[0] | 0x20) - 'a') + 1;
    out.letter = true;
    text->remove_prefix(1);
    return out;
  }
  const auto take_from = [&](std::string_view series) {
    for (size_t i = 0; i < kMostChoices; ++i)
      if (const std::string one = place_from(series, i); !one.empty() && text->starts_with(one)) {
        out.number = i + 1;
        text->remove_prefix(one.size());
        return true;
      }
    return false;
  };
  for (const std::string_view series : counting_characters()) {
    if (!take_from(series)) continue;
    out.letter = series == "ⓐ" || series == "Ⓐ" || series == "⒜";
    out.parted = true;
    return out;
  }
  if (!is_hangul(first) || !take_from(first)) return std::nullopt;
  out.letter = true;
  out.parted = first != "가" && first != "ㄱ";
  return out;
}

// The place of the one in "[0, 1, 0]", which says of each alternative whether it is right, as TruthfulQA does.
std::optional<Said> marked_in(std::string_view answer, size_t alternatives) {
  if (!answer.starts_with('[')) return std::nullopt;
  const nlohmann::json marks = python_value(answer);
  if (!marks.is_array() || marks.size() != alternatives) return std::nullopt;
  std::optional<Said> out;
  for (size_t i = 0; i < marks.size(); ++i) {
    if (!marks[i].is_boolean() && marks[i] != 0 && marks[i] != 1) return std::nullopt;
    if (marks[i] == false || marks[i] == 0) continue;
    if (out) return std::nullopt;
    out = Said{.number = i + 1, .parted = true};
  }
  return out;
}

std::optional<Said> number_in(std::string_view answer, const Alternatives& row) {
  if (const auto marked = marked_in(answer, row.texts.size())) return marked;
  const std::string_view first = row.first;
  std::string_view rest = untitled(answer);
  if (const std::string_view whole = whole_number(rest); is_plain_digit(whole))
    rest = whole.size() <= kMostDigits ? whole : rest;  // "2.0", as a table has it that lacks some
  std::string_view closing;
  for (const auto& [open, close] : kBrackets)
    if (closing.empty() && rest.starts_with(open)) {
      rest = strip(rest.substr(open.size()));
      closing = close;
    }
  std::optional<Said> out = digits_or_letter(&rest, first);
  if (!out) return std::nullopt;
  const auto take_off_number = [&] {
    const std::string_view behind = strip(rest);
    if (out->letter || !behind.starts_with(kBehindNumbers)) return;
    rest = behind.substr(kBehindNumbers.size());
    out->bare = out->parted = false;
  };
  take_off_number();
  if (!closing.empty()) {
    rest = strip(rest);
    if (!rest.starts_with(closing)) return std::nullopt;
    rest.remove_prefix(closing.size());
    out->parted = true;
    take_off_number();
  } else if (!(rest.size() > 1 && rest[0] == '.' && is_digit(rest[1])) &&
             take_off(&rest, kBehindAnswers)) {
    out->parted = true;
  }
  const std::string_view behind = strip(rest);
  if (!behind.empty() && !out->parted && behind.data() == rest.data()) return std::nullopt;
  out->rest = behind;
  return out;
}

bool is_text(std::string_view text, const std::string& choice) {
  return composed(strip(choice)) == text;
}

// The alternative whose text an answer is; their number if it is none.
size_t index_by_text(std::string_view answer, const Alternatives& row) {
  for (const std::string_view text : {answer, untitled(answer)})
    for (size_t i = 0; i < row.texts.size(); ++i)
      if (is_text(text, row.texts[i])) return i;
  return row.texts.size();
}

size_t index_of(const Said& said, const Alternatives& row, bool from_0) {
  const size_t size = row.texts.size(), from = said.bare && from_0 ? 0 : 1;
  if (said.number < from || said.number - from >= size) return size;
  const size_t index = said.number - from;
  return said.rest.empty() || is_text(said.rest, row.texts[index]) ? index : size;
}

// The number that an answer may be, counted from 0 or 1.
std::optional<Said> possible_number(std::string_view answer, const Alternatives& row) {
  std::optional<Said> said = number_in(answer, row);
  const size_t size = row.texts.size();
  if (said && index_of(*said, row, false) == size && index_of(*said, row, true) == size)
    said.reset();
  return said;
}

}  // namespace

bool may_answer(std::string_view answer, const Alternatives& row) {
  return possible_number(answer, row) || index_by_text(answer, row) < row.texts.size();
}

void ChoiceAnswers::look_at(std::string_view answer, const Alternatives& row) {
  const std::optional<Said> said = possible_number(answer, row);
  const bool text = index_by_text(answer, row) < row.texts.size();
  ++filled_;
  numbers_ += said ? 1 : 0;
  texts_ += text ? 1 : 0;
  texts_alone_ += text && !said ? 1 : 0;
  if (said) {
    counted_ += said->letter ? 0 : 1;
    bare_ += said->bare ? 1 : 0;
    zeros_ += said->bare && said->number == 0 ? 1 : 0;
    lasts_ += said->bare && said->number == row.texts.size() ? 1 : 0;
  }
  are_numbers_ = are_numbers_ || std::ranges::any_of(row.texts, [&](const std::string& choice) {
                   return possible_number(composed(strip(choice)), row).has_value();
                 });
}

bool ChoiceAnswers::by_number() const {
  return !are_numbers_ || numbers_ == filled_ ||
         (texts_ < filled_ && 2 * numbers_ > filled_ && numbers_ > texts_);
}

bool ChoiceAnswers::by_text() const { return !are_numbers_ || !by_number(); }

// 0 and the number of the last do not go together: the rarer is the slip.
bool ChoiceAnswers::from_0() const { return zeros_ > lasts_; }

std::string ChoiceAnswers::right(std::string_view answer, const Alternatives& row,
                                 const std::string& where) const {
  const size_t size = row.texts.size();
  size_t index = size;
  if (by_number())
    if (const std::optional<Said> said = number_in(answer, row); said)
      index = index_of(*said, row, from_0());
  if (index == size && by_text()) index = index_by_text(answer, row);
  if (index < size) return std::to_string(index + 1);
  std::string numbers;
  if (by_number()) {
    const std::string last = std::to_string(size);
    std::vector<std::string> ways;
    const auto add = [&](const std::string& way) {
      if (!way.empty()) ways.push_back(way);
    };
    add(place_from("①", size - 1));
    if (!from_0()) add("(" + last + ")"), add(last + std::string(kBehindNumbers));
    add(place_from(is_hangul(row.first) ? row.first : "A", size - 1));
    numbers = (from_0() ? "0 to " + std::to_string(size - 1) : "1 to " + last) + " (also " +
              joined(ways) + ")";
  }
  const std::string text = by_text() ? "the text of an alternative" : "";
  throw Error(where + ": found the answer \"" + excerpt(answer) + "\", expected " + numbers +
              (numbers.empty() || text.empty() ? "" : " or ") + text + ", one alone" +
              (by_number() ? "" : "; alternatives are numbers here, so that answers are texts"));
}

std::string ChoiceAnswers::told() const {
  if (!by_number() || counted_ == 0) return "";
  const bool guessed = bare_ == counted_ && zeros_ == 0 && lasts_ == 0;
  return std::string("answers: numbers of alternatives, counted from ") + (from_0() ? "0" : "1") +
         (guessed ? " (a guess: neither 0 nor the number of the last is among them)" : "") +
         (texts_alone_ > 0 && by_text()
              ? ", and in " + count_of(texts_alone_, "row", "rows") + " the text"
              : "");
}

}  // namespace minibert
