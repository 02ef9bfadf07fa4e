// Objectives of tasks that judge a text: one label, any number of labels, a number, or one of some
// alternatives. B examples have R rows (one for each alternative of a choice, else 1) of C outputs.
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
  // Returns C.
  virtual int64_t outputs(const std::vector<std::string>& labels) const = 0;
  // True if a text gets any number of labels: `gold` is then a set (score/label_set.h).
  virtual bool several_labels() const { return false; }
  // Returns [B] label indices, numbers or indices of the right alternative; for several labels 1 or
  // 0 as [B * C]. Throws Error naming an example with another label, or with one that is no number.
  virtual std::vector<double> targets(const SequenceSplit& split,
                                      const std::vector<std::string>& labels) const = 0;
  // Returns the mean over examples, a scalar. outputs: [B * R, C] float32; targets: float32 [B], or
  // [B, C] for several labels.
  virtual torch::Tensor loss(const torch::Tensor& outputs, const torch::Tensor& targets) const = 0;
  // Returns figures and columns of predictions, listed below; all have `examples` (B) and the text
  // column `cluster`. outputs: [B * R, C] of all examples, on the CPU. Throws like targets().
  virtual Evaluation score(const SequenceSplit& split, const std::vector<std::string>& labels,
                           const torch::Tensor& outputs) const = 0;
  // Returns [R, C]: outputs for the most frequent answer in training, or the mean number, which the
  // floor `majority` always gives. Throws Error for a label or alternative outside C or R.
  virtual torch::Tensor most_frequent(const std::vector<double>& training_targets,
                                      int64_t rows_per_example, int64_t outputs) const = 0;
};

// Cross-entropy over labels. Figures: accuracy, macro_f1, matthews, loss. Text columns: gold,
// prediction; number columns: accuracy (0 or 1), probability of the prediction.
const SequenceObjective& label_objective();
// Mean of all labels' binary cross-entropy; labels are given from kLabelThreshold on. Figures:
// label_micro_f1, label_macro_f1, jaccard, subset_accuracy, mean_average_precision, loss. Text
// columns: gold, prediction (score/label_set.h), probabilities (by label, between spaces); number
// columns: jaccard, subset_accuracy. The floor gives the mean number of labels, at least one.
const SequenceObjective& label_set_objective();
// Squared error. Figures: pearson, spearman, squared_error. Number columns: gold, prediction.
const SequenceObjective& number_objective();
// Cross-entropy over an example's alternatives, one output each. Figures: accuracy, loss. Columns
// as for labels; the alternatives are "1", "2", ….
const SequenceObjective& choice_objective();

}  // namespace minibert
