// Both forms of a particle behind a blank, as worksheets write them: ( )을(를), ___은/는, □(으)로, ( )
// (이/가). The model has never read brackets or slashes there, so one form is chosen first.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rules/blanks.h"

namespace minibert {

// Both forms of the particle behind a mask, at characters [begin, end) of a text.
struct ParticlePair {
  size_t mask = 0;  // index of the mask in the text
  size_t begin = 0, end = 0;
  std::u32string_view after_consonant, after_vowel;
};

// Returns the first pair right behind a [MASK], or nothing.
std::optional<ParticlePair> find_particle_pair(std::u32string_view text);

// Returns true if a word that ends in this character takes the form after a consonant; nothing if
// the character is no Hangul syllable.
std::optional<bool> takes_consonant_form(char32_t last, const ParticlePair& pair);

// A guess for a mask: its last character and its probability.
using GuessEnd = std::pair<char32_t, double>;

// Replaces every pair by the form whose agreeing guess is more probable. `guess` (text, mask)
// returns a std::vector<GuessEnd>; it reads the text with each form. `places`: as in with_masks(),
// for the returned text.
template <class Guess>
std::u32string with_one_particle(std::u32string text, const Guess& guess,
                                 std::vector<Blank>* places = nullptr) {
  while (const auto pair = find_particle_pair(text)) {
    const auto with = [&](std::u32string_view form) {
      return text.substr(0, pair->begin).append(form).append(text.substr(pair->end));
    };
    double agree[2] = {};
    for (const bool consonant : {false, true})
      for (const auto& [last, probability] :
           guess(with(consonant ? pair->after_consonant : pair->after_vowel), pair->mask))
        if (takes_consonant_form(last, *pair) == consonant)
          agree[consonant] = std::max(agree[consonant], probability);
    const std::u32string_view form =
        agree[true] >= agree[false] ? pair->after_consonant : pair->after_vowel;
    if (places != nullptr) {
      const Blank whole = {(*places)[pair->begin].begin, (*places)[pair->end - 1].end};
      const auto at = places->begin() + static_cast<std::ptrdiff_t>(pair->begin);
      places->erase(at, at + static_cast<std::ptrdiff_t>(pair->end - pair->begin));
      places->insert(places->begin() + static_cast<std::ptrdiff_t>(pair->begin), form.size(),
                     whole);
    }
    text = with(form);
  }
  return text;
}

}  // namespace minibert
