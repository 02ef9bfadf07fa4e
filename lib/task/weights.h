// Weights between LibTorch modules and records.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/torch.h"
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

// Rounds every parameter to the nearest float16 (IEEE half, 11 significant bits) and keeps it as
// float32. Throws Error naming one that float16 cannot hold (beyond 65,504).
void round_to_half(torch::nn::Module& module);
// Whether float16 holds all of these weights exactly; false of none.
bool are_half(const std::vector<NamedTensor>& weights);

// Trainable numbers of a module.
int64_t parameter_count(const torch::nn::Module& module);

}  // namespace minibert
