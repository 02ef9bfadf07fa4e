// Questions and contexts, encoded once for all arms with equal features.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "data/splits/question_data.h"
#include "task/qa/qa_settings.h"
#include "task/task_kind.h"

namespace minibert {

class QaData : public TaskData {
 public:
  // Throws Error if the data set has no questions.
  explicit QaData(const LoadRequest& request);

  std::map<std::string, size_t> examples() override;
  std::optional<MeasuredExamples> measured_by(Split split) override;
  std::vector<std::string> asked(Split split) override;
  std::shared_ptr<const QaSplit> questions(Split split, const QaFeatureSettings& features);

  // The questions as in the file; those beyond limit() are not evaluated.
  const KorquadSet& set(Split split) const;
  size_t limit() const { return limit_ == 0 ? SIZE_MAX : limit_; }

  const Tokenizer& tokenizer() const { return tokenizer_; }

 private:
  KorquadSplits splits_;
  const Tokenizer& tokenizer_;
  size_t limit_;  // in examples; 0: none
  int threads_;
  std::function<void(const std::string&)> say_;
  std::map<std::string, std::shared_ptr<const QaSplit>> encoded_;
};

// Encodes one question without a known answer, as example 0 of a split. Throws a usage Error for an
// empty context, and for a question of more than features.max_question pieces that must not be cut.
QaSplit encode_open_question(const std::string& context, const std::string& question,
                             const Tokenizer& tokenizer, const QaFeatureSettings& features,
                             LongQuestion long_question = LongQuestion::refused);

}  // namespace minibert
