// Makes names of whole words. A model tags each piece by itself, and if it is unsure, the pieces of
// one word may get tags that do not match (롯: person, 데월드: organization).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rules/tag_decode.h"

namespace minibert::infer {

// Returns the most probable tags of a text's pieces, as indices into `tags`. A name's border inside
// a word must be twenty times as probable as none there. A word is a run of Hangul, of digits or of
// other letters, so that a border between 3 and 월, or KBS and 2, is free; so is a name's end before
// a particle (서울 in 서울에서). A weekday is never cut (토요|일). `logits`: [pieces, tags]. A piece without
// characters keeps its best tag.
std::vector<uint32_t> tags_of_whole_words(std::u32string_view text,
                                          const std::vector<PieceCharacters>& pieces,
                                          std::span<const float> logits,
                                          const std::vector<std::string>& tags);

}  // namespace minibert::infer
