#include "task/qa/qa_floor.h"

#include <algorithm>
#include <functional>
#include <map>
#include <span>

#include "core/utf8.h"
#include "data/questions/korquad.h"
#include "data/questions/overlap_answer.h"
#include "task/floor.h"
#include "task/qa/qa_evaluate.h"
#include "text/python_text.h"

namespace minibert {
namespace {

constexpr const char* kOverlap = "overlap";  // persisted

std::string text_of(std::u32string_view text, CodePoints part) {
  return to_utf8(text.substr(part.begin, part.end - part.begin));
}

// The answer to a question, by its context.
using AnswerFloor = std::function<std::string(std::u32string_view, const KorquadQuestion&)>;

class QaFloor : public Arm {
 public:
  QaFloor(QaData& data, std::string kind, AnswerFloor answer)
      : data_(data), kind_(std::move(kind)), answer_(std::move(answer)) {}

  Task& task() override { return task_; }
  torch::nn::Module& module() override { return task_.module(); }
  nlohmann::json model_config() const override { return {{"kind", kind_}}; }

  Evaluation evaluate(Split split, Workers*) override {
    ScoredAnswers answers;
    size_t left = data_.limit();
    for (const KorquadParagraph& paragraph : data_.set(split).paragraphs) {
      const std::u32string context = to_code_points(paragraph.context);
      const std::span<const KorquadQuestion> questions(paragraph.questions);
      for (const KorquadQuestion& question : questions.first(std::min(left, questions.size())))
        answers.add(question.id, cluster_of(paragraph), question.answers(),
                    answer_(context, question), 0);
      left -= std::min(left, questions.size());
    }
    return answers.evaluation();
  }

 private:
  QaData& data_;
  std::string kind_;
  AnswerFloor answer_;
  UntrainedTask task_;
};

std::string by_overlap(std::u32string_view context, const KorquadQuestion& question) {
  const OverlapAnswer found = overlap_answer(context, to_code_points(question.question));
  return text_of(context, {found.begin, found.end});
}

using Place = std::pair<size_t, size_t>;  // first word, number of words

Place most_frequent_place(const KorquadSet& set) {
  std::map<Place, size_t> counts;
  for (const KorquadParagraph& paragraph : set.paragraphs) {
    const std::vector<CodePoints> all = split_ranges(to_code_points(paragraph.context));
    for (const KorquadQuestion& question : paragraph.questions) {
      const auto begin = static_cast<size_t>(question.answer_start);
      const size_t end = begin + to_code_points(question.answer).size();
      const auto first = std::ranges::find_if(all, [&](CodePoints w) { return w.end > begin; });
      const auto last = std::ranges::find_if(all, [&](CodePoints w) { return w.begin >= end; });
      if (first < last)
        ++counts[{static_cast<size_t>(first - all.begin()), static_cast<size_t>(last - first)}];
    }
  }
  const auto most = std::ranges::max_element(
      counts, {}, [](const auto& place_and_count) { return place_and_count.second; });
  return most == counts.end() ? Place{0, 1} : most->first;
}

std::string at_place(std::u32string_view context, Place place) {
  const std::vector<CodePoints> all = split_ranges(context);
  const auto [first, count] = place;
  if (first >= all.size()) return "";
  return text_of(context, {all[first].begin, all[std::min(first + count, all.size()) - 1].end});
}

}  // namespace

bool is_qa_floor(const nlohmann::json& model, const std::string& file) {
  return is_floor(kMajority, model, file) || is_floor(kOverlap, model, file);
}

std::unique_ptr<Arm> make_qa_floor(const std::string& kind, QaData& data) {
  if (kind == kOverlap) return std::make_unique<QaFloor>(data, kind, by_overlap);
  return std::make_unique<QaFloor>(data, kind,
                                   [place = most_frequent_place(data.set(Split::train))](
                                       std::u32string_view context, const KorquadQuestion&) {
                                     return at_place(context, place);
                                   });
}

}  // namespace minibert
