// The objectives of tasks that judge a text: one of several labels, any number of labels, a number,
// or one of several alternatives. Shapes: B examples, C outputs of a row.
#pragma once

#include <string>
#include <vector>

#include "core/torch.h"
#include "task/sequence/sequence_data.h"

namespace minibert {

class SequenceObjective {
 public:
  virtual ~SequenceObjective() = default;
  // True if a text gets one of the data's labels.
  virtual bool names_labels() const { return false; }
  // The number of outputs of a row.
  virtual int64_t outputs(const std::vector<std::string>& labels) const = 0;
  // True if a text gets any number of labels: `gold` is then a set (score/label_set.h).
  virtual bool several_labels() const { return false; }
  // Returns each example's targets: label index, number, index of the right alternative, or 1 or 0
  // for each of `labels`. Throws Error naming an example whose label is not in `labels`.
  virtual std::vector<double> targets(const SequenceSplit& split,
                                      const std::vector<std::string>& labels) const = 0;
  // Returns the mean over examples. outputs: [B * rows_per_example, C] float32; targets: float32
  // [B], or [B, C] with several an example.
  virtual torch::Tensor loss(const torch::Tensor& outputs, const torch::Tensor& targets) const = 0;
  // Returns measures and prediction columns. outputs: for all examples, on the CPU.
  virtual Evaluation score(const SequenceSplit& split, const std::vector<std::string>& labels,
                           const torch::Tensor& outputs) const = 0;
  // Returns the most frequent answer in training, as outputs of one row (or one row for each
  // alternative): the baseline. Throws Error for a target outside the outputs or rows.
  virtual torch::Tensor most_frequent(const std::vector<double>& training_targets,
                                      int64_t rows_per_example, int64_t outputs) const = 0;
};

// Cross-entropy over labels; accuracy, macro-F1, Matthews correlation.
const SequenceObjective& label_objective();
// Binary cross-entropy of every label, mean over labels; micro- and macro-F1, Jaccard, exact match
// with the threshold kLabelThreshold, mean average precision. Its baseline predicts the most
// frequent labels, as many as a text has on average, at least one.
const SequenceObjective& label_set_objective();
// Squared error of a number; Pearson and Spearman correlation.
const SequenceObjective& number_objective();
// Cross-entropy over an example's alternatives, one output each; accuracy.
const SequenceObjective& choice_objective();

}  // namespace minibert
