// Labelled texts as rows of pieces with targets, for tasks that judge a whole text.
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

// Values of SequenceSettings::train_sample. Files may be sorted: of NSMC's first 15,000 training
// reviews three quarters are positive, of all reviews half.
inline constexpr char kFirstExamples[] = "first";
inline constexpr char kRandomExamples[] = "random";

// "features" of an experiment.
struct SequenceSettings : TaskSettings {
  int max_length = 128;                       // pieces in a row, including special ones
  int64_t train_limit = 0;                    // training examples; 0: all
  std::string train_sample = kFirstExamples;  // which ones, if there are more
};

struct SequenceSplit {
  std::vector<std::string> ids, gold;  // by example
  std::vector<std::string> where;      // file and line, or "example ID"
  std::vector<std::string> clusters;   // equal: they belong together (data/splits/clusters.h)
  TextRows rows;                       // rows_per_example for each example, in order
  int64_t rows_per_example = 1;        // alternatives of a choice, else 1
};

class SequenceData : public TaskData {
 public:
  // Throws Error if the data set has no labelled texts, has choices where `choices` is false (or
  // has none where it is true), or has several labels a text where `use` expects one.
  SequenceData(const LoadRequest& request, bool choices, LabelUse use);

  std::map<std::string, size_t> examples() override;
  // Returns the examples of every label in every split (not for numbers of many values), and
  // whether the texts are pairs.
  nlohmann::json statistics() override;

  std::optional<MeasuredExamples> measured_by(Split split) override;
  std::vector<std::string> asked(Split split) override;
  std::shared_ptr<const SequenceSplit> split(Split split);
  // The training split's labels, in the registry's order or sorted. A label that only dev or test
  // has is an Error; one that only training has is reported once (LoadRequest::say).
  const std::vector<std::string>& labels() const { return labels_; }
  const Tokenizer& tokenizer() const { return tokenizer_; }
  int max_length() const { return max_length_; }  // pieces in a row
  // The examples as in the file; those beyond limit() are not evaluated.
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
