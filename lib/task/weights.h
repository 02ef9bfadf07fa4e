// Converts weights between LibTorch modules and records.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/torch.h"
#include "record/run_record.h"
#include "train/optimizer.h"

namespace minibert {

// Names stay.
std::vector<NamedTensor> to_record(const NamedTensors& tensors);
NamedTensors from_record(const std::vector<NamedTensor>& tensors);

// Copies `weights` into the module's parameters of the same name. Throws Error naming `file` if one
// is missing or has another shape.
void load_weights(torch::nn::Module& module, const std::vector<NamedTensor>& weights,
                  const std::string& file);

// Does the same for the parameters that `required` picks; of the others, copies those that
// `weights` has in the same shape.
void load_some_weights(torch::nn::Module& module, const std::vector<NamedTensor>& weights,
                       const std::function<bool(const std::string& name)>& required,
                       const std::string& file);

// Rounds every parameter to the nearest float16 (IEEE half, 11 significant bits) and keeps it as
// float32. Throws Error naming a parameter with a value that float16 cannot hold (beyond 65,504).
void round_to_half(torch::nn::Module& module);
// Returns true if float16 holds all weights exactly; false if there are none.
bool are_half(const std::vector<NamedTensor>& weights);

// Returns the number of a module's trainable numbers.
int64_t parameter_count(const torch::nn::Module& module);

}  // namespace minibert
