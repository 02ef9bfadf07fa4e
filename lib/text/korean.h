// Korean word forms by rules, without a dictionary: particles, and predicates that end a sentence.
// Words are code points without spaces or punctuation.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/characters.h"

namespace minibert {

bool is_hangul_syllable(char32_t c);  // U+AC00 to U+D7A3

enum class ParticleKind {
  none,
  topic,    // 은, 는
  subject,  // 이, 가
  object,   // 을, 를
  of,       // 의
  copula,   // 이다 and its forms
  other,
};

struct WordParts {
  std::u32string_view stem;
  std::u32string_view particle;  // empty if the word has none
  ParticleKind kind = ParticleKind::none;
};

// Cuts off the longest particle that agrees with the syllable before it (학교는, but not 국는); the stem
// keeps at least one character. After a character that is no Hangul syllable every form agrees. A
// noun that ends like a particle (제주도) is cut wrongly: a caller that needs certainty must see the
// stem with several particles.
WordParts split_particle(std::u32string_view word);

// Returns the form of the particle that follows the word: (누구, 은) gives 는. Returns `particle`
// unchanged if it does not have two forms.
std::u32string_view agreeing_particle(std::u32string_view word, std::u32string_view particle);

// Turns a clause's predicate into one that ends a sentence: 하였고 → 하였다, 되었으며 → 되었다, 이며 → 이다, 하고 →
// 했다. A word in 다 stays. Returns nothing for other words.
std::optional<std::u32string> plain_predicate(std::u32string_view word);

// Turns a plain predicate into a question: 하였다 → 하였는가, 이다 → 인가, 된다 → 되는가, 높다 → 높은가. Returns nothing
// unless it ends in 다 behind another syllable.
std::optional<std::u32string> question_form(std::u32string_view predicate);

// Turns a plain predicate into the form before a noun: 하였다 → 한, 되었다 → 된, 열렸다 → 열린, 받았다 → 받은, 있다 →
// 있는, 이다 → 인, 한다 → 하는. Returns nothing unless it ends in 다 behind another syllable.
std::optional<std::u32string> modifying_form(std::u32string_view predicate);

}  // namespace minibert
