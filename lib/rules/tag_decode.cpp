#include "rules/tag_decode.h"

#include <algorithm>

#include "core/characters.h"

namespace minibert {
namespace {

// "-PS" of "B-PS" and "I-PS"; empty of "O".
std::string_view type_of(const std::string& tag) { return std::string_view(tag).substr(1); }

// The same entity, begun or continued.
std::string with_prefix(char prefix, std::string tag) {
  tag[0] = prefix;
  return tag;
}

}  // namespace

PieceCharacters piece_characters(std::string_view text, std::span<const uint32_t> offsets,
                                 uint32_t begin, uint32_t end) {
  while (begin < end && is_blank(static_cast<unsigned char>(text[begin]))) ++begin;
  const auto character_at = [&](uint32_t byte) {
    return static_cast<uint32_t>(std::lower_bound(offsets.begin(), offsets.end(), byte) -
                                 offsets.begin());
  };
  return {character_at(begin), character_at(end)};
}

std::vector<std::string> character_tags(const std::vector<PieceCharacters>& pieces,
                                        const std::vector<std::string>& tags_of_pieces,
                                        size_t characters) {
  std::vector<std::string> out(characters, "O");
  std::vector<bool> covered(characters, false);
  for (size_t i = 0; i < pieces.size(); ++i)
    for (uint32_t at = pieces[i].begin; at < pieces[i].end; ++at) {
      covered[at] = true;
      out[at] = tags_of_pieces[i];
      if (at > pieces[i].begin && out[at] != "O") out[at] = with_prefix('I', out[at]);
    }
  for (size_t at = 1; at + 1 < characters; ++at) {
    const std::string& next = out[at + 1];
    if (!covered[at] && next.starts_with("I-") && type_of(out[at - 1]) == type_of(next))
      out[at] = next;
  }
  for (size_t at = 0; at < characters; ++at)
    if (out[at].starts_with("I-") && (at == 0 || type_of(out[at - 1]) != type_of(out[at])))
      out[at] = with_prefix('B', out[at]);
  return out;
}

bool is_tag(std::string_view tag) {
  return tag == "O" || ((tag.starts_with("B-") || tag.starts_with("I-")) && tag.size() > 2);
}

std::vector<Entity> strict_entities(std::span<const std::string_view> tags) {
  std::vector<Entity> entities;
  bool inside = false;  // the tag before belongs to entities.back()
  for (size_t i = 0; i < tags.size(); ++i) {
    const std::string_view tag = tags[i];
    if (tag.starts_with("B-")) {
      entities.push_back({std::string(tag.substr(2)), i, i + 1});
      inside = true;
    } else if (tag.starts_with("I-") && inside && entities.back().type == tag.substr(2)) {
      entities.back().end = i + 1;
    } else {
      inside = false;
    }
  }
  return entities;
}

}  // namespace minibert
