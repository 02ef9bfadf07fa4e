// Checks if stored weights fit a model before the model is made.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/model_config.h"
#include "record/run_record.h"

namespace minibert {

// The number of an encoder's weights without heads.
int64_t encoder_numbers(const BertConfig& config);
int64_t encoder_numbers(const LstmConfig& config);
int64_t encoder_numbers(const BagConfig& config);

// Throws Error naming `file` if the encoder needs far more numbers than `weights` hold: a few bytes
// of configuration may describe a model that fits in no memory. Smaller differences are reported
// with the tensor's name when the weights are loaded (task/weights.h). An encoder of a program's
// own kind is not checked.
void check_size(const ModelConfig& config, const std::vector<NamedTensor>& weights,
                const std::string& file);

}  // namespace minibert
