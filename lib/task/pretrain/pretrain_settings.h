// The keys of a pretraining experiment and of its arms.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "data/instances/instance_settings.h"
#include "task/arm_config.h"

namespace minibert {

// The task's name in experiments and records.
inline constexpr std::string_view kPretrainTask = "pretrain";

// "instances" of an experiment, and how many of the dev split are evaluated ("dev_limit").
struct PretrainSettings : TaskSettings {
  InstanceSettings instances;
  int64_t dev_limit = 5000;
  // "repeat": how often a pass reads a training file, by its name in the data set.
  std::map<std::string, int64_t> repeat;
  // "exclude": ids of data sets, whose evaluation texts training leaves out (data/text_overlap.h).
  std::vector<std::string> exclude;

  // The masks for evaluation: always 80/10/10, so that figures compare.
  MaskSettings measured_mask() const {
    MaskSettings mask = instances.mask;
    mask.replacement = MaskReplacement::bert;
    return mask;
  }
};

// Epochs at one sequence length and batch size.
struct TrainPhase {
  int64_t epochs = 1;
  int64_t n_seq = 128;
  int64_t batch_size = 64;
  int64_t batch_pieces = 0;       // not 0: the pieces in a batch, whatever the number of instances
  double mask_probability = 0;    // 0: as in the instances
  double single_piece_share = 0;  // so that masks also stand in words ("[MASK]이다")
  double mask_probability_end = 0;  // 0: constant (Ankner et al. 2023, arXiv 2305.15096)
};

enum class Objective {
  mlm,  // masked pieces, from both sides (Devlin et al. 2019)
  clm,  // the next piece, from the left (Radford et al. 2018); needs model.causal
};

// "teacher": see distillation.h. The weights are DistilBERT's own.
struct DistillationSettings {
  std::string teacher;  // a record; "{seed}" stands for the run's seed; empty: none
  double temperature = 2, soft_weight = 5, mlm_weight = 2, cosine_weight = 1;
};

// In an arm's "train".
struct PretrainArmSettings : TaskSettings {
  Objective objective = Objective::mlm;
  DistillationSettings teacher;
  double nsp_weight = 1.0;  // weight of the sentence loss
  bool nsp_double_softmax = false;
  std::vector<TrainPhase> phases;  // empty: one phase of train.epochs
};

}  // namespace minibert
