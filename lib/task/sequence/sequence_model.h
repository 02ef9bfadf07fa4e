// An encoder that judges a whole text.
#pragma once

#include <memory>

#include "model/heads.h"

namespace minibert {

inline constexpr char kZeroStart[] = "zero", kMeanStart[] = "mean";
inline constexpr char kOneUnit[] = "one", kDeviationUnit[] = "deviation";

// What the head's output counts: `mean` + `deviation` times it is a number as the data have it.
struct OutputUnit {
  double mean = 0, deviation = 1;
  bool is_one() const { return mean == 0 && deviation == 1; }
  bool operator==(const OutputUnit&) const = default;
};

// An arm's "model" beside the encoder's keys.
struct SequenceHeadConfig {
  // cls: what the encoder reads a text by ([CLS] of a BERT, with BERT's pooler); mean: the mean of the
  // hidden states of all real positions.
  std::string pooling = "cls";
  double dropout = 0.1;  // before the output layer
  // Of a number, its bias at the first step: zero, or mean, that of the training numbers. From zero a
  // training of few steps does not come near numbers that lie far from it.
  std::string output_start = kZeroStart;
  // Of a number, what the head's output counts: ones, or the standard deviation of the training numbers from their
  // mean. In ones a training of few steps does not learn numbers that are spread far more or less than 1.
  std::string output_unit = kOneUnit;
};

class SequenceModel : public Model {
 public:
  SequenceModel(const ModelConfig& config, const SequenceHeadConfig& head, int64_t outputs);

  // All weights from the seed alone.
  void initialize(uint64_t seed);
  void start_at(double value) { head_->set_bias(value); }
  // For numbers; else, and without a call, ones.
  void count_in(const OutputUnit& unit) { unit_ = unit; }
  const OutputUnit& unit() const { return unit_; }
  // ids, segments [R, S] int64 -> [R, outputs], float64 where they are counted in a unit, else float32.
  torch::Tensor outputs(const torch::Tensor& ids, const torch::Tensor& segments);
  // The same in that unit, to learn by: float32. Dropout (train mode) follows from `key`.
  torch::Tensor unit_outputs(const torch::Tensor& ids, const torch::Tensor& segments, uint64_t key);
  const SequenceHead& head() const { return *head_; }

 private:
  bool mean_;
  OutputUnit unit_;
  std::shared_ptr<SequenceHead> head_;
};

}  // namespace minibert
