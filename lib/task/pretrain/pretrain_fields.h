// The keys of pretraining experiments, beside those of data/instances/instance_fields.h.
#pragma once

#include "core/fields.h"
#include "data/instances/instance_fields.h"
#include "task/pretrain/pretrain_settings.h"

namespace minibert {

// In "instances".
template <class V>
void fields(PretrainSettings& c, V& v) {
  v("dev_limit", c.dev_limit, Whole{1, 1000000}, "instances of the dev split that are measured");
  v.retired("dev_part", "all");
  v("repeat", c.repeat, Whole{1, 1000},
    "how often a file of the data set is read in a pass, by its name; others once",
    written_where(!c.repeat.empty()));
  v("exclude", c.exclude,
    "data sets: training paragraphs that share thirty letters in a row with what those evaluate on "
    "are left out, and counted",
    written_where(!c.exclude.empty()));
}

template <class V>
void fields(TrainPhase& c, V& v) {
  v("epochs", c.epochs, Whole{1, 100000}, "passes over the instances", kRequired);
  v("n_seq", c.n_seq, Whole{kShortestInstance, kLongestInstance}, "pieces of the longest instance",
    kRequired);
  v.otherwise(c.batch_size, c.batch_size, "`train.batch_size`");
  v("batch_size", c.batch_size, Whole{1, 65536}, "instances a step");
  v("batch_pieces", c.batch_pieces, Whole{0, int64_t{1} << 24},
    "pieces a step instead, as many short instances or few long ones as make so many; 0: "
    "`batch_size` instances",
    written_where(c.batch_pieces > 0));
  v("mask_probability", c.mask_probability, Real{0, 1},
    "of dynamic masks: the share of masked pieces; 0: what `instances` say");
  v("mask_probability_end", c.mask_probability_end, Real{0, 1},
    "of dynamic masks: what that share comes to at the end of the phase, step by step (Ankner et "
    "al. 2023); with `max_minutes` by their share, in one phase alone; 0: it stays",
    written_where(c.mask_probability_end > 0));
  v("single_piece_share", c.single_piece_share, Real{0, 1},
    "of dynamic masks: the share of instances masked piece by piece instead of word by word");
}

template <class V>
void fields(DistillationSettings& c, V& v) {
  v("run", c.teacher, "the teacher's record, with `{seed}` for the run's seed", kRequired);
  v("temperature", c.temperature, Real{0.01, 100}, "softens the probabilities of both");
  v("soft_weight", c.soft_weight, Real{0, 1000}, "of the loss against the teacher's probabilities");
  v("mlm_weight", c.mlm_weight, Real{0, 1000}, "of the masked LM's loss");
  v("cosine_weight", c.cosine_weight, Real{0, 1000},
    "of the angle between hidden states; 0 with a teacher of another width");
}

// In "train", beside "phases" and "teacher".
template <class V>
void fields(PretrainArmSettings& c, V& v) {
  v("nsp_weight", c.nsp_weight, Real{0, 1000}, "of the sentence task's loss");
  v("nsp_double_softmax", c.nsp_double_softmax, "NSP passes two softmax layers, as in the notebook",
    written_where(c.nsp_double_softmax));
  v("objective", c.objective, OneOf{"mlm", "clm"},
    "masked pieces, or the next piece from those before it (with `model.causal`)",
    written_where(c.objective != Objective::mlm));
}

}  // namespace minibert
