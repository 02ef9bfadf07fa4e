// Korean word forms as far as rules go without a dictionary: particles, and the predicates that end
// a sentence. Words are code points without spaces or punctuation.
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
  std::u32string_view particle;  // empty where the word has none
  ParticleKind kind = ParticleKind::none;
};

// Cuts the longest particle off that agrees with what stands before it (학교는, but not 국는); the
// stem keeps at least one character. A stem that ends in no Hangul syllable takes every form. A
// noun that ends like a particle (제주도) is cut wrongly: who must not err asks for a stem that is
// met with several particles.
WordParts split_particle(std::u32string_view word);

// The form of the particle that follows the word: (누구, 은) gives 는. What is no particle with two
// forms comes back as it is.
std::u32string_view agreeing_particle(std::u32string_view word, std::u32string_view particle);

// The predicate of a clause as the one that ends a sentence: 하였고 → 하였다, 되었으며 → 되었다,
// 이며 → 이다, 하고 → 했다; what ends in 다 comes back. Nothing for other words.
std::optional<std::u32string> plain_predicate(std::u32string_view word);

// A plain predicate as a question: 하였다 → 하였는가, 이다 → 인가, 된다 → 되는가, 높다 → 높은가.
// Nothing unless it ends in 다 behind another syllable.
std::optional<std::u32string> question_form(std::u32string_view predicate);

// A plain predicate before a noun: 하였다 → 한, 되었다 → 된, 열렸다 → 열린, 받았다 → 받은,
// 있다 → 있는, 이다 → 인, 한다 → 하는. Nothing unless it ends in 다 behind another syllable.
std::optional<std::u32string> modifying_form(std::u32string_view predicate);

}  // namespace minibert
