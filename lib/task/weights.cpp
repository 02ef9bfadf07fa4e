#include "task/weights.h"

#include <algorithm>
#include <map>
#include <sstream>

#include "core/error.h"

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

void round_to_half(torch::nn::Module& module) {
  torch::NoGradGuard no_grad;
  for (const auto& item : module.named_parameters()) {
    const torch::Tensor half = item.value().to(torch::kFloat16).to(torch::kFloat32);
    if (!half.isfinite().all().item<bool>())
      throw Error(item.key() + ": has a weight beyond 65,504, which float16 cannot hold");
    item.value().copy_(half);
  }
}

bool are_half(const std::vector<NamedTensor>& weights) {
  return !weights.empty() && std::ranges::all_of(weights, [](const NamedTensor& weight) {
    const torch::Tensor values = as_tensor(weight);
    return values.to(torch::kFloat16).to(torch::kFloat32).equal(values);
  });
}

void load_weights(torch::nn::Module& module, const std::vector<NamedTensor>& weights,
                  const std::string& file) {
  load_some_weights(
      module, weights, [](const std::string&) { return true; }, file);
}

void load_some_weights(torch::nn::Module& module, const std::vector<NamedTensor>& weights,
                       const std::function<bool(const std::string& name)>& required,
                       const std::string& file) {
  torch::NoGradGuard no_grad;
  std::map<std::string, const NamedTensor*> by_name;
  for (const NamedTensor& tensor : weights) by_name[tensor.name] = &tensor;
  for (const auto& item : module.named_parameters()) {
    const bool needed = required(item.key());
    const auto it = by_name.find(item.key());
    if (it == by_name.end()) {
      if (!needed) continue;
      throw Error(file + ": /weights/" + item.key() + ": is missing, expected by the model");
    }
    const torch::Tensor value = as_tensor(*it->second);
    if (value.sizes() != item.value().sizes()) {
      if (!needed) continue;
      std::ostringstream text;
      text << file << ": /weights/" << item.key() << ": found shape " << value.sizes()
           << ", expected " << item.value().sizes();
      throw Error(text.str());
    }
    item.value().copy_(value);
  }
}

int64_t parameter_count(const torch::nn::Module& module) {
  int64_t count = 0;
  for (const auto& value : module.parameters())
    if (value.requires_grad()) count += value.numel();
  return count;
}

}  // namespace minibert
