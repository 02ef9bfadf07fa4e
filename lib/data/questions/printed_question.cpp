#include "data/questions/printed_question.h"

#include <algorithm>
#include <span>

#include "core/utf8.h"
#include "rules/context_words.h"

namespace minibert {
namespace {

constexpr size_t kWordsAround = 3;  // on each side of the answer's

// The question of example number `example`, in the order of encode_questions.
const KorquadQuestion& question_of(const KorquadSet& set, uint32_t example) {
  size_t left = example;
  size_t paragraph = 0;
  while (left >= set.paragraphs[paragraph].questions.size())
    left -= set.paragraphs[paragraph++].questions.size();
  return set.paragraphs[paragraph].questions[left];
}

class Printer {
 public:
  Printer(const QaSplit& split, const QaExample& example, const Tokenizer& tokenizer)
      : context_(split.contexts[example.context]), tokenizer_(tokenizer) {}

  std::string pieces(size_t begin, size_t end) const {
    return pieces(std::span(context_.ids).subspan(begin, end - begin));
  }
  std::string pieces(std::span<const int32_t> ids) const {
    std::string out;
    for (const int32_t id : ids) out += (out.empty() ? "" : " ") + tokenizer_.piece(id);
    return out;
  }
  // Behind the last piece of word number `word`.
  size_t end_of_word(size_t word) const {
    return word + 1 < context_.word_piece.size() ? context_.word_piece[word + 1]
                                                 : context_.ids.size();
  }

 private:
  const EncodedContext& context_;
  const Tokenizer& tokenizer_;
};

std::string places(size_t first, size_t last) {
  return "(" + std::to_string(first) + ", " + std::to_string(last) + ")";
}

}  // namespace

std::string printed_question(const KorquadSet& set, const QaSplit& split, uint32_t example,
                             const Tokenizer& tokenizer, const QaFeatureSettings& settings) {
  const KorquadQuestion& question = question_of(set, example);
  const QaExample& made = split.examples[example];
  const EncodedContext& context = split.contexts[made.context];
  const std::string& text = split.context_texts[made.context];
  const Printer print(split, made, tokenizer);
  const std::vector<uint32_t> bytes = code_point_offsets(text);
  const WordRanges words = split_words(to_code_points(text));
  const auto first_character = static_cast<uint32_t>(question.answer_start);
  const auto last_character = static_cast<uint32_t>(
      question.answer_start + static_cast<int64_t>(to_code_points(question.answer).size()) - 1);
  const auto first_word =
      static_cast<size_t>(std::max<ptrdiff_t>(word_at(words, first_character), 0));
  const auto last_word = static_cast<size_t>(word_at(words, last_character));

  std::string out = "[id]        " + question.id + "\n[context]   " + text + "\n[question]  " +
                    question.question + "\n[answer]    " + question.answer + ", characters " +
                    places(first_character, last_character) + ", words " +
                    places(first_word, last_word) + "\n\nword  characters    first piece  pieces\n";
  const size_t begin = first_word - std::min(first_word, kWordsAround);
  const size_t end = std::min(last_word + kWordsAround + 1, words.size());
  for (size_t word = begin; word < end; ++word) {
    const auto cell = [&out](const std::string& text, size_t width) {
      out += text + std::string(width - std::min(width - 1, text.size()), ' ');
    };
    cell(std::to_string(word), 6);
    cell(places(words[word].first, words[word].second - 1), 16);
    cell(std::to_string(context.word_piece[word]), 13);
    out += print.pieces(context.word_piece[word], print.end_of_word(word)) + "\n";
  }

  const size_t from = context.word_piece[first_word], to = print.end_of_word(last_word);
  const std::string wanted = print.pieces(tokenizer.encode(question.answer));
  out += "\nthe answer's pieces: " + wanted + "\n";
  bool found = false;
  for (size_t start = from; start < to && !found; ++start)
    for (size_t stop = to; stop > start && !found; --stop) {
      found = start == made.start && stop == made.end + 1 && print.pieces(start, stop) == wanted;
      out += (found ? "O >> " : "X >> ") + places(start, stop - 1) + " " +
             print.pieces(start, stop) + "\n";
    }
  if (!found) out += "no span is spelt so: the answer's words stay\n";
  out += "token_start: " + std::to_string(made.start) + "  token_end: " + std::to_string(made.end) +
         "\n\n";
  if (course_discards(split, example, settings))
    return out + "the answer ends beyond the input's " + std::to_string(settings.max_length) +
           " pieces: the question is not trained on\n";
  const QaWindow window = course_window(split, example, settings);
  std::vector<int32_t> ids;
  std::vector<uint8_t> segments;
  append_window(split, window, &ids, &segments);
  out += "[input]     " + print.pieces(ids) + "\n[segments] ";
  for (const uint8_t segment : segments) out += " " + std::to_string(segment);
  const uint32_t offset = context_offset(split, window);
  return out + "\n[labels]    start " + std::to_string(offset + made.start) + ", end " +
         std::to_string(offset + made.end) + "\n";
}

}  // namespace minibert
