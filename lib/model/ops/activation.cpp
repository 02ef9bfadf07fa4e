#include "model/ops/activation.h"

#include <stdexcept>

#include "model/ops/gelu.h"

namespace minibert {

Activation activation_named(const std::string& name) {
  if (name == "gelu_tanh") return Activation::gelu_tanh;
  if (name == "gelu") return Activation::gelu;
  if (name == "relu") return Activation::relu;
  throw std::logic_error("an activation without a name: " + name);
}

torch::Tensor activate(const torch::Tensor& x, Activation activation) {
  switch (activation) {
    case Activation::gelu_tanh:
      return tanh_gelu(x);
    case Activation::gelu:
      return torch::gelu(x);
    case Activation::relu:
      return torch::relu(x);
  }
  throw std::logic_error("an activation without a form");
}

}  // namespace minibert
