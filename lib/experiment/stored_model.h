// Evaluates a stored run: its experiment, and its metrics on other data.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiment/config.h"

namespace minibert {

// Returns the experiment of this one run, on exactly the data set it used.
ExperimentConfig stored_experiment(const RunRecord& record, const std::string& file);

// The data for `evaluate`: a data set's split, or text files (for runs on text).
struct EvaluationSource {
  std::string data;  // id of a data set (empty: the run's own), or else
  // a labelled file as the test split, with the run's keys if it has none, or else
  std::optional<FileSource> labelled;
  std::vector<std::string> texts;  // text files
  std::string split;               // train | dev | test; empty: the task's reported split
  std::string data_dir;
  int64_t limit = 0;  // the most examples of the split; 0: as in the run
  std::string cache = "build/cache";
  std::function<void(const std::string&)> say = [](const std::string&) {};

  // True if it names data; otherwise the run's own data is used.
  bool given() const {
    return !data.empty() || labelled || !texts.empty() || !split.empty() || limit > 0;
  }
};

// A finished run's model with data for its evaluation.
class StoredModel {
 public:
  // source.say hears the notes of readers of labelled files. Throws Error naming `run` for no
  // record, no weights or weights that do not fit; a usage Error for data of another kind.
  StoredModel(const std::string& run, const EvaluationSource& source, const Compute& compute);

  // Evaluates on the source's split as at the end of training; a record's figures never change.
  Evaluation evaluate() { return arm_->evaluate(split_, nullptr); }
  // Arm::shown for the result of evaluate().
  std::vector<std::string> shown(const Evaluation& found, size_t count) {
    if (!found.predictions) return {};
    return arm_->shown(split_, *found.predictions, count);
  }
  // Measures the loss by int8 on the same split; the files are made from the run's record.
  nlohmann::ordered_json measure_mbq(const MbqFiles& files, int threads) {
    return arm_->measure_mbq(files, split_, threads);
  }
  const TaskKind& kind() const { return *experiment_.task; }
  Split split() const { return split_; }

 private:
  RunRecord record_;
  ExperimentConfig experiment_;
  std::unique_ptr<Tokenizer> tokenizer_;
  std::unique_ptr<TaskData> data_;
  std::unique_ptr<Arm> arm_;
  Split split_;
};

}  // namespace minibert
