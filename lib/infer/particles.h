// Cuts Korean particles off answers and names once they are found: 1443년에 → 1443년, 국회는 → 국회. A model
// reads pieces, and a piece may hold a noun's end with its particle (년에), so that no span of pieces is the noun.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "infer/answerer.h"
#include "infer/tagger.h"

namespace minibert::infer {

// Where [first, last) of the text (code points) ends without the particle of its last word; `last` where the word
// goes on behind it, has no particle, or one that ends as many nouns do (도, 만, 이나, and 이다 with its forms).
uint32_t without_particle(std::u32string_view text, uint32_t first, uint32_t last);

// The same for a person's name, which keeps a last syllable that may be its own (김정은) unless the text has the
// name without it, too.
uint32_t without_particle(std::u32string_view text, uint32_t first, uint32_t last,
                          std::string_view type);

// Cuts particles and spaces off answers from one text, and widens those that begin or end in a number (4 of 1,418) to
// all of it. Answers that are then the same become one, as probable as they are together. Leaves the `top` best.
void cut_particles(std::string_view text, size_t top, std::vector<Answer>* answers);

// Cuts the particles off the names in a text.
void cut_particles(std::string_view text, std::vector<NamedEntity>* entities);

// The `top` best answers that `ask(count)` finds in the text, without their particles. It asks for at least twenty, so
// that how probable an answer is does not depend on how many are shown.
template <class Ask>
std::vector<Answer> answers_without_particles(std::string_view text, size_t top, const Ask& ask) {
  constexpr size_t kAtLeast = 20;
  std::vector<Answer> answers = ask(std::max(top, kAtLeast));
  cut_particles(text, top, &answers);
  return answers;
}

// Answerer::answer(), and Tagger::tag() by whole words, with their particles cut: what programs and pages tell people.
Status answer_without_particles(Answerer& model, std::string_view question,
                                std::string_view context, size_t top, AnswerResult* result);
Status tag_without_particles(Tagger& model, std::string_view text, TagResult* result);

}  // namespace minibert::infer
