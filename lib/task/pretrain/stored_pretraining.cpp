#include "task/pretrain/stored_pretraining.h"

#include "record/layout.h"
#include "task/start.h"
#include "task/weights.h"

namespace minibert {

using nlohmann::operator""_json_pointer;

StoredPretraining stored_pretraining(const RunRecord& record, const std::string& file) {
  const StoredHead stored = stored_head(record, file, kPretrainTask);
  StoredPretraining out;
  ConfigReader model = stored.reader();
  model.choice("kind", {BertConfig::kKind});
  out.model.vocab_size = stored.vocab_size;
  read_keys(model, &out.model);
  ConfigReader experiment(record.config, file, "/config");
  ConfigReader instances = experiment.object("instances");
  out.sentence_task = read_instance_settings(instances).sentence_task;
  const nlohmann::json& arm = record.config.at("arms").at(0);
  if (arm.value("/train/objective"_json_pointer, "mlm") == "clm") out.objective = Objective::clm;
  out.masked_lm = !record.data.value(layout::kEncoderOnly, false);
  return out;
}

std::shared_ptr<PretrainingModel> load_pretrained(const RunRecord& record,
                                                  const std::string& file) {
  const StoredPretraining stored = stored_pretraining(record, file);
  auto model =
      std::make_shared<PretrainingModel>(stored.model, stored.sentence_task != SentenceTask::none);
  load_weights(*model, record.weights, file);
  model->eval();
  return model;
}

}  // namespace minibert
