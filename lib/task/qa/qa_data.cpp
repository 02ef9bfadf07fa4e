#include "task/qa/qa_data.h"

#include <algorithm>
#include <set>

#include "core/characters.h"
#include "core/error.h"
#include "core/utf8.h"

namespace minibert {

QaData::QaData(const LoadRequest& request)
    : splits_(load_korquad(request.data, request.say)),
      tokenizer_(request.tokenizer),
      limit_(static_cast<size_t>(request.limit)),
      threads_(request.threads),
      say_(request.say) {}

const KorquadSet& QaData::set(Split split) const {
  return split == Split::train ? splits_.train : split == Split::dev ? splits_.dev : splits_.test;
}

std::map<std::string, size_t> QaData::examples() {
  return {{"train", splits_.train.question_count()},
          {"dev", splits_.dev.question_count()},
          {"test", splits_.test.question_count()}};
}

std::optional<MeasuredExamples> QaData::measured_by(Split split) {
  MeasuredExamples out;
  std::set<std::string> clusters;
  for (const KorquadParagraph& paragraph : set(split).paragraphs) {
    if (out.examples >= limit()) break;
    out.examples = std::min(limit(), out.examples + paragraph.questions.size());
    if (!paragraph.questions.empty()) clusters.insert(cluster_of(paragraph));
  }
  out.clusters = clusters.size();
  return out;
}

std::vector<std::string> QaData::asked(Split split) {
  std::vector<std::string> out;
  for (const KorquadParagraph& paragraph : set(split).paragraphs)
    for (const KorquadQuestion& question : paragraph.questions)
      out.push_back(paragraph.context + "\t" + question.question);
  return out;
}

std::shared_ptr<const QaSplit> QaData::questions(Split split, const QaFeatureSettings& features) {
  const std::string key = std::string(to_string(split)) + "/" +
                          std::to_string(features.max_length) + "/" +
                          std::to_string(features.max_question) + "/" +
                          std::to_string(features.stride) + (features.overlap ? "/overlap" : "");
  std::shared_ptr<const QaSplit>& encoded = encoded_[key];
  if (!encoded) {
    if (set(split).question_count() == 0)
      throw usage_error(std::string("the data set has no questions for split \"") +
                        to_string(split) + "\"");
    QaSplit questions = encode_questions(set(split), tokenizer_, features, threads_);
    if (limit() < questions.examples.size()) questions.examples.resize(limit());
    if (const auto cut = std::ranges::count(questions.examples, true, &QaExample::question_is_cut);
        cut > 0)
      say_(std::string(to_string(split)) + ": " + std::to_string(cut) + " of " +
           std::to_string(questions.examples.size()) +
           " questions are longer than features.max_question " +
           std::to_string(features.max_question) + ": the rest of them is not read");
    encoded = std::make_shared<const QaSplit>(std::move(questions));
  }
  return encoded;
}

QaSplit encode_open_question(const std::string& context, const std::string& question,
                             const Tokenizer& tokenizer, const QaFeatureSettings& features,
                             LongQuestion long_question) {
  const size_t pieces = tokenizer.encode_named(question).size();
  if (pieces > static_cast<size_t>(features.max_question) && long_question == LongQuestion::refused)
    throw usage_error("the question is too long: found " + std::to_string(pieces) +
                      " pieces, expected at most " + std::to_string(features.max_question));
  // The features want a gold answer; the first character that is no space serves, and is not used.
  const std::u32string characters = to_code_points(context);
  const size_t first = static_cast<size_t>(std::ranges::find_if_not(characters, is_python_space) -
                                           characters.begin());
  if (first == characters.size()) throw usage_error("the context is blank, expected text");
  const std::string answer = to_utf8(characters.substr(first, 1));
  KorquadSet set;
  set.paragraphs.push_back(
      {"", context, {{"question", question, answer, static_cast<int64_t>(first)}}});
  return encode_questions(set, tokenizer, features, 1);
}

}  // namespace minibert
