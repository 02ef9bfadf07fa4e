#include "task/pretrain/stored_pretraining.h"

#include "task/pretrain/pretrain_kind.h"
#include "task/start.h"
#include "task/weights.h"

namespace minibert {

StoredPretraining stored_pretraining(const RunRecord& record, const std::string& file) {
  const StoredHead stored = stored_head(record, file, PretrainKind());
  StoredPretraining out;
  ConfigReader model = stored.reader();
  out.model = read_model_config(model, stored.vocab_size).bert;
  ConfigReader experiment(record.config, file, "/config");
  ConfigReader instances = experiment.object("instances");
  out.sentence_task = read_instance_settings(instances).sentence_task;
  out.masked_lm = !record.data.value(kEncoderOnly, false);
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
