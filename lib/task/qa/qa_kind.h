// Question answering on KorQuAD 1.0 and data sets of its format: the answer is a span of the context.
#pragma once

#include "task/qa/qa_model.h"
#include "task/qa/qa_settings.h"
#include "task/task_kind.h"

namespace minibert {

class QaKind : public TaskKind {
 public:
  std::string_view name() const override { return "korquad"; }
  std::span<const Measure> measures() const override;
  std::shared_ptr<const TaskSettings> read(ConfigReader& experiment) const override;
  std::shared_ptr<const TaskSettings> read_arm(const ArmReaders& readers,
                                               const TaskSettings& experiment) const override;
  void write(const TaskSettings& experiment, nlohmann::json* json) const override;
  void write_arm(const TaskSettings& arm, nlohmann::json* json) const override;
  std::unique_ptr<TaskData> load(const LoadRequest& request) const override;
  std::unique_ptr<Arm> make_arm(const ArmRequest& request, TaskData& data) const override;
  std::string_view monitor() const override { return "f1"; }
  HuggingfaceHead huggingface_head() const override;
  MbqHead mbq_head(const RunRecord& record) const override;
  Predicts predicts() const override { return Predicts::answers; }
  std::unique_ptr<Predictor> predictor(const RunRecord& record,
                                       const std::string& file) const override;
};

// A finished run for use: its model on the CPU in eval mode, with the windows and spans of its
// training. Throws Error naming `file` for another task's run and for missing or wrong weights.
struct StoredQa {
  std::shared_ptr<QaModel> model;
  QaSettings settings;
};
StoredQa load_qa(const RunRecord& record, const std::string& file);

}  // namespace minibert
