// A pretraining run put to use without its data.
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
  bool masked_lm = true;  // false: the head is there, but was never trained
  Objective objective = Objective::mlm;
};

// Errors name `file`: a run of another task (usage Error), no weights, no model.
StoredPretraining stored_pretraining(const RunRecord& record, const std::string& file);

// The same with its weights, in eval mode, computing in float32 on the CPU.
std::shared_ptr<PretrainingModel> load_pretrained(const RunRecord& record, const std::string& file);

}  // namespace minibert
