// A context as question models read it: words, and pieces with their bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace minibert {

// Ranges of code points [begin, end).
using WordRanges = std::vector<std::pair<uint32_t, uint32_t>>;

// Cuts a text at white space, as the course does (is_course_space).
WordRanges split_words(std::u32string_view text);

// Returns the word that holds the code point `at`, or the last one before it; −1 before the first.
ptrdiff_t word_at(const WordRanges& words, uint32_t at);

// One character may normalize to several pieces (㎏ to k, g), and SentencePiece aligns only the last
// with it: lets each of them stand for the whole character. `lone_space`: the id of a lone ▁, which
// stands for nothing. A Piece has id, begin and end.
template <class Piece>
void share_characters(int32_t lone_space, std::vector<Piece>* pieces) {
  for (size_t i = pieces->size(); i-- > 1;) {
    Piece& before = (*pieces)[i - 1];
    if (before.begin == before.end && before.begin == (*pieces)[i].begin && before.id != lone_space)
      before.end = (*pieces)[i].end;
  }
}

}  // namespace minibert
