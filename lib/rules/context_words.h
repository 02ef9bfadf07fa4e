// A context as the questions' models read it: word by word, every piece with the bytes it stands for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace minibert {

// Ranges of code points [begin, end).
using WordRanges = std::vector<std::pair<uint32_t, uint32_t>>;

// What stands between white space, as the course cuts words (is_course_space).
WordRanges split_words(std::u32string_view text);

// The word that holds the code point `at`, or the last one before it; −1 before the first.
ptrdiff_t word_at(const WordRanges& words, uint32_t at);

// One character may normalize to several pieces (㎏ to k, g), of which SentencePiece aligns only the last
// with it: lets each of them stand for the whole character. `lone_space` is the id of a ▁ alone, which
// stands for nothing. A piece has id, begin and end.
template <class Piece>
void share_characters(int32_t lone_space, std::vector<Piece>* pieces) {
  for (size_t i = pieces->size(); i-- > 1;) {
    Piece& before = (*pieces)[i - 1];
    if (before.begin == before.end && before.begin == (*pieces)[i].begin && before.id != lone_space)
      before.end = (*pieces)[i].end;
  }
}

}  // namespace minibert
