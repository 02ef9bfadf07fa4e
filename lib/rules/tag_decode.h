// Turns tags of pieces into tags of characters, and these into entities (BIO).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace minibert {

// Code points [begin, end) of the sentence for one piece, without leading spaces.
struct PieceCharacters {
  uint32_t begin, end;
};

// Returns the characters for the bytes [begin, end) of `text`. `offsets`: the byte of each of its
// code points, then the end.
PieceCharacters piece_characters(std::string_view text, std::span<const uint32_t> offsets,
                                 uint32_t begin, uint32_t end);

// Returns tags of `characters` characters. Each gets the tag of its piece; after a B- the piece
// goes on with I-. A space within an entity belongs to it; every other character without a piece is
// O. An I- that continues nothing begins an entity.
std::vector<std::string> character_tags(const std::vector<PieceCharacters>& pieces,
                                        const std::vector<std::string>& tags_of_pieces,
                                        size_t characters);

// Costs, in nats, of an entity that begins at a piece and of one that ends before it.
struct BorderCost {
  float begin = 0, end = 0;
};

// Returns the most probable tag path over the pieces (Viterbi 1967), as indices into `tags`. An I-
// follows only the B- or I- of its type; each border costs what `costs` says for its piece.
// `logits`: [pieces, tags], one tag or more. A tie goes to the earlier tag.
std::vector<uint32_t> best_tag_path(std::span<const float> logits,
                                    const std::vector<std::string>& tags,
                                    std::span<const BorderCost> costs);

// An entity at characters [begin, end) of a sentence.
struct Entity {
  std::string type;  // "PS"
  size_t begin = 0, end = 0;
  bool operator==(const Entity&) const = default;
};

// Returns true for O, B-<type> and I-<type>.
bool is_tag(std::string_view tag);

// Returns the entities as seqeval finds them with mode="strict" and scheme=IOB2: an entity begins
// with B and goes on with I of the same type. An I that continues nothing belongs to no entity.
std::vector<Entity> strict_entities(std::span<const std::string_view> tags);

}  // namespace minibert
