// Labelled texts as rows of pieces with targets, for the tasks that judge a whole text.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "data/splits/labelled_data.h"
#include "task/task_kind.h"
#include "task/text_rows.h"

namespace minibert {

inline constexpr char kPairs[] = "pairs";  // persisted in a record's statistics

// Values of SequenceSettings::train_sample. Files may be sorted: of NSMC's first 15,000 training reviews three quarters
// are positive, of all of them half.
inline constexpr char kFirstExamples[] = "first";
inline constexpr char kRandomExamples[] = "random";

// "features" of an experiment.
struct SequenceSettings : TaskSettings {
  int max_length = 128;                       // pieces of a row, special ones included
  int64_t train_limit = 0;                    // training examples; 0: all
  std::string train_sample = kFirstExamples;  // which, where there are more
};

struct SequenceSplit {
  std::vector<std::string> ids, gold;  // of every example
  std::vector<std::string> where;      // its file and line, else "example ID"
  std::vector<std::string> clusters;   // which examples belong together (data/splits/clusters.h)
  TextRows rows;                       // rows_per_example of each, one after the other
  int64_t rows_per_example = 1;        // alternatives of a choice, else 1
};

class SequenceData : public TaskData {
 public:
  // Throws Error when the data set has no labelled texts, or not with choices (or without), as
  // `choices` wants them, or several labels a text where `use` wants one.
  SequenceData(const LoadRequest& request, bool choices, LabelUse use);

  std::map<std::string, size_t> examples() override;
  // Examples of every label in every split, but of many numbers, and whether the texts are pairs.
  nlohmann::json statistics() override;

  std::optional<MeasuredExamples> measured_by(Split split) override;
  std::vector<std::string> asked(Split split) override;
  std::shared_ptr<const SequenceSplit> split(Split split);
  // In the registry's order, else sorted: of the training split. A label of dev or test that training
  // does not have is an Error; one that training alone has is told once (LoadRequest::say).
  const std::vector<std::string>& labels() const { return labels_; }
  const Tokenizer& tokenizer() const { return tokenizer_; }
  int max_length() const { return max_length_; }  // pieces of a row
  // As they are in the file; beyond limit() they are not measured.
  const std::vector<LabelledExample>& examples_of(Split split) const;
  size_t limit() const { return limit_ == 0 ? SIZE_MAX : limit_; }

 private:
  void limit_training(const SequenceSettings& settings);
  void find_labels(const ResolvedData& data, const std::function<void(const std::string&)>& say);

  LabelledSplits splits_;
  std::vector<std::string> labels_;
  const Tokenizer& tokenizer_;
  int max_length_;
  size_t limit_;
  bool several_;
  std::function<void(const std::string&)> say_;
  std::map<Split, std::shared_ptr<const SequenceSplit>> encoded_;
};

}  // namespace minibert
