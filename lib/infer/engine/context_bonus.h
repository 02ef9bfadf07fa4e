// The bonus on the scores of pieces that the input shows (model/ops/context_bonus.h), for one input
// after the other. E embedding size, R rank, P different ordinary pieces in the input.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "infer/engine/model.h"

namespace minibert::infer {

class ContextBonus {
 public:
  explicit ContextBonus(const Model& model) : model_(model) {}
  // Reads the input for the next scores.
  void read(std::span<const int32_t> ids);
  // Adds to the scores of the shown pieces; x_E is the output layer's input. Does nothing if the
  // model has no bonus.
  void add(const float* x_E, float* logits_V);
  // The pieces that add() changed, and the added bonuses.
  std::span<const int32_t> shown() const { return shown_P; }
  std::span<const float> added() const { return bonus_P; }

 private:
  const Model& model_;
  std::vector<int32_t> shown_P;
  std::vector<float> key_PR, query_R, bonus_P, row_E;
};

}  // namespace minibert::infer
