// Masks as people write them: ___, ( ), [ mask ], □, ○○ (rules/blanks.h), and both forms of a particle behind one:
// 을(를), 은/는 (rules/particle_pairs.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "infer/fill_mask.h"
#include "rules/particle_pairs.h"

namespace minibert::infer {

// How the guesses for one of a text's masks end, for with_one_particle(). Of a text that cannot be filled: none.
std::vector<GuessEnd> guess_ends(const FillResult& result, size_t mask);

// How many guesses are looked at to choose a particle's form.
inline constexpr size_t kParticleGuesses = 20;

// The text, of which one that is not UTF-8 comes back, with one particle's form in the place of both.
std::string with_one_particle(FillMask& model, std::string_view text);

// FillMask::fill(), for which the blanks of a text without [MASK] are masks; a text with one is read as it is. Of a particle's two
// forms behind a mask one is read. Places
// in the result count bytes of the text as it was given.
Status fill_written(FillMask& model, std::string_view text, size_t top_k, FillResult* result);

}  // namespace minibert::infer
