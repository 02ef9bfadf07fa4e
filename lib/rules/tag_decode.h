// Tags of pieces as tags of characters, and the entities that these make (BIO).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace minibert {

// Code points [begin, end) of its sentence that a piece stands for, leading spaces left out.
struct PieceCharacters {
  uint32_t begin, end;
};

// The characters of a piece that stands for the bytes [begin, end) of `text`. `offsets`: where each of the
// text's code points begins, and the end.
PieceCharacters piece_characters(std::string_view text, std::span<const uint32_t> offsets,
                                 uint32_t begin, uint32_t end);

// Tags of `characters` characters: those of their piece, where a B- holds for the first character and
// the rest goes on with I-. A space within an entity belongs to it, every other character without a
// piece is O; an I- that continues nothing begins an entity.
std::vector<std::string> character_tags(const std::vector<PieceCharacters>& pieces,
                                        const std::vector<std::string>& tags_of_pieces,
                                        size_t characters);

// What it costs, in nats, that an entity begins at a piece, or that one ends before it.
struct BorderCost {
  float begin = 0, end = 0;
};

// The tags of pieces that are most probable together, as indices into `tags`: an I- follows the B- or I- of its
// type alone, and each border costs what `costs` says of its piece (Viterbi 1967).
// `logits`: [pieces, tags], one tag or more. A tie goes to the earlier tag.
std::vector<uint32_t> best_tag_path(std::span<const float> logits,
                                    const std::vector<std::string>& tags,
                                    std::span<const BorderCost> costs);

// Characters [begin, end) of a sentence are an entity of a type.
struct Entity {
  std::string type;  // "PS"
  size_t begin = 0, end = 0;
  bool operator==(const Entity&) const = default;
};

// Whether it is O, B-<type> or I-<type>.
bool is_tag(std::string_view tag);

// The entities of such tags, as seqeval finds them with mode="strict" and scheme=IOB2: an entity begins
// with B and goes on with I of the same type. An I that continues nothing is part of no entity.
std::vector<Entity> strict_entities(std::span<const std::string_view> tags);

}  // namespace minibert
