#include "infer/tagger.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/characters.h"
#include "infer/engine/float_ops.h"
#include "rules/tag_decode.h"
#include "rules/text_windows.h"

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
    // The logits decide: softmax may make two of them equal.
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
  std::vector<int32_t> ids;
  std::vector<PieceCharacters> places;
  for (const Token& piece : pieces) {
    ids.push_back(piece.id);
    places.push_back(piece_characters(text, characters.bytes, piece.begin, piece.end));
  }
  const WindowedText input = windowed(ids, {}, config.max_length, kClassifierId, kSeparatorId);
  result->pieces = static_cast<uint32_t>(pieces.size());
  result->read = input.read;
  result->timing.tokenize_ms = clock.lap();
  std::vector<PieceTags> of_windows;
  std::vector<TextWindow> windows;
  for (const TextInputWindow& window : input.windows) {
    std::vector<int32_t> wanted(window.text.count);
    std::iota(wanted.begin(), wanted.end(), 1);
    status = loaded_.engine->encode(window.ids, {}, false, wanted);
    if (!status.ok()) return status;
    const std::span<const float> logits = loaded_.engine->tag_logits();
    if (!all_finite(logits.data(), static_cast<int64_t>(logits.size())))
      return Status::error("the model's weights give numbers that are not finite");
    of_windows.push_back(best_tags(logits, config.tags));
    windows.push_back(window.text);
  }
  result->timing.encoder_ms = clock.lap();
  PieceTags found;
  for (uint32_t i = 0; i < ids.size(); ++i) {
    const size_t window = best_window(windows, i);
    const PieceTags& tags = of_windows[window];
    found.tags.push_back(tags.tags[i - windows[window].first]);
    found.probabilities.push_back(tags.probabilities[i - windows[window].first]);
  }
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
