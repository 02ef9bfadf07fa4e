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

// Far more than logits and costs add up to: a forbidden step is taken only if no other is possible.
constexpr double kForbidden = 1e12;

// The best way so far that ends in a tag, or in one of several.
struct Way {
  double score = -kForbidden * kForbidden;
  uint32_t tag = 0;
  void take(double other, uint32_t from) {
    if (other > score) *this = {other, from};
  }
};

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

std::vector<uint32_t> best_tag_path(std::span<const float> logits,
                                    const std::vector<std::string>& tags,
                                    std::span<const BorderCost> costs) {
  const size_t pieces = costs.size(), count = tags.size();
  std::vector<size_t> type(count);  // the first tag that is of the same type
  for (size_t k = 0; k < count; ++k)
    while (type_of(tags[type[k]]) != type_of(tags[k])) ++type[k];
  std::vector<double> scores(count, 0), next(count);  // of the best ways that end in each tag
  std::vector<uint32_t> from(pieces * count);         // the tag that is before, by piece and tag
  for (size_t i = 0; i < pieces; ++i) {
    Way ended;  // whatever was before
    std::vector<Way> open(count);
    if (i == 0) ended.score = 0;
    for (uint32_t k = 0; k < count && i > 0; ++k) {
      const bool outside = tags[k] == "O";
      ended.take(scores[k] - (outside ? 0 : costs[i].end), k);
      if (!outside) open[type[k]].take(scores[k], k);
    }
    for (size_t k = 0; k < count; ++k) {
      Way way = ended;
      if (tags[k].starts_with("B-")) way.score -= costs[i].begin;
      if (tags[k].starts_with("I-")) {
        way.score -= kForbidden;
        way.take(open[type[k]].score, open[type[k]].tag);
      }
      next[k] = way.score + logits[i * count + k];
      from[i * count + k] = way.tag;
    }
    scores.swap(next);
  }
  std::vector<uint32_t> path(pieces);
  const auto best = std::max_element(scores.begin(), scores.end());
  auto at = static_cast<uint32_t>(best - scores.begin());
  for (size_t i = pieces; i-- > 0;) {
    path[i] = at;
    at = from[i * count + at];
  }
  return path;
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
