// Pretraining a BERT on text: masked LM and a sentence task (Devlin et al. 2019).
#pragma once

#include "task/pretrain/pretrain_settings.h"
#include "task/task_kind.h"

namespace minibert {

class PretrainKind : public TaskKind {
 public:
  std::string_view name() const override { return kPretrainTask; }
  std::span<const Measure> measures() const override;
  Split reported() const override { return Split::dev; }
  bool reads_text() const override { return true; }
  void fill_in_defaults(nlohmann::json* experiment) const override;
  std::shared_ptr<const TaskSettings> read(ConfigReader& experiment) const override;
  std::shared_ptr<const TaskSettings> read_arm(const ArmReaders& readers,
                                               const TaskSettings& experiment) const override;
  void write(const TaskSettings& experiment, nlohmann::json* json) const override;
  void write_arm(const TaskSettings& arm, nlohmann::json* json) const override;
  std::unique_ptr<TaskData> load(const LoadRequest& request) const override;
  std::unique_ptr<Arm> make_arm(const ArmRequest& request, TaskData& data) const override;
  MbqHead mbq_head(const RunRecord& record) const override;
  Predicts predicts() const override { return Predicts::masks; }
  std::unique_ptr<Predictor> predictor(const RunRecord& record,
                                       const std::string& file) const override;
};

}  // namespace minibert
