// Named entities and other tags of characters (BIO), predicted by piece.
#pragma once

#include "task/tagging/tagging_task.h"

namespace minibert {

class TaggingKind : public TaskKind {
 public:
  std::string_view name() const override { return "tagging"; }
  std::span<const Measure> measures() const override;
  std::shared_ptr<const TaskSettings> read(ConfigReader& experiment) const override;
  std::shared_ptr<const TaskSettings> read_arm(const ArmReaders& readers,
                                               const TaskSettings& experiment) const override;
  void write(const TaskSettings& experiment, nlohmann::json* json) const override;
  std::unique_ptr<TaskData> load(const LoadRequest& request) const override;
  std::unique_ptr<Arm> make_arm(const ArmRequest& request, TaskData& data) const override;
  std::string_view monitor() const override { return "entity_macro_f1"; }
  HuggingfaceHead huggingface_head() const override;
  MbqHead mbq_head(const RunRecord& record) const override;
  Predicts predicts() const override { return Predicts::names; }
  std::unique_ptr<Predictor> predictor(const RunRecord& record,
                                       const std::string& file) const override;
};

}  // namespace minibert
