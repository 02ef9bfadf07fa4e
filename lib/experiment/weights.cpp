// Weights between LibTorch modules and records.
#include <map>
#include <sstream>

#include "core/error.h"
#include "experiment/arm_work.h"

namespace minibert {
namespace {

torch::Tensor as_tensor(const NamedTensor& tensor) {
  return torch::from_blob(const_cast<float*>(tensor.values.data()), tensor.shape, torch::kFloat32)
      .clone();
}

}  // namespace

std::vector<NamedTensor> to_record(const NamedTensors& tensors) {
  std::vector<NamedTensor> out;
  for (const auto& [name, tensor] : tensors) {
    const torch::Tensor cpu = tensor.detach().to(torch::kCPU, torch::kFloat32).contiguous();
    const float* values = cpu.data_ptr<float>();
    out.push_back({name, cpu.sizes().vec(), std::vector<float>(values, values + cpu.numel())});
  }
  return out;
}

NamedTensors from_record(const std::vector<NamedTensor>& tensors) {
  NamedTensors out;
  for (const NamedTensor& tensor : tensors) out.emplace_back(tensor.name, as_tensor(tensor));
  return out;
}

NamedTensors weights_of(torch::nn::Module& module) {
  NamedTensors out;
  for (const auto& item : module.named_parameters()) out.emplace_back(item.key(), item.value());
  return out;
}

void load_weights(torch::nn::Module& module, const std::vector<NamedTensor>& weights,
                  const std::string& prefix, const std::string& file) {
  torch::NoGradGuard no_grad;
  std::map<std::string, const NamedTensor*> by_name;
  for (const NamedTensor& tensor : weights) by_name[tensor.name] = &tensor;
  for (const auto& item : module.named_parameters()) {
    if (!item.key().starts_with(prefix)) continue;
    const auto it = by_name.find(item.key());
    if (it == by_name.end())
      throw Error(file + ": /weights/" + item.key() + ": is missing, expected by the model");
    const torch::Tensor value = as_tensor(*it->second);
    if (value.sizes() != item.value().sizes()) {
      std::ostringstream text;
      text << file << ": /weights/" << item.key() << ": found shape " << value.sizes()
           << ", expected " << item.value().sizes();
      throw Error(text.str());
    }
    item.value().copy_(value);
  }
}

}  // namespace minibert
