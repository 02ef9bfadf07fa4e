#include "infer/tagger.h"

#include <algorithm>
#include <utility>

#include "core/characters.h"
#include "infer/engine/float_ops.h"
#include "rules/tag_decode.h"

namespace minibert::infer {
namespace {

// The best tag of every row of logits [rows, tags], and its probability.
struct PieceTags {
  std::vector<std::string> tags;
  std::vector<float> probabilities;
};

PieceTags best_tags(std::span<const float> logits, const std::vector<std::string>& tags) {
  PieceTags out;
  std::vector<float> row(tags.size());
  for (size_t at = 0; at < logits.size(); at += tags.size()) {
    row.assign(logits.begin() + static_cast<std::ptrdiff_t>(at),
               logits.begin() + static_cast<std::ptrdiff_t>(at + tags.size()));
    // Of the logits: softmax may make two of them equal.
    const auto best = static_cast<size_t>(std::max_element(row.begin(), row.end()) - row.begin());
    softmax(row.data(), static_cast<int32_t>(row.size()));
    out.tags.push_back(tags[best]);
    out.probabilities.push_back(row[best]);
  }
  return out;
}

}  // namespace

Status Tagger::load(std::span<const uint8_t> file, Kernel kernel) {
  TextModel loaded;
  const Status status = loaded.load(file, kernel);
  return status.ok() ? load(std::move(loaded)) : status;
}

Status Tagger::load(TextModel loaded) {
  if (!loaded.model->config().tags) return another_task(loaded.model->config(), "marks names");
  loaded_ = std::move(loaded);
  return {};
}

Status Tagger::tag(std::string_view text, TagResult* result) {
  *result = {};
  Clock clock;
  Characters characters;
  if (!to_characters(text, &characters)) return Status::error("the text is not valid UTF-8");
  std::vector<Token> pieces;
  Status status = tokenize(text, &pieces);
  if (!status.ok()) return status;
  if (pieces.empty()) return Status::error("the text is empty", Problem::empty_text);
  const TagConfig& config = *model().config().tags;
  result->pieces = static_cast<uint32_t>(pieces.size());
  pieces.resize(std::min(pieces.size(), static_cast<size_t>(config.max_length) - 2));
  result->read = static_cast<uint32_t>(pieces.size());
  std::vector<int32_t> ids = {kClassifierId}, wanted;
  std::vector<PieceCharacters> places;
  for (const Token& piece : pieces) {
    wanted.push_back(static_cast<int32_t>(ids.size()));
    ids.push_back(piece.id);
    places.push_back(piece_characters(text, characters.bytes, piece.begin, piece.end));
  }
  ids.push_back(kSeparatorId);
  result->timing.tokenize_ms = clock.lap();
  status = loaded_.engine->encode(ids, {}, false, wanted);
  if (!status.ok()) return status;
  const std::span<const float> logits = loaded_.engine->tag_logits();
  if (!all_finite(logits.data(), static_cast<int64_t>(logits.size())))
    return Status::error("the model's weights give numbers that are not finite");
  result->timing.encoder_ms = clock.lap();
  const PieceTags found = best_tags(logits, config.tags);
  const std::vector<std::string> tags = character_tags(places, found.tags, characters.text.size());
  const std::vector<std::string_view> views(tags.begin(), tags.end());
  for (const Entity& entity : strict_entities(views)) {
    const uint32_t begin = characters.bytes[entity.begin], end = characters.bytes[entity.end];
    float sum = 0;
    int count = 0;
    for (size_t i = 0; i < places.size(); ++i) {
      if (places[i].begin >= entity.end || places[i].end <= entity.begin) continue;
      sum += found.probabilities[i];
      ++count;
    }
    result->entities.push_back({entity.type, std::string(text.substr(begin, end - begin)), begin,
                                end, static_cast<uint32_t>(entity.begin),
                                static_cast<uint32_t>(entity.end),
                                sum / static_cast<float>(count)});
  }
  result->timing.output_ms = clock.lap();
  return {};
}

}  // namespace minibert::infer
