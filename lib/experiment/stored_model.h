// A stored run put to use: its experiment, its metrics on other data.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiment/config.h"

namespace minibert {

// The experiment of this one run, on exactly the data set it used.
ExperimentConfig stored_experiment(const RunRecord& record, const std::string& file);

// Where `evaluate` finds what it measures on: a data set's split, or text files (runs on text).
struct EvaluationSource {
  std::string data;  // id of a data set (empty: the run's own), or else
  // A labelled file as test, with the run's keys where it has none, or else
  std::optional<FileSource> labelled;
  std::vector<std::string> texts;  // text files
  std::string split;               // train | dev | test; empty: the one that the task reports
  std::string data_dir;
  int64_t limit = 0;  // at most so many examples of the split; 0: as the run itself
  std::string cache = "build/cache";
  std::function<void(const std::string&)> say = [](const std::string&) {};

  // Whether it says anything of what is measured on; else the run's own data is.
  bool given() const {
    return !data.empty() || labelled || !texts.empty() || !split.empty() || limit > 0;
  }
};

// A finished run's model with the data it is measured on.
class StoredModel {
 public:
  // What is read of labelled files is told to source.say. Throws Error naming `run`: no record, no weights,
  // weights that do not fit; a usage Error for data of another kind.
  StoredModel(const std::string& run, const EvaluationSource& source, const Compute& compute);

  // On the source's split, as at the end of training; the figure of a record on a data set is always
  // the same.
  Evaluation evaluate() { return arm_->evaluate(split_, nullptr); }
  // Arm::shown, of what evaluate() returned.
  std::vector<std::string> shown(const Evaluation& found, size_t count) {
    if (!found.predictions) return {};
    return arm_->shown(split_, *found.predictions, count);
  }
  // What int8 costs the run, on the same split; the files are made of its record.
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
