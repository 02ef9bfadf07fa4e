// Reads names so that they are made of whole words. A model tags pieces, each for itself, and where it is unsure the
// pieces of one word get tags that do not belong together (롯: person, 데월드: organization).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rules/tag_decode.h"

namespace minibert::infer {

// The tags of a text's pieces that are most probable together, as indices into `tags`, where a border of a name
// inside a word must be twenty times as probable as none there. A word is a run of Hangul, of digits or of other
// letters, so that a border between 3 and 월, or KBS and 2, costs nothing; nor does a name's end before a particle
// (서울 of 서울에서). A weekday is never cut (토요|일). `logits`: [pieces, tags]. A piece without characters is
// passed over, and has its best tag.
std::vector<uint32_t> tags_of_whole_words(std::u32string_view text,
                                          const std::vector<PieceCharacters>& pieces,
                                          std::span<const float> logits,
                                          const std::vector<std::string>& tags);

}  // namespace minibert::infer
