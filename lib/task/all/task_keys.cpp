#include "task/all/task_keys.h"

#include <iterator>

#include "task/pretrain/pretrain_fields.h"
#include "task/qa/qa_fields.h"
#include "task/sequence/sequence_fields.h"
#include "task/tagging/tagging_fields.h"

namespace minibert {
namespace {

std::vector<KeyText> instance_keys() {
  std::vector<KeyText> keys = listed_fields<InstanceSettings>();
  std::ranges::move(listed_fields<PretrainSettings>(), std::back_inserter(keys));
  return keys;
}

}  // namespace

std::vector<KeySection> experiment_key_sections() {
  return {{"`instances`: pretraining", "Task `pretrain`.", instance_keys()},
          {"`features`: questions",
           "Task `korquad`. An arm can have `features` of its own, which change the experiment's.",
           listed_fields<QaSettings>()},
          {"`features`: labelled texts",
           "Tasks `classification`, `multilabel`, `regression` and `choice`.",
           listed_fields<SequenceSettings>()},
          {"`features`: tags", "Task `tagging`.", listed_fields<TaggingSettings>()}};
}

std::vector<KeySection> model_key_sections() {
  return {
      {"`arms[].model`: the head of questions",
       "Of an encoder, or what learns nothing: `kind` `majority` (the place where most answers of "
       "the training questions stand) or `overlap` (the word beside what the text shares with the "
       "question).",
       listed_fields<QaHeadConfig>()},
      {"`arms[].model`: the head of labelled texts",
       "Of an encoder, or what learns nothing: `kind` `majority`, the most frequent answer.",
       listed_fields<SequenceHeadConfig>()},
      {"`arms[].model`: the head of tags",
       "Of an encoder, or what learns nothing: `kind` `majority`.",
       listed_fields<TaggingHeadConfig>()}};
}

std::vector<KeySection> train_key_sections() {
  return {{"`arms[].train`: pretraining", "", listed_fields<PretrainArmSettings>()},
          {"`arms[].train.phases[]`",
           "Pretraining: stretches of epochs, one after the other, in place of `epochs`.",
           listed_fields<TrainPhase>()},
          {"`arms[].train.teacher`",
           "Pretraining by distillation (Sanh et al. 2019): the arm starts from every other of the "
           "teacher's layers, where it has half of them, and learns its probabilities.",
           listed_fields<DistillationSettings>()}};
}

}  // namespace minibert
