// Weights between LibTorch modules and records.
#pragma once

#include <torch/torch.h>

#include <functional>
#include <string>
#include <vector>

#include "record/run_record.h"
#include "train/optimizer.h"

namespace minibert {

// A record's weights as tensors and back; names stay.
std::vector<NamedTensor> to_record(const NamedTensors& tensors);
NamedTensors from_record(const std::vector<NamedTensor>& tensors);

// Copies tensors of `weights` into the module's parameters of the same name. Throws Error naming
// `file` when one is missing or has another shape.
void load_weights(torch::nn::Module& module, const std::vector<NamedTensor>& weights,
                  const std::string& file);

// The same for the parameters that `required` picks; of the others those that `weights` has in the
// same shape.
void load_some_weights(torch::nn::Module& module, const std::vector<NamedTensor>& weights,
                       const std::function<bool(const std::string& name)>& required,
                       const std::string& file);

// Trainable numbers of a module.
int64_t parameter_count(const torch::nn::Module& module);

}  // namespace minibert
