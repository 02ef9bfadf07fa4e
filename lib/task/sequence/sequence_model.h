// An encoder that judges a whole text.
#pragma once

#include <memory>

#include "model/heads.h"

namespace minibert {

inline constexpr char kOneUnit[] = "one", kDeviationUnit[] = "deviation";

// A number of the data is `mean` + `deviation` times the head's output.
struct OutputUnit {
  double mean = 0, deviation = 1;
  bool is_one() const { return mean == 0 && deviation == 1; }
  bool operator==(const OutputUnit&) const = default;
};

// An arm's "model" beside the encoder's keys.
struct SequenceHeadConfig {
  // cls: the encoder's pooled vector ([CLS] in a BERT, with BERT's pooler); mean: the mean hidden
  // state of all real positions.
  std::string pooling = "cls";
  double dropout = 0.1;  // before the output layer
  // Unit of the regression output: raw values (`one`), or standard deviations from the training
  // mean (`deviation`). A short training learns raw values badly if their spread is far from 1.
  std::string output_unit = kOneUnit;
};

class SequenceModel : public Model {
 public:
  SequenceModel(const ModelConfig& config, const SequenceHeadConfig& head, int64_t outputs);

  // Fills all weights from the seed alone.
  void initialize(uint64_t seed);
  // Sets the unit for numbers; without a call the output is the value itself.
  void set_unit(const OutputUnit& unit) { unit_ = unit; }
  const OutputUnit& unit() const { return unit_; }
  // ids, segments [R, S] int64 -> [R, outputs], float64 if a unit is set, else float32.
  torch::Tensor outputs(const torch::Tensor& ids, const torch::Tensor& segments);
  // Returns them in that unit, for training: float32. Dropout (train mode) follows from `key`.
  torch::Tensor unit_outputs(const torch::Tensor& ids, const torch::Tensor& segments, uint64_t key);
  const SequenceHead& head() const { return *head_; }

 private:
  bool mean_;
  OutputUnit unit_;
  std::shared_ptr<SequenceHead> head_;
};

}  // namespace minibert
