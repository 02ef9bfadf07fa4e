// Particles and predicates by the arithmetic of Hangul syllables (Unicode 14, section 3.12).
#include "text/korean.h"

#include <algorithm>
#include <array>

namespace minibert {
namespace {

constexpr char32_t kFirst = 0xac00, kLast = 0xd7a3;
constexpr int kFinals = 28, kVowels = 21;
// Final consonants and vowels by their index in a syllable.
enum Final { kNoFinal = 0, kNieun = 4, kRieul = 8, kBieup = 17, kBieupSiot = 18, kSsangSiot = 20 };
enum Vowel { kYeo = 6, kEu = 18, kI = 20 };

int final_of(char32_t c) { return static_cast<int>(c - kFirst) % kFinals; }
int vowel_of(char32_t c) { return static_cast<int>(c - kFirst) / kFinals % kVowels; }
char32_t with_final(char32_t c, int final) {
  return static_cast<char32_t>(c - static_cast<char32_t>(final_of(c)) +
                               static_cast<char32_t>(final));
}
char32_t with_vowel(char32_t c, int vowel) {
  return static_cast<char32_t>(static_cast<int>(c) + (vowel - vowel_of(c)) * kFinals);
}

struct Particle {
  std::u32string_view after_consonant, after_vowel;
  ParticleKind kind;
};
using enum ParticleKind;
constexpr Particle kParticles[] = {
    {U"은", U"는", topic},         {U"이", U"가", subject},
    {U"을", U"를", object},        {U"의", U"의", of},
    {U"과", U"와", other},         {U"과의", U"와의", other},
    {U"과는", U"와는", other},     {U"으로", U"로", other},
    {U"으로는", U"로는", other},   {U"으로도", U"로도", other},
    {U"으로서", U"로서", other},   {U"으로써", U"로써", other},
    {U"으로의", U"로의", other},   {U"으로부터", U"로부터", other},
    {U"에", U"에", other},         {U"에는", U"에는", other},
    {U"에도", U"에도", other},     {U"에서", U"에서", other},
    {U"에서는", U"에서는", other}, {U"에서도", U"에서도", other},
    {U"에서의", U"에서의", of},    {U"에게", U"에게", other},
    {U"에게는", U"에게는", other}, {U"에게서", U"에게서", other},
    {U"까지", U"까지", other},     {U"까지는", U"까지는", other},
    {U"까지의", U"까지의", of},    {U"부터", U"부터", other},
    {U"부터는", U"부터는", other}, {U"도", U"도", other},
    {U"만", U"만", other},         {U"만이", U"만이", other},
    {U"보다", U"보다", other},     {U"처럼", U"처럼", other},
    {U"께서", U"께서", subject},   {U"이나", U"나", other},
    {U"이라는", U"라는", other},   {U"이라고", U"라고", other},
    {U"이란", U"란", other},       {U"이다", U"이다", copula},
    {U"이다", U"다", copula},      {U"이었다", U"였다", copula},
    {U"이며", U"이며", copula},    {U"이고", U"이고", copula},
    {U"이며", U"며", copula},      {U"인", U"인", copula},
    {U"이었던", U"였던", copula},  {U"이었으며", U"였으며", copula},
    {U"이었고", U"였고", copula},
};

// 로 follows a vowel and ㄹ alike.
bool takes_vowel_form(char32_t last, std::u32string_view particle) {
  const int final = final_of(last);
  return final == kNoFinal || (final == kRieul && particle.starts_with(U"로"));
}

bool agrees(char32_t last, const Particle& particle, bool vowel_form) {
  if (!is_hangul_syllable(last) || particle.after_consonant == particle.after_vowel) return true;
  return takes_vowel_form(last, particle.after_vowel) == vowel_form;
}

std::u32string operator+(std::u32string_view a, std::u32string_view b) {
  return std::u32string(a).append(b);
}

// Returns the part before 다: at least one syllable, the last one Hangul.
std::optional<std::u32string_view> before_da(std::u32string_view predicate) {
  if (predicate.size() < 2 || predicate.back() != U'다') return std::nullopt;
  predicate.remove_suffix(1);
  if (!is_hangul_syllable(predicate.back())) return std::nullopt;
  return predicate;
}

// An adjective or noun-like stem before a noun: 크 → 큰, 길 → 긴, 높 → 높은.
std::u32string adjective_form(std::u32string_view stem) {
  const int final = final_of(stem.back());
  if (final != kNoFinal && final != kRieul) return stem + U"은";
  std::u32string out(stem);
  out.back() = with_final(out.back(), kNieun);
  return out;
}

// Returns true for a noun before 다 (신세다), not an adjective: two syllables or more, the last without
// a final consonant and not one that adjectives end in (중요하다, 다르다, 어리다).
bool is_bare_copula(std::u32string_view stem) {
  const char32_t last = stem.back();
  return stem.size() > 1 && final_of(last) == kNoFinal && vowel_of(last) != kEu && last != U'하' &&
         last != U'리' && last != U'되';
}

// A past stem (…ㅆ) before a noun.
std::u32string past_form(std::u32string_view stem) {
  constexpr std::array<std::pair<std::u32string_view, std::u32string_view>, 4> kVerbs = {
      {{U"하였", U"한"}, {U"했", U"한"}, {U"되었", U"된"}, {U"됐", U"된"}}};
  for (const auto& [past, form] : kVerbs)
    if (stem.ends_with(past)) return stem.substr(0, stem.size() - past.size()) + form;
  const char32_t last = stem.back();
  if ((last == U'았' || last == U'었') && stem.size() > 1) {
    const char32_t before = stem[stem.size() - 2];
    const int final = is_hangul_syllable(before) ? final_of(before) : kRieul;
    // ㄹ may stand for ㄷ (들었다 of 듣다 and of 들다): the form that is always right.
    if (final == kRieul || before == U'이') return stem + U"던";
    return adjective_form(stem.substr(0, stem.size() - 1));
  }
  if (vowel_of(last) == kYeo && last != U'였') {
    std::u32string out(stem);
    out.back() = with_final(with_vowel(last, kI), kNieun);
    return out;
  }
  return stem + U"던";
}

}  // namespace

bool is_hangul_syllable(char32_t c) { return c >= kFirst && c <= kLast; }

WordParts split_particle(std::u32string_view word) {
  WordParts best{word, {}, none};
  for (const Particle& particle : kParticles) {
    for (const bool vowel_form : {false, true}) {
      const std::u32string_view form = vowel_form ? particle.after_vowel : particle.after_consonant;
      if (form.size() <= best.particle.size() || word.size() <= form.size() ||
          !word.ends_with(form) ||
          !agrees(word[word.size() - form.size() - 1], particle, vowel_form))
        continue;
      best = {word.substr(0, word.size() - form.size()), word.substr(word.size() - form.size()),
              particle.kind};
    }
  }
  return best;
}

std::u32string_view agreeing_particle(std::u32string_view word, std::u32string_view particle) {
  if (word.empty() || !is_hangul_syllable(word.back())) return particle;
  for (const Particle& entry : kParticles)
    if (entry.after_consonant == particle || entry.after_vowel == particle)
      return takes_vowel_form(word.back(), entry.after_vowel) ? entry.after_vowel
                                                              : entry.after_consonant;
  return particle;
}

std::optional<std::u32string> plain_predicate(std::u32string_view word) {
  if (before_da(word)) return std::u32string(word);
  for (const std::u32string_view ending : {U"으며", U"고", U"으나", U"지만", U"는데"}) {
    if (word.size() <= ending.size() || !word.ends_with(ending)) continue;
    const std::u32string_view stem = word.substr(0, word.size() - ending.size());
    if (is_hangul_syllable(stem.back()) && final_of(stem.back()) == kSsangSiot) return stem + U"다";
  }
  constexpr std::pair<std::u32string_view, std::u32string_view> kForms[] = {
      {U"하고", U"했다"},   {U"하며", U"했다"},   {U"하여", U"했다"}, {U"되고", U"되었다"},
      {U"되며", U"되었다"}, {U"되어", U"되었다"}, {U"이며", U"이다"}, {U"이고", U"이다"}};
  for (const auto& [ending, plain] : kForms)
    if (word.size() > ending.size() && word.ends_with(ending))
      return word.substr(0, word.size() - ending.size()) + plain;
  return std::nullopt;
}

std::optional<std::u32string> question_form(std::u32string_view predicate) {
  const auto stem = before_da(predicate);
  if (!stem) return std::nullopt;
  const char32_t last = stem->back();
  if (last == U'이' && stem->size() > 1) return stem->substr(0, stem->size() - 1) + U"인가";
  if (is_bare_copula(*stem)) return *stem + U"인가";
  if (final_of(last) == kSsangSiot || final_of(last) == kBieupSiot) return *stem + U"는가";
  if (last == U'는') return *stem + U"가";
  if (final_of(last) == kNieun) {
    std::u32string out(*stem);
    out.back() = with_final(last, kNoFinal);
    return out + U"는가";
  }
  return adjective_form(*stem) + U"가";
}

std::optional<std::u32string> modifying_form(std::u32string_view predicate) {
  const auto stem = before_da(predicate);
  if (!stem) return std::nullopt;
  const char32_t last = stem->back();
  if (last == U'이' && stem->size() > 1) return stem->substr(0, stem->size() - 1) + U"인";
  if (is_bare_copula(*stem)) return *stem + U"인";
  if (last == U'있' || final_of(last) == kBieupSiot) return *stem + U"는";
  if (final_of(last) == kSsangSiot) return past_form(*stem);
  if (last == U'는') return std::u32string(*stem);
  if (final_of(last) == kNieun) {
    std::u32string out(*stem);
    out.back() = with_final(last, kNoFinal);
    return out + U"는";
  }
  return adjective_form(*stem);
}

}  // namespace minibert
