// Loads a pretraining run for use without its data.
#pragma once

#include <memory>
#include <string>

#include "model/pretraining_model.h"
#include "record/run_record.h"
#include "task/pretrain/pretrain_settings.h"

namespace minibert {

struct StoredPretraining {
  BertConfig model;
  SentenceTask sentence_task = SentenceTask::none;  // none: no sentence head
  bool masked_lm = true;                            // false: the head exists but was never trained
  Objective objective = Objective::mlm;
};

// Throws Error naming `file` for a run of another task (usage Error), no weights or no model.
StoredPretraining stored_pretraining(const RunRecord& record, const std::string& file);

// Loads the model with its weights, in eval mode, in float32 on the CPU.
std::shared_ptr<PretrainingModel> load_pretrained(const RunRecord& record, const std::string& file);

}  // namespace minibert
