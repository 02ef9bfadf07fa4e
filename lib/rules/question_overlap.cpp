#include "rules/question_overlap.h"

#include <algorithm>

#include "core/characters.h"
#include "core/syllables.h"

namespace minibert {
namespace {

// Two letters in a row as one number. Of a decomposed text (NFD) they are syllables, too, not jamo.
void append_pairs(std::u32string_view text, std::vector<uint64_t>* out) {
  char32_t before = 0, letter = 0;
  for (size_t at = 0; at < text.size(); before = letter) {
    at += read_syllable(text.substr(at), &letter);
    if (is_letter_or_digit(before) && is_letter_or_digit(letter))
      out->push_back(uint64_t{before} << 32 | letter);
  }
}

template <class Value>
bool has(const std::vector<Value>& sorted, Value value) {
  return std::binary_search(sorted.begin(), sorted.end(), value);
}

}  // namespace

QuestionOverlap::QuestionOverlap(std::u32string_view context, const WordRanges& words) {
  for (const auto& [begin, end] : words) {
    append_pairs(context.substr(begin, end - begin), &pairs_);
    first_.push_back(pairs_.size());
  }
}

std::vector<uint8_t> QuestionOverlap::segments(std::u32string_view question,
                                               const std::vector<int32_t>& question_ids,
                                               const std::vector<int32_t>& ids,
                                               const std::vector<uint32_t>& word_piece) const {
  std::vector<uint64_t> asked;
  append_pairs(question, &asked);
  std::sort(asked.begin(), asked.end());
  std::vector<int32_t> pieces = question_ids;
  std::sort(pieces.begin(), pieces.end());
  std::vector<uint8_t> out(ids.size(), kContextSegment);
  for (size_t word = 0; word < word_piece.size(); ++word) {
    const bool shared = std::any_of(pairs_.begin() + static_cast<std::ptrdiff_t>(first_[word]),
                                    pairs_.begin() + static_cast<std::ptrdiff_t>(first_[word + 1]),
                                    [&](uint64_t pair) { return has(asked, pair); });
    const size_t end = word + 1 < word_piece.size() ? word_piece[word + 1] : ids.size();
    for (size_t piece = word_piece[word]; piece < end; ++piece)
      out[piece] = shared                    ? kSharedWordSegment
                   : has(pieces, ids[piece]) ? kSharedPieceSegment
                                             : kContextSegment;
  }
  return out;
}

}  // namespace minibert
