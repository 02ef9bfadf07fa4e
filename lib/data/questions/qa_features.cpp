// KorQuAD questions as model input: the course's steps, each context encoded once.
#include "data/questions/qa_features.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>

#include "core/error.h"
#include "core/parallel.h"
#include "core/utf8.h"
#include "data/questions/word_encoder.h"
#include "rules/context_words.h"
#include "rules/question_overlap.h"
#include "text/python_text.h"

namespace minibert {
namespace {

// Everything of one paragraph; writes only its own context and examples.
class ParagraphEncoder {
 public:
  ParagraphEncoder(const KorquadSet& set, const Tokenizer& tokenizer, const PairEncoder& pairs,
                   const QaFeatureSettings& settings)
      : set_(set), settings_(settings), words_(tokenizer, pairs) {}

  void encode(uint32_t index, size_t first_example, QaSplit* out) {
    const KorquadParagraph& paragraph = set_.paragraphs[index];
    const std::u32string text = to_code_points(paragraph.context);
    const std::vector<uint32_t> bytes = code_point_offsets(paragraph.context);
    const WordRanges words = split_words(text);
    EncodedContext& context = out->contexts[index];
    keys_.clear();
    for (const auto& [begin, end] : words) {
      const std::string_view word(paragraph.context.data() + bytes[begin],
                                  bytes[end] - bytes[begin]);
      context.word_piece.push_back(static_cast<uint32_t>(context.ids.size()));
      for (const WordPiece& piece : words_.word(word)) {
        context.ids.push_back(piece.id);
        keys_.push_back(piece.key);
        context.begin.push_back(bytes[begin] + piece.begin);
        context.end.push_back(bytes[begin] + piece.end);
      }
    }
    out->context_texts[index] = paragraph.context;
    const QuestionOverlap overlap(text, settings_.overlap ? words : WordRanges());
    for (const KorquadQuestion& question : paragraph.questions) {
      QaExample& example = out->examples[first_example++];
      example.id = question.id;
      example.answers = question.answers();
      example.context = index;
      example.question_ids = words_.text(question.question);
      const size_t limit = static_cast<size_t>(settings_.max_question);
      example.question_is_cut = example.question_ids.size() > limit;
      if (example.question_is_cut) example.question_ids.resize(limit);
      if (settings_.overlap)
        example.context_segments =
            overlap.segments(to_code_points(question.question), example.question_ids, context.ids,
                             context.word_piece);
      if (const std::string wrong = wrong_place(text, question); !wrong.empty())
        throw Error((paragraph.source.empty() ? "" : paragraph.source + ": ") + "question " +
                    question.id + ": " + wrong);
      label(question, words, context, &example);
    }
  }

 private:
  // The answer's characters → words → pieces → the course's _improve_span.
  void label(const KorquadQuestion& question, const WordRanges& words,
             const EncodedContext& context, QaExample* example) {
    const std::u32string answer = to_code_points(question.answer);
    const auto length = static_cast<int64_t>(answer.size());
    // Blanks before the first word belong to no word; the answer has one, so that it ends in one.
    const auto word_of = [&](int64_t at) { return word_at(words, static_cast<uint32_t>(at)); };
    const auto first_word =
        static_cast<size_t>(std::max<ptrdiff_t>(word_of(question.answer_start), 0));
    const auto last_word = static_cast<size_t>(word_of(question.answer_start + length - 1));
    const auto start = static_cast<int64_t>(context.word_piece[first_word]);
    const int64_t end = last_word + 1 < context.word_piece.size()
                            ? static_cast<int64_t>(context.word_piece[last_word + 1]) - 1
                            : static_cast<int64_t>(context.ids.size()) - 1;
    example->start = static_cast<uint32_t>(start);
    example->end = static_cast<uint32_t>(end);
    // For starts ascending and ends descending, the first sub-span that spells the answer; only one
    // end can, that at the answer's own length.
    const std::span<const WordPiece> wanted = words_.word(to_utf8(join_split(answer)));
    const auto count = static_cast<int64_t>(wanted.size());
    if (count == 0) return;
    for (int64_t s = start; s + count - 1 <= end; ++s) {
      if (!std::ranges::equal(wanted, std::span(keys_).subspan(s, wanted.size()), {},
                              &WordPiece::key))
        continue;
      example->start = static_cast<uint32_t>(s);
      example->end = static_cast<uint32_t>(s + count - 1);
      return;
    }
  }

