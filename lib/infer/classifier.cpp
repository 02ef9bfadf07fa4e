#include "infer/classifier.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/characters.h"
#include "infer/engine/float_ops.h"

namespace minibert::infer {
namespace {

// Where the white space at `begin` ends.
uint32_t skip_white(std::string_view text, uint32_t begin, uint32_t end) {
  char32_t value = 0;
  for (size_t length = 0; begin < end; begin += static_cast<uint32_t>(length)) {
    length = decode_utf8(text, begin, &value);
    if (length == 0 || !is_sentencepiece_space(value)) break;
  }
  return begin;
}

}  // namespace

// A text as it goes into the model.
struct Classifier::Reading {
  std::vector<Token> text;  // the pieces of it that are read
  std::vector<int32_t> ids;
  std::vector<uint8_t> segments;
  uint32_t pieces = 0, read = 0;
};

Status Classifier::load(std::span<const uint8_t> file, Kernel kernel) {
  TextModel loaded;
  const Status status = loaded.load(file, kernel);
  return status.ok() ? load(std::move(loaded)) : status;
}

Status Classifier::load(TextModel loaded) {
  if (!loaded.model->config().classifies)
    return another_task(loaded.model->config(), "labels texts");
  loaded_ = std::move(loaded);
  return {};
}

Status Classifier::read(std::string_view text, std::string_view second, Reading* reading) const {
  std::vector<Token> pair;
  Status status = tokenize(text, &reading->text);
  if (status.ok()) status = tokenize(second, &pair);
  if (!status.ok()) return status;
  if (reading->text.empty()) return Status::error("the text is empty", Problem::empty_text);
  std::vector<Token>& first = reading->text;
  reading->pieces = static_cast<uint32_t>(first.size() + pair.size());
  // As in training the longer text loses its last piece (Devlin et al. 2019).
  const auto room =
      static_cast<size_t>(model().config().classifies->max_length) - (second.empty() ? 2 : 3);
  while (first.size() + pair.size() > room) (first.size() > pair.size() ? first : pair).pop_back();
  reading->read = static_cast<uint32_t>(first.size() + pair.size());
  reading->ids.push_back(kClassifierId);
  for (const Token& token : first) reading->ids.push_back(token.id);
  reading->ids.push_back(kSeparatorId);
  reading->segments.assign(reading->ids.size(), 0);
  if (second.empty()) return {};
  for (const Token& token : pair) reading->ids.push_back(token.id);
  reading->ids.push_back(kSeparatorId);
  reading->segments.resize(reading->ids.size(), 1);
  return {};
}

Status Classifier::compute(const std::vector<int32_t>& ids, const std::vector<uint8_t>& segments) {
  static constexpr int32_t kFirst[] = {0};
  const bool all = model().config().classifies->mean_pooling;
  const Status status = loaded_.engine->encode(
      ids, segments, false, all ? std::span<const int32_t>() : std::span<const int32_t>(kFirst));
  if (!status.ok()) return status;
  const std::span<const float> logits = loaded_.engine->label_logits();
  if (!all_finite(logits.data(), static_cast<int64_t>(logits.size())))
    return Status::error("the model's weights give numbers that are not finite");
  probabilities_.assign(logits.begin(), logits.end());
  softmax(probabilities_.data(), static_cast<int32_t>(probabilities_.size()));
  return {};
}

Status Classifier::weigh(std::string_view text, const Reading& reading, size_t label,
                         std::vector<WordWeight>* words) {
  const std::vector<Token>& pieces = reading.text;
  for (size_t first = 0, last = 0; first < pieces.size(); first = last) {
    last = first + 1;
    while (last < pieces.size() && !pieces[last].piece.starts_with(kWordStart)) ++last;
    WordWeight word{0, pieces[last - 1].end, 0};
    word.begin = skip_white(text, pieces[first].begin, word.end);
    if (word.begin == word.end) continue;
    std::vector<int32_t> ids = reading.ids;
    const auto at = ids.begin() + 1;  // behind [CLS]
    std::fill(at + static_cast<std::ptrdiff_t>(first), at + static_cast<std::ptrdiff_t>(last),
              kMaskId);
    const Status status = compute(ids, reading.segments);
    if (!status.ok()) return status;
    word.probability = probabilities_[label];
    words->push_back(word);
  }
  return {};
}

Status Classifier::classify(std::string_view text, std::string_view second, bool weigh_words,
                            ClassifyResult* result) {
  *result = {};
  Clock clock;
  Reading reading;
  Status status = read(text, second, &reading);
  if (!status.ok()) return status;
  result->pieces = reading.pieces;
  result->read = reading.read;
  result->timing.tokenize_ms = clock.lap();
  status = compute(reading.ids, reading.segments);
  if (!status.ok()) return status;
  const std::vector<std::string>& labels = model().config().classifies->labels;
  std::vector<size_t> order(labels.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return probabilities_[a] > probabilities_[b]; });
  for (const size_t i : order) result->labels.push_back({labels[i], probabilities_[i]});
  if (weigh_words) status = weigh(text, reading, order[0], &result->words);
  result->timing.encoder_ms = clock.lap();
  return status;
}

}  // namespace minibert::infer
