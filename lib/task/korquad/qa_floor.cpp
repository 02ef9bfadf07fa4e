#include "task/korquad/qa_floor.h"

#include <algorithm>
#include <map>
#include <span>

#include "core/utf8.h"
#include "data/overlap_answer.h"
#include "task/floor.h"
#include "task/korquad/qa_evaluate.h"
#include "text/python_text.h"

namespace minibert {
namespace {

constexpr const char* kOverlap = "overlap";  // persisted

std::string text_of(std::u32string_view text, CodePoints part) {
  return to_utf8(text.substr(part.begin, part.end - part.begin));
}

class QaFloor : public Arm {
 public:
  QaFloor(KorquadData& data, std::string kind) : data_(data), kind_(std::move(kind)) {}

  Task& task() override { return task_; }
  torch::nn::Module& module() override { return task_.module(); }
  nlohmann::json model_config() const override { return {{"kind", kind_}}; }

  Evaluation evaluate(Split split) override {
    prepare();
    ScoredAnswers answers;
    size_t left = data_.limit();
    for (const KorquadParagraph& paragraph : data_.set(split).paragraphs) {
      const std::u32string context = to_code_points(paragraph.context);
      const std::span<const KorquadQuestion> questions(paragraph.questions);
      for (const KorquadQuestion& question : questions.first(std::min(left, questions.size())))
        answers.add(question.id, question.answers(), answer(context, question.question), 0);
      left -= std::min(left, questions.size());
    }
    return answers.evaluation();
  }

 protected:
  virtual void prepare() {}
  virtual std::string answer(std::u32string_view context, const std::string& question) const = 0;

  KorquadData& data_;

 private:
  std::string kind_;
  UntrainedTask task_;
};

class OverlapFloor : public QaFloor {
 public:
  explicit OverlapFloor(KorquadData& data) : QaFloor(data, kOverlap) {}

 protected:
  std::string answer(std::u32string_view context, const std::string& question) const override {
    const OverlapAnswer found = overlap_answer(context, to_code_points(question));
    return text_of(context, {found.begin, found.end});
  }
};

class MajorityFloor : public QaFloor {
 public:
  explicit MajorityFloor(KorquadData& data) : QaFloor(data, kMajority) {}

 protected:
  void prepare() override {
    std::map<Place, size_t> counts;
    for (const KorquadParagraph& paragraph : data_.set(Split::train).paragraphs) {
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
    if (most != counts.end()) place_ = most->first;
  }

  std::string answer(std::u32string_view context, const std::string&) const override {
    const std::vector<CodePoints> all = split_ranges(context);
    const auto [first, count] = place_;
    if (first >= all.size()) return "";
    return text_of(context, {all[first].begin, all[std::min(first + count, all.size()) - 1].end});
  }

 private:
  using Place = std::pair<size_t, size_t>;  // first word, number of words
  Place place_{0, 1};
};

}  // namespace

bool is_qa_floor(const nlohmann::json& model, const std::string& file) {
  return is_floor(kMajority, model, file) || is_floor(kOverlap, model, file);
}

std::unique_ptr<Arm> make_qa_floor(const std::string& kind, KorquadData& data) {
  if (kind == kOverlap) return std::make_unique<OverlapFloor>(data);
  return std::make_unique<MajorityFloor>(data);
}

}  // namespace minibert
