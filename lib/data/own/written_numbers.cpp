#include "data/own/written_numbers.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/characters.h"
#include "core/excerpt.h"
#include "core/text.h"
#include "data/tables/table.h"
#include "text/composed.h"
#include "text/python_text.h"

namespace minibert {
namespace {

constexpr std::string_view kDecimalComma = "#,#";
// What stands behind the number of a score, whatever the other cells say.
constexpr std::string_view kScoreUnits[] = {"점", "%", "％", "명", "원", "개"};
// In CP949 a backslash is shown as ₩.
constexpr std::string_view kCurrencies[] = {"US$", "$", "₩", "￦", "\\", "€", "£", "¥", "￥"};
constexpr std::string_view kWon[] = {"₩", "￦", "\\"};
// Of these the number tells which, and not how many.
constexpr std::string_view kOrdinals[] = {
    "번", "반",   "조", "모둠", "학년", "학기", "년",   "년도",   "월",   "일",
    "호", "호선", "차", "차시", "회차", "주차", "권",   "장",     "과",   "교시",
    "팀", "단원", "부", "편",   "동",   "번째", "번지", "학년도", "세대", "기"};
struct Stars {
  std::string_view full, empty;
};
constexpr Stars kStars[] = {{"★", "☆"}, {"⭐", "☆"}, {"♥", "♡"}};
constexpr std::string_view kAsEmoji = "\xef\xb8\x8f";  // U+FE0F, which nobody sees

// How many ones, or how many of the smallest, a mark behind a number stands for.
struct Scale {
  std::string_view name;
  int64_t ones;
};
using Scales = std::span<const Scale>;
constexpr Scale kAmounts[] = {{"조", 1'000'000'000'000},
                              {"억", 100'000'000},
                              {"만", 10'000},
                              {"천", 1000},
                              {"백", 100},
                              {"십", 10}};
constexpr int64_t kLeastLarge = 10'000;  // 만, 억 and 조 count what all before them say
constexpr Scale kHours[] = {{"시간", 3600}, {"분", 60}, {"초", 1}};
constexpr Scale kYears[] = {{"년", 12}, {"개월", 1}};
constexpr Scales kTimes[] = {kHours, kYears};
// What amounts count. Of other words it is not known whether 만 or 천 begins them.
constexpr std::string_view kCounted[] = {"원", "달러", "불", "엔", "유로", "위안", "명", "개", "회",
                                         "건", "표",   "대", "주", "톤",   "평",   "㎡", "점"};

bool is_latin(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

template <class Words>
bool is_among(const Words& words, std::string_view word) {
  return std::ranges::find(words, word) != std::end(words);
}

// Takes the first of the words that the text begins with off it; empty: none.
template <class Words>
std::string_view take_word(const Words& words, std::string_view* text) {
  for (const std::string_view word : words)
    if (text->starts_with(word)) {
      text->remove_prefix(word.size());
      return word;
    }
  return "";
}

const Scale* scale_before(Scales scales, std::string_view text) {
  for (const Scale& scale : scales)
    if (text.starts_with(scale.name)) return &scale;
  return nullptr;
}

// The end of the digits, points and commas from `begin` on.
size_t end_of_digits(std::string_view text, size_t begin) {
  while (begin < text.size() && (is_digit(text[begin]) || text[begin] == '.' || text[begin] == ','))
    ++begin;
  return begin;
}

std::string unspaced(std::string_view text) {
  std::string out(text);
  std::erase(out, ' ');
  return out;
}

// A number without its unit.
bool has_decimal_comma(std::string_view number) {
  return std::ranges::count(number, ',') == 1 && !has_grouped_digits(number);
}

// How many stars a cell has that holds nothing else.
std::optional<size_t> stars_in(std::string_view cell, const Stars& stars) {
  size_t full = 0, all = 0;
  for (cell = strip(cell); !cell.empty(); cell = strip(cell)) {
    const std::string_view marks[] = {stars.full, stars.empty, kAsEmoji};
    const std::string_view mark = take_word(marks, &cell);
    if (mark.empty()) return std::nullopt;
    full += mark == stars.full ? 1 : 0;
    all += mark == kAsEmoji ? 0 : 1;
  }
  return all > 0 ? std::optional(full) : std::nullopt;
}

// --- One number with a unit ---

// Whether it can be a unit: it begins with a letter or symbol, and holds no number that may be another value.
bool can_be_unit(std::string_view text) {
  constexpr size_t kLongest = 40;  // bytes
  constexpr std::string_view kFirst = "%$'\"/", kBetween[] = {"–", "—", "～", "…", "·"};
  if (text.empty()) return true;
  if (text.size() > kLongest || text.find('#') != std::string_view::npos) return false;
  for (const std::string_view between : kBetween)
    if (text.starts_with(between)) return false;
  if (!is_latin(text[0]) && static_cast<unsigned char>(text[0]) < 0x80 &&
      kFirst.find(text[0]) == std::string_view::npos)
    return false;
  bool ratio = false;
  for (size_t at = 0; at < text.size(); ++at) {
    if (!is_digit(text[at])) continue;
    const std::string_view before = strip(text.substr(0, at));
    if (before.ends_with('/') && !ratio) {  // "/5", "/10점"
      ratio = true;
      at = end_of_digits(text, at) - 1;
    } else if (at == 0 || !is_latin(text[at - 1])) {  // but for "m2"
      return false;
    }
  }
  return text != "/";
}

struct WithUnit {
  std::string_view before;
  std::string number, unit;
};

// A cell cut into its number and what stands around that.
std::optional<WithUnit> cut_at_unit(std::string_view written) {
  const std::string_view cell = strip(written);
  if (is_number(cell)) return WithUnit{"", std::string(cell), ""};
  std::string_view rest = cell;
  const bool minus = rest.starts_with('-');
  if (minus) rest.remove_prefix(1);
  const std::string_view currency = take_word(kCurrencies, &rest);
  rest = currency.empty() ? cell : strip(rest);
  const size_t begin = rest.starts_with('-') ? 1 : 0;
  size_t end = end_of_digits(rest, begin);
  if (end == begin) return std::nullopt;
  if (end + 1 < rest.size() && (rest[end] == 'e' || rest[end] == 'E') &&
      (is_digit(rest[end + 1]) || rest[end + 1] == '-' || rest[end + 1] == '+')) {
    size_t power = end + 2;
    while (power < rest.size() && is_digit(rest[power])) ++power;
    if (is_number(rest.substr(0, power))) end = power;
  }
  WithUnit out{currency, (minus && !currency.empty() ? "-" : "") + std::string(rest.substr(0, end)),
               composed(strip(rest.substr(end)))};
  return can_be_unit(out.unit) ? std::optional(out) : std::nullopt;
}

std::optional<std::string> way_of_one(std::span<const std::string_view> cells) {
  std::optional<WithUnit> first;
  bool commas = false, groups = false, points = false;
  for (const std::string_view cell : cells) {
    const std::optional<WithUnit> one = cut_at_unit(cell);
    if (!one) return std::nullopt;
    if (!first) first = one;
    if (one->before != first->before || unspaced(one->unit) != unspaced(first->unit))
      return std::nullopt;
    const bool comma = has_decimal_comma(one->number);
    if (!number_written(one->number, comma ? kDecimalComma : kAnyNumber)) return std::nullopt;
    commas = commas || comma;
    groups = groups || has_grouped_digits(one->number);
    points = points || one->number.find('.') != std::string::npos;
  }
  // A comma is one thing in all cells.
  if (!first || (commas && (groups || points))) return std::nullopt;
  if (!commas && !groups && first->before.empty() && first->unit.empty()) return "";
  return std::string(first->before) + std::string(commas ? kDecimalComma : kAnyNumber) +
         first->unit;
}

// --- Numbers in several parts ---

// All is counted in thousandths, so that sums are exact.
constexpr int64_t kThousandths = 1000;

std::optional<int64_t> whole_product(int64_t one, int64_t other) {  // of none below 0
  if (one > 0 && other > std::numeric_limits<int64_t>::max() / one) return std::nullopt;
  return one * other;
}

struct Decimal {
  int64_t digits = 1;
  int places = 0;
};

std::optional<Decimal> decimal_of(std::string_view text) {
  constexpr size_t kMostDigits = 15;
  const std::optional<std::string> number = number_written(text, kAnyNumber);
  if (!number || number->size() > kMostDigits) return std::nullopt;
  Decimal out{0, 0};
  bool point = false;
  for (const char c : *number) {
    if (c == '.' && !point) {
      point = true;
      continue;
    }
    if (!is_digit(c)) return std::nullopt;
    out.digits = out.digits * 10 + (c - '0');
    out.places += point ? 1 : 0;
  }
  return out;
}

// In thousandths; nothing where it has smaller parts or is too large.
std::optional<int64_t> in_thousandths(const Decimal& number, int64_t ones) {
  std::optional<int64_t> out = whole_product(number.digits, ones);
  if (out) out = whole_product(*out, kThousandths);
  for (int place = 0; out && place < number.places; ++place)
    out = *out % 10 == 0 ? std::optional(*out / 10) : std::nullopt;
  return out;
}

std::string number_text(int64_t thousandths, bool minus) {
  std::string out =
      (minus && thousandths > 0 ? "-" : "") + std::to_string(thousandths / kThousandths);
  int64_t part = thousandths % kThousandths;
  if (part == 0) return out;
  out += '.';
  for (int64_t place = kThousandths / 10; part > 0; part %= place, place /= 10)
    out += static_cast<char>('0' + part / place);
  return out;
}

// What a cell says in parts: "15억 9,000만원" has the marks 억 and 만.
struct Parts {
  int64_t thousandths = 0;
  bool minus = false;
  unsigned marks = 0;         // bits, by their place among the scales
  std::string unit;           // of an amount
  std::string_view left_out;  // the mark that is meant behind 억 or 조: 만 of "3억 5000"
};

// Adds up an amount as it is read.
class Amount {
 public:
  // False where the number cannot stand here.
  bool add(const Decimal& number) {
    if (number_) return false;
    number_ = number;
    return true;
  }

  bool count(const Scale& scale) {
    if (scale.ones < kLeastLarge) {
      const std::optional<int64_t> part = in_thousandths(number_.value_or(Decimal()), scale.ones);
      number_.reset();
      return below(part, &last_small_, scale.ones) && plus(*part, &section_);
    }
    if (!number_ && section_ == 0) return false;
    std::optional<int64_t> part;
    if (section_ == 0)  // 2.35123억 has more places than a section
      part = in_thousandths(*number_, scale.ones);
    else if (close_section())
      part = whole_product(section_, scale.ones);
    number_.reset();
    section_ = 0;
    last_small_ = kNone;
    return below(part, &last_large_, scale.ones) && plus(*part, &total_);
  }

  // With all that stands behind the last of 조, 억 and 만. Behind 억 and 조 people leave the next mark out: 3억 5000 and 3억
  // 5천 are 3억 5,000만, and 3억 5천원 may be either.
  std::optional<int64_t> sum(bool has_unit) {
    const bool spelt = section_ > 0;
    if (!close_section()) return std::nullopt;
    if (section_ > 0 && last_large_ > kLeastLarge && last_large_ < kNone) {
      if (has_unit && spelt) return std::nullopt;
      if (!has_unit) {
        if (section_ >= kLeastLarge * kThousandths || section_ % kThousandths != 0)
          return std::nullopt;
        left_out_ = last_large_ / kLeastLarge;
        section_ *= left_out_;
      }
    }
    if (section_ / kThousandths >= last_large_ || !plus(section_, &total_)) return std::nullopt;
    return total_;
  }

  // The ones of the mark that sum() took as left out; 0: none.
  int64_t left_out() const { return left_out_; }

 private:
  static constexpr int64_t kNone = std::numeric_limits<int64_t>::max();

  static bool plus(int64_t part, int64_t* sum) {
    if (part > kNone - *sum) return false;
    *sum += part;
    return true;
  }

  // Each mark is smaller than the one before it, and so is all that it counts.
  static bool below(const std::optional<int64_t>& part, int64_t* last, int64_t ones) {
    if (!part || ones >= *last || *part / kThousandths >= *last) return false;
    *last = ones;
    return true;
  }

  // Adds what stands alone behind 천, 백 and 십.
  bool close_section() {
    if (!number_) return true;
    const std::optional<int64_t> part = in_thousandths(*number_, 1);
    number_.reset();
    return part && *part / kThousandths < last_small_ && plus(*part, &section_);
  }

  int64_t total_ = 0, section_ = 0, last_large_ = kNone, last_small_ = kNone, left_out_ = 0;
  std::optional<Decimal> number_;
};

std::optional<Parts> amount_in(std::string_view written) {
  const std::string cell = composed(strip(written));
  std::string_view rest = cell;
  Parts out;
  out.minus = rest.starts_with('-');
  if (out.minus) rest.remove_prefix(1);
  take_word(kWon, &rest);
  rest = strip(rest);
  if (rest.empty() || !is_digit(rest[0])) return std::nullopt;
  Amount amount;
  for (; !rest.empty(); rest = strip(rest)) {
    if (is_digit(rest[0])) {
      const size_t end = end_of_digits(rest, 0);
      const std::optional<Decimal> number = decimal_of(rest.substr(0, end));
      if (!number || !amount.add(*number)) return std::nullopt;
      rest.remove_prefix(end);
    } else if (const Scale* scale = scale_before(kAmounts, rest)) {
      if (!amount.count(*scale)) return std::nullopt;
      out.marks |= 1U << (scale - kAmounts);
      rest.remove_prefix(scale->name.size());
    } else {
      break;
    }
  }
  out.unit = rest;
  if (!rest.empty() && !is_among(kCounted, rest)) return std::nullopt;
  const std::optional<int64_t> sum = amount.sum(!rest.empty());
  if (!sum) return std::nullopt;
  out.thousandths = *sum;
  for (const Scale& scale : kAmounts)
    if (scale.ones == amount.left_out()) out.left_out = scale.name;
  // Among 억 and 만 a number alone may stand for ones or for 만.
  if (out.marks == 0 && out.unit.empty() && out.thousandths != 0) return std::nullopt;
  return out;
}

std::optional<Parts> time_in(std::string_view written, Scales scales) {
  const std::string cell = composed(strip(written));
  std::string_view rest = cell;
  Parts out;
  size_t next = 0;
  for (; !rest.empty(); rest = strip(rest)) {
    const size_t end = end_of_digits(rest, 0);
    const std::optional<Decimal> number = decimal_of(rest.substr(0, end));
    if (!number) return std::nullopt;
    rest = strip(rest.substr(end));
    size_t at = next;
    while (at < scales.size() && !rest.starts_with(scales[at].name)) ++at;
    if (at == scales.size()) return std::nullopt;
    const std::optional<int64_t> part = in_thousandths(*number, scales[at].ones);
    if (!part || (next > 0 && *part / kThousandths >= scales[next - 1].ones)) return std::nullopt;
    if (*part > std::numeric_limits<int64_t>::max() - out.thousandths) return std::nullopt;
    out.thousandths += *part;
    out.marks |= 1U << at;
    next = at + 1;
    rest.remove_prefix(scales[at].name.size());
  }
  return out.marks > 0 ? std::optional(out) : std::nullopt;
}

// "#억 #만원" and "#시간 #분", but not "#,#점".
bool is_in_parts(std::string_view way) {
  return way.starts_with('#') && !way.starts_with(kDecimalComma) &&
         way.find('#', 1) != std::string_view::npos;
}

// What stands behind each "#" of a way.
std::vector<std::string_view> behind_numbers(std::string_view way) {
  std::vector<std::string_view> out;
  while (!way.empty()) {
    way.remove_prefix(way.find('#') + 1);
    const size_t end = std::min(way.find('#'), way.size());
    out.push_back(strip(way.substr(0, end)));
    way.remove_prefix(end);
  }
  return out;
}

// The scales whose marks a way has; null: it has none.
const Scales* scales_of(std::string_view way) {
  static constexpr Scales amounts = kAmounts;
  const std::string_view first = behind_numbers(way).front();
  for (const Scales& scales : kTimes)
    if (std::ranges::find(scales, first, &Scale::name) != scales.end()) return &scales;
  return scale_before(kAmounts, first) != nullptr ? &amounts : nullptr;
}

// The unit of "#억 #만원" is 원.
std::string_view counted_by(std::string_view way) {
  std::string_view last = behind_numbers(way).back();
  if (const Scale* scale = scale_before(kAmounts, last)) last.remove_prefix(scale->name.size());
  return last;
}

std::optional<std::string> number_in_parts(std::string_view cell, std::string_view way) {
  const Scales* scales = scales_of(way);
  if (scales == nullptr) return std::nullopt;
  if (scales->data() == kAmounts) {
    const std::optional<Parts> amount = amount_in(cell);
    if (!amount || (!amount->unit.empty() && amount->unit != counted_by(way))) return std::nullopt;
    return number_text(amount->thousandths, amount->minus);
  }
  const std::optional<Parts> time = time_in(cell, *scales);
  const Scale* last = scale_before(*scales, behind_numbers(way).back());
  if (!time || last == nullptr || time->thousandths % last->ones != 0) return std::nullopt;
  return number_text(time->thousandths / last->ones, false);
}

std::string way_with(unsigned marks, Scales scales) {
  std::vector<std::string> parts;
  for (size_t i = 0; i < scales.size(); ++i)
    if ((marks >> i & 1U) != 0) parts.push_back("#" + std::string(scales[i].name));
  return joined(parts, " ");
}

std::optional<std::string> way_of_amounts(std::span<const std::string_view> cells) {
  unsigned marks = 0;
  std::string unit;
  for (const std::string_view cell : cells) {
    const std::optional<Parts> amount = amount_in(cell);
    if (!amount) return std::nullopt;
    if (unit.empty()) unit = amount->unit;
    if (!amount->unit.empty() && amount->unit != unit) return std::nullopt;
    marks |= amount->marks;
  }
  if (marks == 0) return std::nullopt;
  const bool one = (marks & (marks - 1)) == 0;
  return way_with(marks, kAmounts) + (one ? " #" : "") + unit;
}

std::optional<std::string> way_of_times(std::span<const std::string_view> cells, Scales scales) {
  unsigned marks = 0;
  for (const std::string_view cell : cells) {
    const std::optional<Parts> time = time_in(cell, scales);
    if (!time) return std::nullopt;
    marks |= time->marks;
  }
  if ((marks & (marks - 1)) == 0) return std::nullopt;
  const std::string way = way_with(marks, scales);
  for (const std::string_view cell : cells)
    if (!number_in_parts(cell, way)) return std::nullopt;
  return way;
}

// How many numbers stand in a cell.
size_t numbers_in(std::string_view cell) {
  size_t count = 0;
  for (size_t at = 0; at < cell.size(); ++at)
    if (is_digit(cell[at])) {
      ++count;
      at = end_of_digits(cell, at) - 1;
    }
  return count;
}

// `digits` without a unit behind it, however that is spaced.
std::string_view without_unit(std::string_view digits, std::string_view unit) {
  std::string_view left = digits;
  while (true) {
    while (unit.ends_with(' ')) unit.remove_suffix(1);
    while (left.ends_with(' ')) left.remove_suffix(1);
    if (unit.empty()) return strip(left);
    if (left.empty() || left.back() != unit.back()) return digits;
    left.remove_suffix(1);
    unit.remove_suffix(1);
  }
}

}  // namespace

bool has_grouped_digits(std::string_view cell) {
  const auto digit_at = [&](size_t at) { return at < cell.size() && is_digit(cell[at]); };
  size_t commas = 0;
  for (size_t at = cell.find(','); at != std::string_view::npos; at = cell.find(',', at + 1)) {
    if (at == 0 || !digit_at(at - 1) || digit_at(at + 4)) return false;
    for (size_t digit = at + 1; digit <= at + 3; ++digit)
      if (!digit_at(digit)) return false;
    ++commas;
  }
  return commas > 0;
}

bool counts_stars(std::string_view way) {
  return std::ranges::any_of(kStars, [&](const Stars& stars) { return way == stars.full; });
}

bool has_star(std::string_view text) {
  return std::ranges::any_of(
      kStars, [&](const Stars& stars) { return text.find(stars.full) != text.npos; });
}

bool is_way_of_numbers(std::string_view written, std::string_view name) {
  if (name != kAnyNumber) return false;
  if (counts_stars(written)) return true;
  take_word(kCurrencies, &written);
  return written.starts_with(kAnyNumber);
}

std::optional<std::string> number_written(std::string_view cell, std::string_view way) {
  for (const Stars& stars : kStars)
    if (way == stars.full) {
      const std::optional<size_t> count = stars_in(cell, stars);
      return count ? std::optional(std::to_string(*count)) : std::nullopt;
    }
  if (is_in_parts(way)) return number_in_parts(cell, way);
  std::string_view digits = strip(cell);
  std::string number;
  if (const std::string_view currency = take_word(kCurrencies, &way); !currency.empty()) {
    const std::string_view bare = digits.substr(digits.starts_with('-') ? 1 : 0);
    if (bare.starts_with(currency)) {
      number = digits.starts_with('-') ? "-" : "";
      digits = strip(bare.substr(currency.size()));
    }
  }
  const bool comma = way.starts_with(kDecimalComma);
  const std::string_view unit =
      way.substr(std::min(way.size(), comma ? kDecimalComma.size() : kAnyNumber.size()));
  number += without_unit(digits, unit);
  if (comma && std::ranges::count(number, ',') == 1)
    number[number.find(',')] = '.';
  else if (has_grouped_digits(number))
    std::erase(number, ',');
  return is_number(number) ? std::optional(number) : std::nullopt;
}

std::optional<std::string> way_of_numbers(std::span<const std::string_view> cells) {
  if (cells.empty()) return std::nullopt;
  for (const Stars& stars : kStars) {
    size_t full = 0;
    const bool all = std::ranges::all_of(cells, [&](std::string_view cell) {
      const std::optional<size_t> count = stars_in(cell, stars);
      full += count.value_or(0);
      return count.has_value();
    });
    if (all && full > 0) return std::string(stars.full);
  }
  if (std::optional<std::string> way = way_of_one(cells)) return way;
  if (std::optional<std::string> way = way_of_amounts(cells)) return way;
  for (const Scales& scales : kTimes)
    if (std::optional<std::string> way = way_of_times(cells, scales)) return way;
  return std::nullopt;
}

bool measures(std::string_view way) {
  const size_t number = way.find('#');
  return number == std::string_view::npos || is_in_parts(way) ||
         !is_among(kOrdinals, strip(way.substr(number + 1)));
}

bool is_usual_of_scores(std::string_view way) {
  const size_t number = way.find('#');
  if (number == std::string_view::npos || is_in_parts(way)) return true;  // plain, or stars
  std::string_view unit = way.substr(number);
  unit.remove_prefix(unit.starts_with(kDecimalComma) ? kDecimalComma.size() : kAnyNumber.size());
  return unit.empty() || is_among(kScoreUnits, strip(unit));
}

std::string told_of_parts(std::span<const std::string_view> cells, std::string_view way) {
  if (!is_in_parts(way)) return "";
  const Scales* scales = scales_of(way);
  if (scales == nullptr) return "";
  const bool amounts = scales->data() == kAmounts;
  std::vector<std::string> marks;
  for (const std::string_view behind : behind_numbers(way))
    if (const Scale* scale = scale_before(*scales, behind)) marks.emplace_back(scale->name);
  std::string_view counted = amounts ? counted_by(way) : behind_numbers(way).back();
  if (counted.empty()) counted = "ones";
  // An example says it best that has several parts.
  const auto example = [&](const auto& is_one) -> std::string {
    for (const std::string_view cell : cells) {
      const std::optional<std::string> number = number_written(cell, way);
      if (number && is_one(cell)) return "\"" + excerpt(strip(cell)) + "\" is " + *number;
    }
    return "";
  };
  const auto left_out = [&](std::string_view cell) -> std::string_view {
    const std::optional<Parts> amount = amounts ? amount_in(cell) : std::nullopt;
    return amount ? amount->left_out : std::string_view();
  };
  std::string shown = example(
      [&](std::string_view cell) { return numbers_in(cell) > 1 && left_out(cell).empty(); });
  if (shown.empty())
    shown =
        example([&](std::string_view cell) { return !is_number(cell) && left_out(cell).empty(); });
  std::string out = joined(marks) + " counted as " + std::string(counted);
  if (!shown.empty()) out += ": " + shown;
  const std::string without =
      example([&](std::string_view cell) { return !left_out(cell).empty(); });
  if (!without.empty()) out += "; 만 that is left out behind 억 is meant: " + without;
  return out;
}

}  // namespace minibert
