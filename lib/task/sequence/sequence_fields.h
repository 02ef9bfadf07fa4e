// The keys of experiments that label whole texts.
#pragma once

#include "core/fields.h"
#include "task/sequence/sequence_data.h"
#include "task/sequence/sequence_model.h"

namespace minibert {

template <class V>
void fields(SequenceSettings& c, V& v) {
  v("max_length", c.max_length, Whole{8, 4096},
    "pieces of a text, special ones included; what is beyond is not read");
  v("train_limit", c.train_limit, Whole{0}, "so many training examples; 0: all");
  v.otherwise(c.train_sample, c.train_sample,
              "`random` of an experiment's file, `first` of a record that does not say");
  v("train_sample", c.train_sample, OneOf{kRandomExamples, kFirstExamples},
    "which so many, where there are more: drawn by chance, for every arm and seed the same, or the "
    "first",
    written_where(c.train_limit > 0 && c.train_sample == kRandomExamples));
}

// In "model".
template <class V>
void fields(SequenceHeadConfig& c, V& v) {
  v("pooling", c.pooling, OneOf{"cls", "mean"},
    "what is judged: [CLS], or the mean of all positions");
  v("head_dropout", c.dropout, Real{0, 0.9}, "before the output layer");
  v("output_unit", c.output_unit, OneOf{kOneUnit, kDeviationUnit},
    "of task `regression`, what the output counts: ones, or the standard deviation of the training "
    "numbers from their mean, at which it then begins",
    written_where(c.output_unit != kOneUnit));
}

}  // namespace minibert
