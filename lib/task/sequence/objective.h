// What a judgement of a text is: one of several labels, any number of them, a number, or one of several
// alternatives.
// Shapes: B examples, C outputs of a row.
#pragma once

#include <string>
#include <vector>

#include "core/torch.h"
#include "task/sequence/sequence_data.h"

namespace minibert {

class SequenceObjective {
 public:
  virtual ~SequenceObjective() = default;
  // Whether a text is given one of the data's labels.
  virtual bool names_labels() const { return false; }
  // Output numbers of a row.
  virtual int64_t outputs(const std::vector<std::string>& labels) const = 0;
  // Whether it is given any number of them: `gold` is then a set (score/label_set.h).
  virtual bool several_labels() const { return false; }
  // What each example of a split is to give: label index, number, index of the right alternative, or for
  // each of `labels` 1 or 0. Throws Error naming the example whose label is none of `labels`.
  virtual std::vector<double> targets(const SequenceSplit& split,
                                      const std::vector<std::string>& labels) const = 0;
  // Mean over examples. outputs: [B * rows_per_example, C] float32; targets: float32 [B], or [B, C] where
  // an example has several.
  virtual torch::Tensor loss(const torch::Tensor& outputs, const torch::Tensor& targets) const = 0;
  // Measures and prediction columns. outputs: of all examples, on the CPU.
  virtual Evaluation score(const SequenceSplit& split, const std::vector<std::string>& labels,
                           const torch::Tensor& outputs) const = 0;
  // The answer that is right most often in training, as outputs of one row (or, of alternatives, one
  // row each): the floor. Throws Error for a target that is none of the outputs or rows.
  virtual torch::Tensor most_frequent(const std::vector<double>& training_targets,
                                      int64_t rows_per_example, int64_t outputs) const = 0;
};

// Cross-entropy over labels; accuracy, macro-F1, Matthews correlation.
const SequenceObjective& label_objective();
// Binary cross-entropy of every label, mean over labels; micro- and macro-F1, Jaccard, exact match with the
// threshold kLabelThreshold, mean average precision. Most frequent: as many of the most frequent labels as a text
// has on average, at least one.
const SequenceObjective& label_set_objective();
// Squared error of a number; Pearson and Spearman correlation.
const SequenceObjective& number_objective();
// Cross-entropy over an example's alternatives, one output each; accuracy.
const SequenceObjective& choice_objective();

}  // namespace minibert
