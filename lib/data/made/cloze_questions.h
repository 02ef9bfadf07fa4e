// Makes questions from sentences by rule (after Lewis, Denoyer, Riedel: Unsupervised Question
// Answering by Cloze Translation, arXiv:1906.04980): a question word replaces the answer, words are
// dropped, phrases change places, particles change, and the predicate becomes a question's.
#pragma once

#include <optional>
#include <string>

#include "core/rng.h"
#include "data/made/cloze_answers.h"

namespace minibert {

// Returns a question for the answer, without the answer's text; nothing if the sentence has no
// predicate to ask with or too few other words.
std::optional<std::u32string> make_question(const ClozeSentence& sentence,
                                            const ClozeAnswer& answer, const ClozeTopic& topic,
                                            Rng& random);

}  // namespace minibert
