#include "infer/classifier.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "infer/engine/float_ops.h"
#include "rules/text_windows.h"

namespace minibert::infer {
// A text as it goes into the model.
struct Classifier::Reading {
  std::vector<Token> text;  // all of its pieces
  WindowedText input;
  std::vector<std::vector<float>>
      probabilities;  // of each window, in the order of the model's labels
  uint32_t pieces = 0;
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
  if (!pair.empty() && model().config().classifies->pairs == false)
    return Status::error("found a second text, expected one: the model was trained on single texts",
                         Problem::second_text);
  if (reading->text.empty()) return Status::error("the text is empty", Problem::empty_text);
  const auto ids_of = [](const std::vector<Token>& tokens) {
    std::vector<int32_t> ids;
    for (const Token& token : tokens) ids.push_back(token.id);
    return ids;
  };
  reading->pieces = static_cast<uint32_t>(reading->text.size() + pair.size());
  reading->input = windowed(ids_of(reading->text), ids_of(pair),
                            model().config().classifies->max_length, kClassifierId, kSeparatorId);
  return {};
}

Status Classifier::compute(const std::vector<int32_t>& ids, const std::vector<uint8_t>& segments) {
  static constexpr int32_t kFirst[] = {0};
  const bool all = model().config().classifies->mean_pooling;
  const Status status = loaded_.engine->encode(
      ids, segments, false, all ? std::span<const int32_t>() : std::span<const int32_t>(kFirst));
  if (!status.ok()) return status;
  const std::span<const float> logits = loaded_.engine->label_logits();
  if (!all_finite(logits)) return not_finite();
  probabilities_.assign(logits.begin(), logits.end());
  const auto count = static_cast<int32_t>(probabilities_.size());
  if (model().config().classifies->several)
    sigmoid(probabilities_.data(), count);
  else
    softmax(probabilities_.data(), count);
  return {};
}

Status Classifier::weigh(std::string_view text, const Reading& reading, size_t label,
                         std::vector<WordWeight>* words) {
  const std::vector<Token>& pieces = reading.text;
  for (size_t first = 0, last = 0; first < pieces.size(); first = last) {
    last = first + 1;
    while (last < pieces.size() && !pieces[last].piece.starts_with(kWordStart)) ++last;
    WordWeight word{0, pieces[last - 1].end, 0};
    word.begin = skip_spaces(text, pieces[first].begin, word.end);
    if (word.begin == word.end) continue;
    float sum = 0;
    bool is_read = false;
    for (size_t w = 0; w < reading.input.windows.size(); ++w) {
      const TextInputWindow& window = reading.input.windows[w];
      const size_t from = std::max<size_t>(first, window.text.first);
      const size_t to = std::min<size_t>(last, window.text.first + window.text.count);
      if (from >= to) {
        sum += reading.probabilities[w][label];
        continue;
      }
      is_read = true;
      std::vector<int32_t> ids = window.ids;
      const auto at =
          ids.begin() + 1 - static_cast<std::ptrdiff_t>(window.text.first);  // after [CLS]
      std::fill(at + static_cast<std::ptrdiff_t>(from), at + static_cast<std::ptrdiff_t>(to),
                kMaskId);
      const Status status = compute(ids, window.segments);
      if (!status.ok()) return status;
      sum += probabilities_[label];
    }
    if (!is_read) break;  // the rest of a text that is cut off beside a longer second one
    word.probability = sum / static_cast<float>(reading.input.windows.size());
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
  result->several = model().config().classifies->several;
  result->pieces = reading.pieces;
  result->read = reading.input.read;
  result->timing.tokenize_ms = clock.lap();
  const std::vector<std::string>& labels = model().config().classifies->labels;
  std::vector<float> mean(labels.size());
  for (const TextInputWindow& window : reading.input.windows) {
    status = compute(window.ids, window.segments);
    if (!status.ok()) return status;
    reading.probabilities.push_back(probabilities_);
    for (size_t i = 0; i < mean.size(); ++i) mean[i] += probabilities_[i];
  }
  for (float& probability : mean) probability /= static_cast<float>(reading.probabilities.size());
  std::vector<size_t> order(labels.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return mean[a] > mean[b]; });
  for (const size_t i : order) result->labels.push_back({labels[i], mean[i]});
  if (weigh_words) status = weigh(text, reading, order[0], &result->words);
  result->timing.encoder_ms = clock.lap();
  return status;
}

}  // namespace minibert::infer
