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
  void write_arm(const TaskSettings& arm, nlohmann::json* json) const override;
  std::unique_ptr<TaskData> load(const LoadRequest& request) const override;
  std::unique_ptr<Arm> make_arm(const ArmRequest& request, TaskData& data) const override;
};

// A finished run put to use: the model on the CPU in eval mode. Errors name `file`: a run of another
// task, no weights, weights that do not fit.
struct StoredTagger {
  std::shared_ptr<TaggingModel> model;
  std::vector<std::string> tags;
  int max_length;
};
StoredTagger load_tagger(const RunRecord& record, const std::string& file);

}  // namespace minibert
