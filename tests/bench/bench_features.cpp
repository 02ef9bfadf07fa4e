// QA features: ours against the course's own steps written in C++, which tokenize the context again
// for every question and compare spans as joined strings. Usage: bench_features KORQUAD.json MODEL.
// Prints one JSON line; fails when the two disagree or the ratio is below 8.
#include <sentencepiece_processor.h>

#include <chrono>
#include <cstdio>
#include <iostream>

#include "core/error.h"
#include "core/utf8.h"
#include "data/questions/qa_features.h"

namespace {

using namespace minibert;
using sentencepiece::SentencePieceProcessor;

constexpr double kRequiredRatio = 8;  // half of what an idle machine gives

struct CourseFeatures {
  std::vector<int> ids;
  std::vector<int> segments;
  int start, end;
  bool discarded;
};

std::string joined(const std::vector<std::string>& pieces, size_t begin, size_t end) {
  std::string out;
  for (size_t i = begin; i < end; ++i) {
    if (i != begin) out += ' ';
    out += pieces[i];
  }
  return out;
}

struct CourseWords {
  std::vector<std::string> words;
  std::vector<int> char_to_word;
};

CourseWords tokenize_whitespace(const std::u32string& text) {
  CourseWords out;
  bool after_space = true;
  for (char32_t c : text) {
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == 0x202f) {
      after_space = true;
    } else {
      if (after_space) out.words.emplace_back();
      out.words.back() += to_utf8({&c, 1});
      after_space = false;
    }
    out.char_to_word.push_back(static_cast<int>(out.words.size()) - 1);
  }
  return out;
}

CourseFeatures course_question(const SentencePieceProcessor& vocab, const KorquadQuestion& qa,
                               const CourseWords& context) {
  const int last_char =
      static_cast<int>(qa.answer_start + static_cast<int64_t>(to_code_points(qa.answer).size())) -
      1;
  const int word_start = context.char_to_word[static_cast<size_t>(qa.answer_start)];
  const int word_end = context.char_to_word[static_cast<size_t>(last_char)];
  std::vector<std::string> pieces;
  std::vector<int> word_to_token;
  for (const std::string& word : context.words) {
    word_to_token.push_back(static_cast<int>(pieces.size()));
    for (std::string& piece : vocab.EncodeAsPieces(word)) pieces.push_back(std::move(piece));
  }
  int start = word_to_token[static_cast<size_t>(word_start)];
  int end = static_cast<size_t>(word_end) + 1 < word_to_token.size()
                ? word_to_token[static_cast<size_t>(word_end) + 1] - 1
                : static_cast<int>(pieces.size()) - 1;
  const std::vector<std::string> answer = vocab.EncodeAsPieces(qa.answer);
  const std::string wanted = joined(answer, 0, answer.size());
  const auto improve = [&] {
    for (int s = start; s <= end; ++s)
      for (int e = end; e >= s; --e)
        if (joined(pieces, static_cast<size_t>(s), static_cast<size_t>(e) + 1) == wanted)
          return std::pair(s, e);
    return std::pair(start, end);
  };
  std::tie(start, end) = improve();

  std::vector<std::string> question = vocab.EncodeAsPieces(qa.question);
  question.resize(std::min<size_t>(question.size(), 64));
  const size_t room = 384 - question.size() - 3;
  CourseFeatures out{{}, {}, start, end, end >= static_cast<int>(room)};
  if (out.discarded) return out;
  pieces.resize(std::min(pieces.size(), room));
  const int offset = static_cast<int>(question.size()) + 2;
  out.ids.push_back(vocab.PieceToId("[CLS]"));
  for (const std::string& piece : question) out.ids.push_back(vocab.PieceToId(piece));
  out.ids.push_back(vocab.PieceToId("[SEP]"));
  for (const std::string& piece : pieces) out.ids.push_back(vocab.PieceToId(piece));
  out.ids.push_back(vocab.PieceToId("[SEP]"));
  out.segments.assign(static_cast<size_t>(offset), 0);
  out.segments.resize(out.ids.size(), 1);
  out.start += offset;
  out.end += offset;
  return out;
}

// The shortest of `runs` runs, which other programs on the machine disturb least.
template <class Work>
double best_of(int runs, const Work& work) {
  double best = 1e30;
  for (int i = 0; i < runs; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    best = std::min(best, taken.count());
  }
  return best;
}

int run(const std::string& data, const std::string& model) {
  const KorquadSet set = read_korquad(data);
  const Tokenizer tokenizer = Tokenizer::from_file(model);
  SentencePieceProcessor vocab;
  if (!vocab.LoadFromSerializedProto(tokenizer.bytes()).ok()) return 1;
  const QaFeatureSettings settings;

  std::vector<CourseFeatures> course;
  const double course_seconds = best_of(3, [&] {
    course.clear();
    for (const KorquadParagraph& paragraph : set.paragraphs) {
      const CourseWords words = tokenize_whitespace(to_code_points(paragraph.context));
      for (const KorquadQuestion& question : paragraph.questions)
        course.push_back(course_question(vocab, question, words));
    }
  });

  std::vector<std::vector<int32_t>> ids;
  std::vector<std::vector<uint8_t>> segments;
  const double ours_seconds = best_of(5, [&] {
    const QaSplit split = encode_questions(set, tokenizer, settings, 1);
    ids.assign(split.examples.size(), {});
    segments.assign(split.examples.size(), {});
    for (uint32_t i = 0; i < split.examples.size(); ++i)
      if (!course_discards(split, i, settings))
        append_window(split, course_window(split, i, settings), &ids[i], &segments[i]);
  });

  size_t different = 0;
  for (size_t i = 0; i < ids.size(); ++i) different += ids[i] != course[i].ids;
  if (different != 0 || ids.size() != course.size()) {
    std::cerr << "bench_features: " << different << " questions differ\n";
    return 1;
  }
  const double ratio = course_seconds / ours_seconds;
  std::printf(
      "{\"name\":\"features\",\"questions\":%zu,\"course_seconds\":%.4f,\"ours_seconds\":%.4f,"
      "\"ratio\":%.2f}\n",
      ids.size(), course_seconds, ours_seconds, ratio);
  if (ratio >= kRequiredRatio) return 0;
  std::cerr << "bench_features: ratio " << ratio << ", expected at least " << kRequiredRatio
            << "\n";
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: bench_features KORQUAD.json MODEL\n";
    return 2;
  }
  try {
    return run(argv[1], argv[2]);
  } catch (const minibert::Error& error) {
    std::cerr << "bench_features: " << error.what() << "\n";
    return 1;
  }
}
