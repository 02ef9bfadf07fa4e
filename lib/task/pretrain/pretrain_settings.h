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

// "instances" of an experiment: how the training text becomes instances, and how many of the dev split
// are measured ("dev_limit").
struct PretrainSettings : TaskSettings {
  InstanceSettings instances;
  int64_t dev_limit = 5000;
  // "repeat": training files, by their names in the data set, that are read more than once in a pass.
  std::map<std::string, int64_t> repeat;
  // "exclude": data sets; training paragraphs that overlap what they evaluate on are left out
  // (data/text_overlap.h).
  std::vector<std::string> exclude;

  // The masks of what is measured: 80/10/10 whatever is trained with, so that figures compare.
  MaskSettings measured_mask() const {
    MaskSettings mask = instances.mask;
    mask.replacement = MaskReplacement::bert;
    return mask;
  }
};

// A stretch of epochs at one sequence length and batch size.
struct TrainPhase {
  int64_t epochs = 1;
  int64_t n_seq = 128;
  int64_t batch_size = 64;
  int64_t batch_pieces =
      0;  // not 0: a batch has instances of so many pieces, however many they are
  // Dynamic masks of these epochs have: the share of masked pieces (0: what the instances say) and
  // the share of instances whose pieces are masked one by one, so that the model also meets a mask
  // beside the rest of its word ("[MASK]이다").
  double mask_probability = 0;
  double single_piece_share = 0;
  // Where the share of masked pieces comes to, linearly by step, by the end of the phase (Ankner et al. 2023, arXiv
  // 2305.15096); 0: it stays.
  double mask_probability_end = 0;
};

enum class Objective {
  mlm,  // masked pieces, from both sides (Devlin et al. 2019)
  clm,  // the next piece, from the left alone (Radford et al. 2018); needs model.causal
};

// "teacher": see distillation.h. The weights are DistilBERT's own.
struct DistillationSettings {
  std::string teacher;  // record, "{seed}" for the run's seed; empty: none
  double temperature = 2, soft_weight = 5, mlm_weight = 2, cosine_weight = 1;
  // Draws of masks whose targets are kept on disk (teacher_cache.h): the masks of an epoch are those of so many epochs
  // before. 0: the teacher computes beside the student, on masks that never repeat.
  int64_t cached = 0;
};

// In an arm's "train".
struct PretrainArmSettings : TaskSettings {
  Objective objective = Objective::mlm;
  DistillationSettings teacher;
  double nsp_weight = 1.0;         // of the sentence loss
  std::vector<TrainPhase> phases;  // empty: one phase of train.epochs
};

}  // namespace minibert