  const KorquadSet& set_;
  const QaFeatureSettings& settings_;
  WordEncoder words_;
  std::vector<int32_t> keys_;  // of the current context's pieces
};

uint32_t question_pieces(const QaExample& example) {
  return static_cast<uint32_t>(example.question_ids.size());
}

uint32_t capacity(const QaExample& example, const QaFeatureSettings& settings) {
  return window_capacity(question_pieces(example), settings);
}

}  // namespace

QaSplit encode_questions(const KorquadSet& set, const Tokenizer& tokenizer,
                         const QaFeatureSettings& settings, int threads) {
  if (settings.max_question < 1 || settings.max_length <= settings.max_question + 3)
    throw usage_error("max_length: found " + std::to_string(settings.max_length) +
                      ", expected more than max_question (" +
                      std::to_string(settings.max_question) + ") + 3");
  if (settings.stride < 1)
    throw usage_error("stride: found " + std::to_string(settings.stride) + ", expected at least 1");
  const size_t count = set.paragraphs.size();
  std::vector<size_t> first_example(count + 1, 0);
  for (size_t i = 0; i < count; ++i)
    first_example[i + 1] = first_example[i] + set.paragraphs[i].questions.size();
  QaSplit split;
  split.special = tokenizer.special();
  split.context_texts.resize(count);
  split.contexts.resize(count);
  split.examples.resize(first_example[count]);
  for (const KorquadParagraph& paragraph : set.paragraphs)
    split.clusters.push_back(cluster_of(paragraph));

  const PairEncoder pairs(tokenizer);
  parallel_over(count, threads, [&] {
    return [&, encoder = ParagraphEncoder(set, tokenizer, pairs, settings)](size_t i) mutable {
      encoder.encode(static_cast<uint32_t>(i), first_example[i], &split);
    };
  });
  return split;
}

QaWindow course_window(const QaSplit& split, uint32_t example, const QaFeatureSettings& settings) {
  const QaExample& e = split.examples[example];
  const auto pieces = static_cast<uint32_t>(split.contexts[e.context].ids.size());
  return {example, 0, std::min(pieces, capacity(e, settings))};
}

bool course_discards(const QaSplit& split, uint32_t example, const QaFeatureSettings& settings) {
  const QaExample& e = split.examples[example];
  // An answer without a piece ends one before it starts, at the context's first word at -1.
  return static_cast<int32_t>(e.end) >= static_cast<int32_t>(capacity(e, settings));
}

std::vector<QaWindow> covering_windows(const QaSplit& split, uint32_t example,
                                       const QaFeatureSettings& settings) {
  const QaExample& e = split.examples[example];
  const auto pieces = static_cast<uint32_t>(split.contexts[e.context].ids.size());
  std::vector<QaWindow> windows;
  for (const ContextWindow& window : covering_windows(pieces, question_pieces(e), settings))
    windows.push_back({example, window.first, window.count});
  return windows;
}

uint32_t window_length(const QaSplit& split, const QaWindow& window) {
  return context_offset(split, window) + window.count + 1;
}

uint32_t context_offset(const QaSplit& split, const QaWindow& window) {
  return context_offset(question_pieces(split.examples[window.example]));
}

void append_window(const QaSplit& split, const QaWindow& window, std::vector<int32_t>* ids,
                   std::vector<uint8_t>* segments) {
  const QaExample& e = split.examples[window.example];
  append_window({.question = e.question_ids,
                 .context = split.contexts[e.context].ids,
                 .context_segments = e.context_segments,
                 .cls = split.special.cls,
                 .sep = split.special.sep},
                {window.first, window.count}, ids, segments);
}

std::string span_text(const QaSplit& split, uint32_t context, uint32_t start, uint32_t end) {
  const EncodedContext& pieces = split.contexts[context];
  if (start > end || end >= pieces.ids.size())
    throw Error("context pieces " + std::to_string(start) + "…" + std::to_string(end) +
                " are not in 0…" + std::to_string(pieces.ids.size()));
  return split.context_texts[context].substr(pieces.begin[start],
                                             pieces.end[end] - pieces.begin[start]);
}

std::string feature_line(const QaSplit& split, uint32_t example,
                         const QaFeatureSettings& settings) {
  const QaExample& e = split.examples[example];
  nlohmann::ordered_json line;
  line["id"] = e.id;
  const bool discarded = course_discards(split, example, settings);
  if (!discarded) {
    std::vector<int32_t> ids;
    std::vector<uint8_t> segments;
    const QaWindow window = course_window(split, example, settings);
    append_window(split, window, &ids, &segments);
    const auto first = static_cast<int32_t>(context_offset(split, window));
    line["input_ids"] = ids;
    line["segments"] = segments;
    line["start"] = first + static_cast<int32_t>(e.start);
    line["end"] = first + static_cast<int32_t>(e.end);
  }
  line["discarded"] = discarded;
  return line.dump();
}

}  // namespace minibert
