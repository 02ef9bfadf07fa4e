#include "rules/particle_pairs.h"

namespace minibert {
namespace {

constexpr bool is_syllable(char32_t c) { return c >= U'가' && c <= U'힣'; }

using Forms =
    std::pair<std::u32string_view, std::u32string_view>;  // after a consonant, after a vowel

// Others differ by a 이 or 으 in front: 이나, 나; 으로써, 로써.
constexpr Forms kForms[] = {{U"을", U"를"},       {U"은", U"는"},       {U"이", U"가"},
                            {U"과", U"와"},       {U"아", U"야"},       {U"이었", U"였"},
                            {U"이었다", U"였다"}, {U"이에요", U"예요"}, {U"으로", U"로"}};
constexpr std::u32string_view kInFront[] = {U"으", U"이"};
constexpr size_t kLongest = 4;  // syllables of a form

// Returns both forms if `a` and `b` are forms of one particle. Behind a space ("spaced") only
// listed pairs count: "( ) 이것/것" has nouns.
std::optional<Forms> forms_of(std::u32string_view a, std::u32string_view b, bool spaced) {
  for (const auto& [one, other] : {Forms{a, b}, Forms{b, a}}) {
    for (const Forms& forms : kForms)
      if (forms == Forms{one, other}) return forms;
    for (const std::u32string_view front : kInFront)
      if (!spaced && !other.empty() && one.size() == front.size() + other.size() &&
          one.starts_with(front) && one.ends_with(other))
        return Forms{one, other};
  }
  return std::nullopt;
}

// Reads a text from its beginning on.
struct Reader {
  std::u32string_view text;
  size_t at = 0;
  char32_t next() const { return at < text.size() ? blanks::narrow(text[at]) : U'\0'; }
  bool take(std::u32string_view any) {
    if (next() == U'\0' || any.find(next()) == any.npos) return false;
    ++at;
    return true;
  }
  std::u32string_view syllables() {
    const size_t begin = at;
    while (at < text.size() && is_syllable(text[at])) ++at;
    return text.substr(begin, at - begin);
  }
};

// Marks between a mask and its particle: "____"이/가.
constexpr std::u32string_view kQuotes = U"'\"’”」』》〉";
constexpr std::u32string_view kOpen = U"([{", kClose = U")]}", kBetween = U"/·|";

// The pair that the text begins with, its places counted from there: 을(를), (을)를, 을/를, (을/를), (으)로.
std::optional<ParticlePair> pair_at(std::u32string_view text) {
  Reader reader{text};
  while (reader.take(kQuotes)) {
  }
  const size_t begin = reader.at;
  reader.take(U" ");
  const bool spaced = reader.at > begin;
  const char32_t open = reader.next();
  const bool bracketed = reader.take(kOpen);
  if (bracketed) reader.take(U" ");
  const std::u32string_view one = reader.syllables();
  if (one.empty() || one.size() > kLongest) return std::nullopt;
  const auto closes = [&] {
    return reader.next() != U'\0' && kClose.find(reader.next()) == kOpen.find(open) &&
           reader.take(kClose);
  };
  if (bracketed && closes()) {
    // (을)를, or (으) before the shared part of both forms. Behind a space a bracket is another.
    const std::u32string_view other = reader.syllables();
    if (spaced || other.empty()) return std::nullopt;
    const size_t first = reader.at - other.size();
    if (const auto forms = forms_of(one, other, spaced))
      return ParticlePair{0, begin, reader.at, forms->first, forms->second};
    for (const std::u32string_view front : kInFront)
      if (one == front) return ParticlePair{0, begin, first, front, U""};
    return std::nullopt;
  }
  const bool behind_one = reader.take(U" ");
  if (bracketed || kBetween.find(reader.next()) != kBetween.npos) {
    if (reader.next() == U'\0' || !reader.take(kBetween)) return std::nullopt;
    reader.take(U" ");
    const auto forms = forms_of(one, reader.syllables(), spaced);
    if (bracketed) {
      reader.take(U" ");
      if (!closes()) return std::nullopt;
    }
    if (!forms || (reader.next() != U'\0' && kBetween.find(reader.next()) != kBetween.npos))
      return std::nullopt;  // 을/를/이/가 says nothing of one particle
    return ParticlePair{0, begin, reader.at, forms->first, forms->second};
  }
  // 을(를), also 을 (를).
  if (behind_one && reader.next() != U'(') return std::nullopt;
  if (!reader.take(U"(")) return std::nullopt;
  const auto forms = forms_of(one, reader.syllables(), spaced);
  if (!forms || !reader.take(U")") || is_syllable(reader.next())) return std::nullopt;
  return ParticlePair{0, begin, reader.at, forms->first, forms->second};
}

}  // namespace

std::optional<ParticlePair> find_particle_pair(std::u32string_view text) {
  size_t mask = 0;
  for (size_t at = text.find(kMaskCharacters); at != text.npos;
       at = text.find(kMaskCharacters, at), ++mask) {
    at += kMaskCharacters.size();
    std::optional<ParticlePair> pair = pair_at(text.substr(at));
    if (!pair) continue;
    pair->mask = mask;
    pair->begin += at, pair->end += at;
    return pair;
  }
  return std::nullopt;
}

std::optional<bool> takes_consonant_form(char32_t last, const ParticlePair& pair) {
  if (!is_syllable(last)) return std::nullopt;
  constexpr char32_t kFinals = 28, kNone = 0, kRieul = 8;
  const char32_t final = (last - U'가') % kFinals;
  // 로 follows ㄹ as it does a vowel; in (으)로 it stands behind the pair.
  return final != kNone && !(final == kRieul && pair.after_consonant.starts_with(U"으"));
}

}  // namespace minibert
