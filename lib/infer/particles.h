// Cuts Korean particles off answers and names: 1443년에 → 1443년, 국회는 → 국회. A model marks pieces, and
// one piece may hold a noun's end with its particle (년에), so that no span of pieces is the noun.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "infer/answerer.h"
#include "infer/tagger.h"

namespace minibert::infer {

// Returns the end of [first, last) of the text (code points) without the particle of its last word.
// Returns `last` if the word goes on behind it, has no particle, or has one that is also a frequent
// noun ending (도, 만, 이나, and 이다 with its forms).
uint32_t without_particle(std::u32string_view text, uint32_t first, uint32_t last);

// Does the same for an entity. A person's name keeps a last syllable that may belong to it (김정은)
// unless the text has the name without it, too.
uint32_t without_particle(std::u32string_view text, uint32_t first, uint32_t last,
                          std::string_view type);

// Cuts particles and spaces off answers from one text, and widens answers that begin or end inside
// a number (4 in 1,418) to the whole number. Merges answers that become equal and adds their
// probabilities. Keeps the `top` best.
void cut_particles(std::string_view text, size_t top, std::vector<Answer>* answers);

void cut_particles(std::string_view text, std::vector<NamedEntity>* entities);

// Answers below this probability are mostly wrong, or the text holds no answer.
inline constexpr double kSure = 0.5;

// Returns the `top` best answers of `ask(count)` without their particles. Requests at least twenty,
// so that an answer's probability does not depend on how many are shown.
template <class Ask>
std::vector<Answer> answers_without_particles(std::string_view text, size_t top, const Ask& ask) {
  constexpr size_t kAtLeast = 20;
  std::vector<Answer> answers = ask(std::max(top, kAtLeast));
  cut_particles(text, top, &answers);
  return answers;
}

// Answerer::answer(), and Tagger::tag() by whole words, with particles cut off, as programs and
// pages show results.
Status answer_without_particles(Answerer& model, std::string_view question,
                                std::string_view context, size_t top, AnswerResult* result);
Status tag_without_particles(Tagger& model, std::string_view text, TagResult* result);

}  // namespace minibert::infer
