// Whether weights can be those of a model, told before it is made.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/model_config.h"
#include "record/run_record.h"

namespace minibert {

// How many numbers an encoder's weights are, heads aside.
int64_t encoder_numbers(const BertConfig& config);
int64_t encoder_numbers(const LstmConfig& config);
int64_t encoder_numbers(const BagConfig& config);

// Throws Error naming `file` where the encoder asks for far more numbers than all `weights` are: a few bytes of
// a configuration may name a model that no memory holds. What differs by less is told by the tensor's name when
// the weights are loaded (task/weights.h). An encoder of a program's own kind is not checked.
void check_size(const ModelConfig& config, const std::vector<NamedTensor>& weights,
                const std::string& file);

}  // namespace minibert
