// The keys of an arm's "train" that all tasks share.
#pragma once

#include "core/fields.h"
#include "train/config.h"

namespace minibert {

template <class V>
void fields(OptimizerConfig& c, V& v) {
  v("type", c.type, OneOf{"adam", "adamw", "muon"},
    "Adam (Kingma, Ba 2015), or with decoupled weight decay (Loshchilov, Hutter 2019), or Muon "
    "(Jordan et al. 2024) for the matrices of an encoder's layers and AdamW for the rest");
  v("lr", c.lr, Real{0, 10}, "the highest learning rate");
  v("muon_lr", c.muon_lr, Real{0, 10},
    "with `muon` that of its matrices, which rises and falls as `lr` does",
    written_where(c.type == "muon"));
  v("beta1", c.beta1, Real{0, 0.999999}, "decay of the mean of gradients");
  v("beta2", c.beta2, Real{0, 0.999999}, "decay of the mean of their squares");
  v("eps", c.eps, Real{1e-16, 1}, "added to the root of the latter; the default is Keras's");
  v("weight_decay", c.weight_decay, Real{0, 10},
    "times the learning rate, with `adamw` and `muon`");
  v("decay", c.decay, OneOf{"matrices", "all"},
    "what is decayed: weights of two dimensions and more (BERT), or all (PyTorch's default)");
  v("cautious_decay", c.cautious_decay,
    "a weight decays only where the update does not move it away from zero (Chen et al. 2025)",
    written_where(c.cautious_decay));
}

template <class V>
void fields(TrainConfig& c, V& v) {
  v("epochs", c.epochs, Whole{1, 100000}, "passes over the training examples");
  v("max_steps", c.max_steps, Whole{0}, "training ends after so many steps; 0: no such end");
  v.retired("max_flops", 0);
  v("max_minutes", c.max_minutes, Real{0, 1e7},
    "training ends with the step that reaches so many minutes of training, all sittings together "
    "and "
    "evaluations left out; schedule and warm-up go by the clock, so that no two runs are equal to "
    "the bit; 0: no such end",
    written_where(c.max_minutes > 0));
  v("batch_size", c.batch_size, Whole{1, 65536}, "examples a step");
  v("gradient_accumulation", c.gradient_accumulation, Whole{1, 65536},
    "parts of a batch, one after the other: less memory, the same step",
    written_where(c.gradient_accumulation > 1));
  v("patience", c.patience, Whole{0, 100000},
    "epochs without a better `monitor` before training stops; 0: it does not");
  v("monitor", c.monitor,
    "the measure of the task whose best value on the dev split picks the weights; `none`: the last "
    "ones");
  v.object("optimizer", c.optimizer, "how weights follow from gradients");
  v("schedule", c.schedule, OneOf{"constant", "linear", "cosine", "trapezoid"},
    "the learning rate after the warm-up; the latter three fall, `trapezoid` (also called WSD) in "
    "its `cooldown` alone");
  v.otherwise(c.schedule_end, c.schedule_end,
              "`above_zero` of an experiment's file, `zero` of a record that does not say");
  v("schedule_end", c.schedule_end, OneOf{kAboveZero, "zero"},
    "the rate in the last step of a falling schedule: `above_zero`, so that it learns, or `zero`, "
    "as "
    "in the first records",
    written_where(c.schedule != "constant" && c.schedule_end == kAboveZero));
  v("warmup", c.warmup, Real{0, 1}, "share of all steps in which the learning rate rises");
  v("cooldown", c.cooldown, Real{0, 1},
    "share of all steps, the last ones, in which a `trapezoid` falls linearly",
    written_where(c.schedule == "trapezoid"));
  v("average_from", c.average_from, Real{0, 1},
    "share of training from which on the weights after each step are averaged; the mean is what is "
    "evaluated and stored; 1: none",
    written_where(c.average_from < 1));
  v("clip_norm", c.clip_norm, Real{0, 1e6}, "the largest norm of all gradients together; 0: any");
  v("log_every", c.log_every, Whole{1, 1000000}, "steps that a logged measure averages");
}

}  // namespace minibert
