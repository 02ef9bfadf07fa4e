#include "infer/answerer.h"

#include <algorithm>
#include <utility>

#include "core/characters.h"
#include "infer/engine/float_ops.h"
#include "infer/format/mbq_format.h"
#include "rules/context_words.h"
#include "rules/question_overlap.h"

namespace minibert::infer {

// A question and a context as pieces.
struct Answerer::Reading {
  Characters asked, told;  // question, context
  std::vector<int32_t> question, context;
  std::vector<uint32_t> begin, end;  // bytes of every context piece
  std::vector<uint8_t> segments;     // of every context piece; empty without overlap
};

Status Answerer::load(std::span<const uint8_t> file, Kernel kernel) {
  TextModel loaded;
  const Status status = loaded.load(file, kernel);
  return status.ok() ? load(std::move(loaded)) : status;
}

Status Answerer::load(TextModel loaded) {
  if (!loaded.model->config().answers)
    return another_task(loaded.model->config(), "answers questions");
  loaded_ = std::move(loaded);
  return {};
}

Status Answerer::read_question(std::string_view question, LongQuestion long_question,
                               Reading* reading) const {
  if (!to_characters(question, &reading->asked))
    return Status::error("the question is not valid UTF-8");
  std::vector<Token> tokens;
  const Status status = tokenize(question, &tokens);
  if (!status.ok()) return status;
  if (tokens.empty()) return Status::error("the question is empty", Problem::empty_question);
  const auto most = static_cast<size_t>(model().config().answers->features.max_question);
  if (tokens.size() > most && long_question == LongQuestion::refused)
    return Status::too_many("the question is too long: found " + std::to_string(tokens.size()) +
                                " pieces, expected at most " + std::to_string(most),
                            Problem::question_too_long, tokens.size(), most);
  tokens.resize(std::min(tokens.size(), most));
  for (const Token& token : tokens) reading->question.push_back(token.id);
  return {};
}

Status Answerer::read_context(std::string_view context, Reading* reading) const {
  if (!to_characters(context, &reading->told)) return Status::error("the text is not valid UTF-8");
  const WordRanges words = split_words(reading->told.text);
  const int32_t lone_space = loaded_.tokenizer.id(kWordStart);
  std::vector<uint32_t> word_piece;  // first piece of every word
  std::vector<Token> pieces;
  for (const auto& [first, last] : words) {
    const uint32_t at = reading->told.bytes[first];
    const Status status =
        loaded_.tokenizer.encode_named(context.substr(at, reading->told.bytes[last] - at), &pieces);
    if (!status.ok()) return status;
    share_characters(lone_space, &pieces);
    word_piece.push_back(static_cast<uint32_t>(reading->context.size()));
    for (const Token& piece : pieces) {
      reading->context.push_back(piece.id);
      reading->begin.push_back(at + piece.begin);
      reading->end.push_back(at + piece.end);
    }
  }
  if (reading->context.empty()) return Status::error("the text is empty", Problem::empty_text);
  if (model().config().answers->features.overlap)
    reading->segments =
        QuestionOverlap(reading->told.text, words)
            .segments(reading->asked.text, reading->question, reading->context, word_piece);
  return {};
}

Status Answerer::find_spans(const Reading& reading, const SpanSettings& settings,
                            std::vector<std::vector<Span>>* windows) {
  const auto asked = static_cast<uint32_t>(reading.question.size());
  const WindowParts parts{reading.question, reading.context, reading.segments, kClassifierId,
                          kSeparatorId};
  std::vector<int32_t> ids, wanted;
  std::vector<uint8_t> segments;
  std::vector<float> start, end;
  for (const ContextWindow& window : covering_windows(static_cast<uint32_t>(reading.context.size()),
                                                      asked, model().config().answers->features)) {
    ids.clear(), segments.clear(), wanted.clear();
    append_window(parts, window, &ids, &segments);
    for (uint32_t i = 0; i < window.count; ++i)
      wanted.push_back(static_cast<int32_t>(context_offset(asked) + i));
    const Status status = loaded_.engine->encode(ids, segments, false, wanted);
    if (!status.ok()) return status;
    const std::span<const float> logits = loaded_.engine->span_logits();
    if (!all_finite(logits)) return not_finite();
    start.clear(), end.clear();
    for (const float logit : logits) (start.size() == end.size() ? start : end).push_back(logit);
    windows->push_back(best_spans(start.data(), end.data(), window.count, window.first, settings,
                                  model().answer_lengths));
    // Two finite numbers may have a sum that is not.
    for (const Span& span : windows->back())
      if (!all_finite({&span.score, 1})) return not_finite();
  }
  return {};
}

Status Answerer::answer(std::string_view question, std::string_view context, size_t top,
                        AnswerResult* result, LongQuestion long_question) {
  *result = {};
  Clock clock;
  Reading reading;
  Status status = read_question(question, long_question, &reading);
  if (status.ok()) status = read_context(context, &reading);
  if (!status.ok()) return status;
  result->question_pieces = static_cast<uint32_t>(reading.question.size());
  result->context_pieces = static_cast<uint32_t>(reading.context.size());
  result->timing.tokenize_ms = clock.lap();
  SpanSettings settings = model().config().answers->spans;
  settings.n_best = static_cast<int>(
      std::clamp<size_t>(top, static_cast<size_t>(settings.n_best), mbq::kMaxBest));
  std::vector<std::vector<Span>> windows;
  status = find_spans(reading, settings, &windows);
  if (!status.ok()) return status;
  result->windows = static_cast<uint32_t>(windows.size());
  result->timing.encoder_ms = clock.lap();
  const std::vector<uint32_t>& bytes = reading.told.bytes;
  const auto character = [&](uint32_t byte) {
    return static_cast<uint32_t>(std::lower_bound(bytes.begin(), bytes.end(), byte) -
                                 bytes.begin());
  };
  for (const Span& span : combine_spans(windows, settings)) {
    if (result->answers.size() == top) break;
    const uint32_t begin = reading.begin[span.start], end = std::max(begin, reading.end[span.end]);
    result->answers.push_back({std::string(context.substr(begin, end - begin)), begin, end,
                               character(begin), character(end), span.probability});
  }
  result->timing.output_ms = clock.lap();
  return {};
}

}  // namespace minibert::infer
