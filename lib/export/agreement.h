// Measures the loss by quantization: both models predict the same masked positions.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "data/instances/instance_file.h"
#include "infer/engine/model.h"

namespace minibert {

struct Agreement {
  uint64_t instances = 0;
  uint64_t masked = 0;         // positions predicted
  uint64_t float_correct = 0;  // top-1
  uint64_t int8_correct = 0;   // top-1
  uint64_t same = 0;           // equal best pieces of both models

  double float_accuracy() const { return double(float_correct) / double(masked); }  // 0 to 1
  double int8_accuracy() const { return double(int8_correct) / double(masked); }    // 0 to 1
  double agreement() const { return double(same) / double(masked); }                // 0 to 1
};

// Predicts the masked positions of the first `limit` instances (0: all), masked by `seed` as in
// training's evaluation, with the portable engine on `threads` threads. Throws Error if the pieces
// do not fit the models.
Agreement measure_agreement(const infer::Model& float_model, const infer::Model& int8_model,
                            const InstanceFile& instances, const MaskSettings& mask, uint64_t seed,
                            uint64_t limit, int threads);

}  // namespace minibert
