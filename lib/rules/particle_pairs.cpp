#include "rules/particle_pairs.h"

#include "text/korean.h"

namespace minibert {
namespace {

using Forms =
    std::pair<std::u32string_view, std::u32string_view>;  // after a consonant, after a vowel

constexpr Forms kForms[] = {
    {U"을", U"를"},   {U"은", U"는"},   {U"이", U"가"},   {U"과", U"와"}, {U"으로", U"로"},
    {U"이나", U"나"}, {U"이랑", U"랑"}, {U"이라", U"라"}, {U"아", U"야"}, {U"이에요", U"예요"}};
// What stands in brackets before a form that both share: (으)로써, (이)며.
constexpr std::u32string_view kBefore[] = {U"으", U"이"};

// The length of `wanted`, in which ( ) / stand for their full-width forms, too, that the text begins with; or 0.
size_t begins(std::u32string_view text, std::u32string_view wanted) {
  if (text.size() < wanted.size()) return 0;
  for (size_t i = 0; i < wanted.size(); ++i)
    if (blanks::narrow(text[i]) != wanted[i]) return 0;
  return wanted.size();
}

// The length of a pair of these forms that the text begins with, written in any way.
size_t length_of(std::u32string_view text, std::u32string_view a, std::u32string_view b) {
  std::u32string ways[3] = {std::u32string(a), std::u32string(a), U"("};
  ways[0].append(U"(").append(b).append(U")");
  ways[1].append(U"/").append(b);
  ways[2].append(a).append(U")").append(b);
  for (const std::u32string& way : ways)
    if (const size_t length = begins(text, way)) return length;
  return 0;
}

// The pair that the text begins with, its places counted from there.
std::optional<ParticlePair> pair_at(std::u32string_view text) {
  const auto goes_on = [&](size_t at) { return at < text.size() && is_hangul_syllable(text[at]); };
  for (const auto& [consonant, vowel] : kForms) {
    size_t length = length_of(text, consonant, vowel);
    if (length == 0) length = length_of(text, vowel, consonant);
    if (length > 0 && !goes_on(length)) return ParticlePair{0, 0, length, consonant, vowel};
  }
  for (const std::u32string_view before : kBefore) {
    const size_t length = begins(text, std::u32string(U"(").append(before).append(U")"));
    if (length > 0 && goes_on(length)) return ParticlePair{0, 0, length, before, U""};
  }
  return std::nullopt;
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
  if (!is_hangul_syllable(last)) return std::nullopt;
  // (으)로, whose 로 stands behind the pair, is one of 으.
  const std::u32string_view particle = pair.after_consonant.starts_with(U"으") ? U"으로" : U"은";
  return agreeing_particle(std::u32string_view(&last, 1), particle) == particle;
}

}  // namespace minibert
