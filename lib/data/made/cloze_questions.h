// Questions from sentences by rule (after Lewis, Denoyer, Riedel: Unsupervised Question Answering
// by Cloze Translation, arXiv:1906.04980): the answer makes way for a question word, words are
// dropped and phrases change places, particles change, and the predicate becomes a question's.
#pragma once

#include <optional>
#include <string>

#include "core/rng.h"
#include "data/made/cloze_answers.h"

namespace minibert {

// A question for the answer, without the answer's text in it; nothing when the sentence has no
// predicate to ask with or too few words beside the answer.
std::optional<std::u32string> make_question(const ClozeSentence& sentence,
                                            const ClozeAnswer& answer, const ClozeTopic& topic,
                                            Rng& random);

}  // namespace minibert
