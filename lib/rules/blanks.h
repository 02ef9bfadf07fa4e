// Recognizes blanks as people write them; the page and fill-mask turn them into masks. Without
// tables and exceptions.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace minibert {

inline constexpr std::u32string_view kMaskCharacters = U"[MASK]";

// Characters [begin, end) of a text; empty: no blank.
struct Blank {
  size_t begin = 0, end = 0;
};

namespace blanks {

inline constexpr std::u32string_view kLines = U"_＿", kSquares = U"□▢◻☐⬜", kCircles = U"○◯〇●■△▲";

// Returns the length of the leading run of characters from `all`.
inline size_t run_of(std::u32string_view text, std::u32string_view all) {
  return std::min(text.find_first_not_of(all), text.size());
}

// Returns the number of leading lines, squares or circles: behind a mask they belong to it.
inline size_t typed_behind(std::u32string_view text) {
  for (const std::u32string_view all : {kLines, kSquares, kCircles})
    if (const size_t more = run_of(text, all)) return more;
  return 0;
}

// Maps full-width forms to ASCII, as the engine's tokenizer does: ［ＭＡＳＫ］ is [MASK].
constexpr char32_t narrow(char32_t c) { return c >= 0xFF01 && c <= 0xFF5E ? c - 0xFEE0 : c; }

// Returns the length of a leading word that people write into a blank's brackets: "mask" or "blank"
// in any case, "빈칸"; 0: none. "(?)" is no blank: it expresses doubt.
inline size_t word_for_blank(std::u32string_view text) {
  for (const std::u32string_view word : {U"mask", U"blank", U"빈칸"})
    if (text.size() >= word.size() &&
        std::equal(word.begin(), word.end(), text.begin(), [](char32_t a, char32_t b) {
          b = narrow(b);
          return a == (b >= U'A' && b <= U'Z' ? b | 0x20 : b);
        }))
      return word.size();
  return 0;
}

// True for a character that names a textbook's blank in brackets: ( ㉠ ), (㉮), and only with spaces
// around it ( ① ), ( ㄱ ), ( ? ). Without spaces (①) numbers a list, and (?) expresses doubt.
constexpr bool numbers_blank(char32_t c, bool spaced) {
  const bool alone = (c >= U'①' && c <= U'⑳') || (c >= U'ㄱ' && c <= U'ㅎ') || c == U'?';
  return (c >= U'㉠' && c <= U'㉻') || (spaced && alone);
}

// Returns the length of leading brackets around nothing or around a word for a blank; 0: none.
inline size_t bracketed(std::u32string_view text) {
  constexpr std::u32string_view kOpen = U"([【<〔{「『《〈", kClose = U")]】>〕}」』》〉",
                                kSpaces = U" \t\u3000\u00A0\u2002\u2003\u2009\u200B";
  constexpr size_t kRound = 0, kAngle = 3;
  const size_t kind = text.empty() ? kOpen.npos : kOpen.find(narrow(text.front()));
  if (kind == kOpen.npos) return 0;
  size_t at = 1 + run_of(text.substr(1), kSpaces);
  size_t word = word_for_blank(text.substr(std::min(at, text.size())));
  if (at < text.size() && numbers_blank(text[at], at > 1)) word = 1;
  // People type "[]" before a mask, or as a list; "< >" compares.
  if (word == 0 && kind != kRound && (kind == kAngle || at == 1)) return 0;
  if (word > 0) at += word + run_of(text.substr(at + word), kSpaces);
  return at < text.size() && narrow(text[at]) == kClose[kind] ? at + 1 : 0;
}

inline bool is_white(char32_t c) {
  return c <= 0x20 || c == 0xA0 || c == 0x3000 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 ||
         c == 0x2029;
}

}  // namespace blanks

// Returns the first blank at or behind the character `from`: "___" (or two lines with text behind
// them), "()", "( )", "[ ]", "[ Mask ]", "<blank>", "(빈칸)", "( ㉠ )", "□", "○○", and "……" in a
// word's place; also a [MASK] with lines, squares or circles right behind it.
inline Blank find_blank(std::u32string_view text, size_t from = 0) {
  using namespace blanks;
  // Also accepts the first jamo of a decomposed syllable.
  const auto is_syllable = [](char32_t c) {
    return (c >= 0xAC00 && c <= 0xD7A3) || (c >= 0x1100 && c <= 0x1112);
  };
  for (size_t at = from; at < text.size(); ++at) {
    const std::u32string_view rest = text.substr(at);
    // Characters typed right behind a mask belong to it.
    if (rest.starts_with(kMaskCharacters)) {
      if (const size_t more = typed_behind(rest.substr(kMaskCharacters.size())))
        return {at, at + kMaskCharacters.size() + more};
      at += kMaskCharacters.size() - 1;
      continue;
    }
    if (const size_t length = bracketed(rest)) return {at, at + length};
    if (const size_t squares = run_of(rest, kSquares)) return {at, at + squares};
    if (const size_t circles = run_of(rest, kCircles); circles > 1) return {at, at + circles};
    // Two lines at the text's end may become three.
    if (const size_t lines = run_of(rest, kLines)) {
      if (lines > 2 || (lines == 2 && lines < rest.size())) return {at, at + lines};
      at += lines - 1;
    }
    // Dots are a blank in a word's place before its particle; elsewhere they are punctuation.
    const bool begins = at == 0 || is_white(text[at - 1]);
    if (const size_t dots = run_of(rest, U"…");
        dots > 1 && begins && dots < rest.size() && is_syllable(rest[dots]))
      return {at, at + dots};
  }
  return {};
}

// Returns the text with [MASK] for every blank. `places` receives, for every character of the
// result, the range of characters of the given text that it stands for.
inline std::u32string with_masks(std::u32string_view text, std::vector<Blank>* places = nullptr) {
  std::u32string out;
  const auto add = [&](std::u32string_view some, Blank from, size_t step) {
    out += some;
    for (size_t i = 0; places != nullptr && i < some.size(); ++i)
      places->push_back({from.begin + i * step, from.end + i * step});
  };
  for (size_t at = 0; at < text.size();) {
    Blank blank = find_blank(text, at);
    const bool found = blank.end > 0;
    const size_t until = found ? blank.begin : text.size();
    add(text.substr(at, until - at), {at, at + 1}, 1);
    if (!found) break;
    while (const size_t more = blanks::typed_behind(text.substr(blank.end))) blank.end += more;
    add(kMaskCharacters, blank, 0);
    at = blank.end;
  }
  return out;
}

}  // namespace minibert
