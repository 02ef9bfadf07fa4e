#include "infer/tagger.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/characters.h"
#include "infer/engine/float_ops.h"
#include "infer/whole_words.h"
#include "rules/tag_decode.h"
#include "rules/text_windows.h"

namespace minibert::infer {
namespace {

// The index of the best of each row of logits [rows, tags].
std::vector<uint32_t> best_tags(std::span<const float> logits, size_t tags) {
  std::vector<uint32_t> out;
  for (; !logits.empty(); logits = logits.subspan(tags))
    out.push_back(static_cast<uint32_t>(
        std::max_element(logits.begin(), logits.begin() + static_cast<std::ptrdiff_t>(tags)) -
        logits.begin()));
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

Status Tagger::tag(std::string_view text, TagResult* result, NamesOf names) {
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
    // A line break or a no-break space before a name is none of it.
    const uint32_t begin = skip_spaces(text, piece.begin, piece.end);
    places.push_back(piece_characters(text, characters.bytes, begin, piece.end));
  }
  const WindowedText input = windowed(ids, {}, config.max_length, kClassifierId, kSeparatorId);
  result->pieces = static_cast<uint32_t>(pieces.size());
  result->read = input.read;
  result->timing.tokenize_ms = clock.lap();
  std::vector<std::vector<float>> of_windows;  // logits
  std::vector<TextWindow> windows;
  for (const TextInputWindow& window : input.windows) {
    std::vector<int32_t> wanted(window.text.count);
    std::iota(wanted.begin(), wanted.end(), 1);
    status = loaded_.engine->encode(window.ids, {}, false, wanted);
    if (!status.ok()) return status;
    const std::span<const float> logits = loaded_.engine->tag_logits();
    if (!all_finite(logits)) return not_finite();
    of_windows.emplace_back(logits.begin(), logits.end());
    windows.push_back(window.text);
  }
  result->timing.encoder_ms = clock.lap();
  const size_t count = config.tags.size();
  std::vector<float> logits =
      rows_of_best_windows(windows, of_windows, static_cast<uint32_t>(ids.size()), count);
  const std::vector<uint32_t> chosen =
      names == NamesOf::pieces ? best_tags(logits, count)
                               : tags_of_whole_words(characters.text, places, logits, config.tags);
  std::vector<std::string> of_pieces;
  std::vector<float> probabilities;
  for (size_t i = 0; i < chosen.size(); ++i) {
    float* row = logits.data() + i * count;
    softmax(row, static_cast<int32_t>(count));
    of_pieces.push_back(config.tags[chosen[i]]);
    probabilities.push_back(row[chosen[i]]);
  }
  const std::vector<std::string> tags = character_tags(places, of_pieces, characters.text.size());
  const std::vector<std::string_view> views(tags.begin(), tags.end());
  for (const Entity& entity : strict_entities(views)) {
    const uint32_t begin = characters.bytes[entity.begin], end = characters.bytes[entity.end];
    float sum = 0;
    int count = 0;
    for (size_t i = 0; i < places.size(); ++i) {
      if (places[i].begin >= entity.end || places[i].end <= entity.begin) continue;
      sum += probabilities[i];
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
