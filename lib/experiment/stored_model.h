// A stored run put to use: its model, its settings, its metrics on other data.
#pragma once

#include <string>
#include <vector>

#include "experiment/arm_work.h"
#include "train/pretrain_task.h"

namespace minibert {

// The model and weights of a finished run, on the CPU, in eval mode. Errors name `file`: a run of
// another task, no weights, weights that do not fit the stored configuration.
QaModel load_qa_model(const RunRecord& record, const std::string& file);
Bert load_pretrained_bert(const RunRecord& record, const std::string& file);

// Windows and spans as the run was trained with.
QaSettings stored_qa_settings(const RunRecord& record, const std::string& file);

// The experiment of this one run, on exactly the data set it used.
ExperimentConfig stored_experiment(const RunRecord& record, const std::string& file);

// One question without a known answer, as example 0 of a split.
QaSplit encode_open_question(const std::string& context, const std::string& question,
                             const Tokenizer& tokenizer, const QaFeatureSettings& features);

// Where `evaluate` finds what it measures on: a data set's split, or text files (pretraining runs).
struct EvaluationSource {
  std::string data;                // id of a data set, or else
  std::vector<std::string> texts;  // text files
  std::string split;               // train | dev | test; empty: test for questions, dev for text
  std::string data_dir;
  int64_t limit = 5000;  // instances (pretraining runs)
  std::string cache = "build/cache";
};

// Masks follow from kEvaluationMaskSeed, epoch 0.
struct EvaluationInstances {
  InstanceFile instances;
  MaskSettings mask;
};

// The instances of a text that a pretraining run's model is measured on: its own tokenizer and
// settings, but the seed of every dev split.
EvaluationInstances evaluation_instances(const RunRecord& record, const std::string& run,
                                         const EvaluationSource& source, int threads);

// The metrics of evaluate_questions or evaluate_pretraining; masks and instances follow from fixed
// seeds, so that the figure of a record on a text is always the same.
Metrics evaluate_stored(const std::string& run, const EvaluationSource& source,
                        const Compute& compute);

}  // namespace minibert
