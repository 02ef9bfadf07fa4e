#include "words/phrases.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/utf8.h"
#include "rules/particle_pairs.h"

namespace minibert {
namespace {

using Row = std::pair<std::string_view, std::string_view>;  // English, Korean

constexpr Row kPhrases[] = {
#define PHRASE(english, korean) {english, korean},
#define ERROR(english, korean)
#include "words/phrases.def"
#undef PHRASE
#undef ERROR
};
constexpr Row kErrors[] = {
#define PHRASE(english, korean)
#define ERROR(english, korean) {english, korean},
#include "words/phrases.def"
#undef PHRASE
#undef ERROR
};

Language chosen = Language::english;

// The syllable that a word ends in when it is read aloud.
char32_t last_syllable(std::string_view word) {
  constexpr std::u32string_view kDigits = U"영일이삼사오육칠팔구";
  constexpr std::pair<char32_t, char32_t> kClosed[] = {
      {U'l', U'엘'}, {U'm', U'엠'}, {U'n', U'엔'}, {U'r', U'알'}};  // names that end in a consonant
  std::u32string text = to_code_points(word);
  while (!text.empty() && std::u32string_view(U"\"')]}").find(text.back()) != std::u32string::npos)
    text.pop_back();
  if (text.empty()) return U'이';
  const char32_t last = text.back();
  if (last >= U'0' && last <= U'9') return kDigits[last - U'0'];
  for (const auto& [letter, name] : kClosed)
    if (last == letter || last == letter - U'a' + U'A') return name;
  return last < 0x80 ? U'이' : last;
}

// `row` with values in the places of "{0}" and "{0|은|는}".
std::string filled(std::string_view row, const std::vector<std::string>& values) {
  std::string out;
  for (size_t at = 0; at < row.size();) {
    const size_t open = std::min(row.find('{', at), row.size());
    out += row.substr(at, open - at);
    if (open == row.size()) break;
    const size_t close = row.find('}', open);
    const std::string_view place = row.substr(open + 1, close - open - 1);
    const std::string& value = values.at(static_cast<size_t>(place[0] - '0'));
    out += value;
    if (const size_t bar = place.rfind('|'); place.size() > 1) {
      const std::u32string consonant = to_code_points(place.substr(2, bar - 2)),
                           vowel = to_code_points(place.substr(bar + 1));
      const ParticlePair pair{.after_consonant = consonant, .after_vowel = vowel};
      const bool closed = takes_consonant_form(last_syllable(value), pair).value_or(false);
      out += to_utf8(closed ? consonant : vowel);
    }
    at = close + 1;
  }
  return out;
}

// Returns the texts of `line` in the places of a row; nothing if it does not fit.
std::optional<std::vector<std::string>> values_in(std::string_view line, std::string_view row) {
  std::vector<std::string> values;
  for (size_t open; (open = row.find('{')) != row.npos;) {
    if (!line.starts_with(row.substr(0, open))) return std::nullopt;
    line.remove_prefix(open);
    row.remove_prefix(open + 3);  // "{0}"
    const std::string_view next = row.substr(0, row.find('{'));
    const size_t end = next.size() == row.size() ? line.size() - std::min(line.size(), next.size())
                                                 : line.find(next);
    if (end == line.npos) return std::nullopt;
    values.emplace_back(line.substr(0, end));
    line.remove_prefix(end);
  }
  if (line != row) return std::nullopt;
  return values;
}

}  // namespace

void set_language(Language language) { chosen = language; }

Language language() { return chosen; }

std::string phrase(std::string_view english, const std::vector<std::string>& values, Language in) {
  const auto row = std::ranges::find(kPhrases, english, &Row::first);
  const bool is_korean = in == Language::korean && row != std::end(kPhrases);
  const std::string_view said = is_korean ? row->second : english;
  return values.empty() ? std::string(said) : filled(said, values);
}

std::string told(const std::string& line) {
  if (chosen == Language::english) return line;
  for (const auto& [english, korean] : kErrors)
    if (const auto values = values_in(line, english)) return filled(korean, *values);
  return line;
}

}  // namespace minibert
