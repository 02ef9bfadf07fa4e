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
  // Of a split's examples: label index, number, index of the right alternative, or for each of `labels` 1
  // or 0. Throws Error naming the example whose label is none of `labels`.
  virtual std::vector<double> targets(const SequenceSplit& split,
                                      const std::vector<std::string>& labels) const = 0;
  // Mean over examples. outputs: [B * rows_per_example, C] float32; targets: float32 [B], or [B, C] where
  // an example has several.
  virtual torch::Tensor loss(const torch::Tensor& outputs, const torch::Tensor& targets) const = 0;
  // Measures and prediction columns. outputs: of all examples, on the CPU.
  virtual Evaluation score(const SequenceSplit& split, const std::vector<std::string>& labels,
                           const torch::Tensor& outputs) const = 0;
  // The answer that is right most often in training, as outputs of one row (or, of alternatives, one
  // row each): the floor.
  virtual torch::Tensor most_frequent(const std::vector<double>& training_targets,
                                      int64_t rows_per_example, int64_t outputs) const = 0;
};

// Cross-entropy over labels; accuracy, macro-F1, Matthews correlation.
class LabelObjective : public SequenceObjective {
 public:
  bool names_labels() const override { return true; }
  int64_t outputs(const std::vector<std::string>& labels) const override;
  std::vector<double> targets(const SequenceSplit&, const std::vector<std::string>&) const override;
  torch::Tensor loss(const torch::Tensor& outputs, const torch::Tensor& targets) const override;
  Evaluation score(const SequenceSplit&, const std::vector<std::string>&,
                   const torch::Tensor&) const override;
  torch::Tensor most_frequent(const std::vector<double>&, int64_t, int64_t) const override;
};

// Binary cross-entropy of every label, mean over labels; micro- and macro-F1, Jaccard, exact match with the
// threshold kLabelThreshold, mean average precision.
class LabelSetObjective : public SequenceObjective {
 public:
  bool names_labels() const override { return true; }
  bool several_labels() const override { return true; }
  int64_t outputs(const std::vector<std::string>& labels) const override;
  std::vector<double> targets(const SequenceSplit&, const std::vector<std::string>&) const override;
  torch::Tensor loss(const torch::Tensor& outputs, const torch::Tensor& targets) const override;
  Evaluation score(const SequenceSplit&, const std::vector<std::string>&,
                   const torch::Tensor&) const override;
  // As many of the most frequent labels as a text has on average, at least one.
  torch::Tensor most_frequent(const std::vector<double>&, int64_t, int64_t) const override;
};

// Squared error of a number; Pearson and Spearman correlation.
class NumberObjective : public SequenceObjective {
 public:
  int64_t outputs(const std::vector<std::string>&) const override { return 1; }
  std::vector<double> targets(const SequenceSplit&, const std::vector<std::string>&) const override;
  torch::Tensor loss(const torch::Tensor& outputs, const torch::Tensor& targets) const override;
  Evaluation score(const SequenceSplit&, const std::vector<std::string>&,
                   const torch::Tensor&) const override;
  torch::Tensor most_frequent(const std::vector<double>&, int64_t, int64_t) const override;
};

// Cross-entropy over an example's alternatives, one output each; accuracy.
class ChoiceObjective : public SequenceObjective {
 public:
  int64_t outputs(const std::vector<std::string>&) const override { return 1; }
  std::vector<double> targets(const SequenceSplit&, const std::vector<std::string>&) const override;
  torch::Tensor loss(const torch::Tensor& outputs, const torch::Tensor& targets) const override;
  Evaluation score(const SequenceSplit&, const std::vector<std::string>&,
                   const torch::Tensor&) const override;
  torch::Tensor most_frequent(const std::vector<double>&, int64_t, int64_t) const override;
};

}  // namespace minibert
