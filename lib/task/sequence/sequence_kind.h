// The tasks that judge a whole text: a label (classification), any number of labels (multilabel), a
// number (regression), the best of several alternatives (choice). Objective and measures differ.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "task/sequence/objective.h"
#include "task/sequence/sequence_model.h"
#include "task/task_kind.h"

namespace minibert {

class SequenceKind : public TaskKind {
 public:
  // The arguments live as long as the program.
  SequenceKind(std::string_view name, std::span<const Measure> measures,
               const SequenceObjective& objective, bool choices)
      : name_(name), measures_(measures), objective_(objective), choices_(choices) {}

  std::string_view name() const override { return name_; }
  std::span<const Measure> measures() const override { return measures_; }
  std::shared_ptr<const TaskSettings> read(ConfigReader& experiment) const override;
  std::shared_ptr<const TaskSettings> read_arm(const ArmReaders& readers,
                                               const TaskSettings& experiment) const override;
  void write(const TaskSettings& experiment, nlohmann::json* json) const override;
  std::unique_ptr<TaskData> load(const LoadRequest& request) const override;
  std::unique_ptr<Arm> make_arm(const ArmRequest& request, TaskData& data) const override;
  bool several_labels() const override { return objective_.several_labels(); }
  std::string_view monitor() const override;
  HuggingfaceHead huggingface_head() const override;
  void fold_output_units(RunRecord* record) const override;
  MbqHead mbq_head(const RunRecord& record) const override;
  bool gives_numbers() const { return !objective_.names_labels() && !choices_; }
  bool chooses() const { return choices_; }  // the best of several alternatives
  Predicts predicts() const override { return Predicts::labels; }
  std::unique_ptr<Predictor> predictor(const RunRecord& record,
                                       const std::string& file) const override;

 private:
  std::string_view name_;
  std::span<const Measure> measures_;
  const SequenceObjective& objective_;
  bool choices_;
};

const SequenceKind& classification_kind();
const SequenceKind& multilabel_kind();
const SequenceKind& regression_kind();
const SequenceKind& choice_kind();

}  // namespace minibert
