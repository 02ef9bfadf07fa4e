// Masks as people write them: ___, ( ), [ mask ], □, ○○ (rules/blanks.h), and both forms of a
// particle behind a mask: 을(를), 은/는 (rules/particle_pairs.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "infer/fill_mask.h"
#include "rules/particle_pairs.h"

namespace minibert::infer {

// Returns the ends of the guesses for one mask of a text, for with_one_particle(); none if the text
// cannot be filled.
std::vector<GuessEnd> guess_ends(const FillResult& result, size_t mask);

// The number of guesses considered for a particle's form.
inline constexpr size_t kParticleGuesses = 20;

// Returns the text with one form of a particle in place of both. Invalid UTF-8 returns unchanged.
std::string with_one_particle(FillMask& model, std::string_view text);

// Calls FillMask::fill() after turning the blanks of a text without [MASK] into masks and both
// forms of a particle behind a mask into one. A text with [MASK] keeps its blanks. Offsets in the
// result count bytes of the given text.
Status fill_written(FillMask& model, std::string_view text, size_t top_k, FillResult* result);

}  // namespace minibert::infer
