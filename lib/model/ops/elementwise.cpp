#include "model/ops/elementwise.h"

#include <ATen/Parallel.h>

#include <stdexcept>

#include "model/ops/cpu_values.h"
#include "model/ops/row_kernels.h"
#include "model/ops/vector_kernels.h"

namespace minibert {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr int64_t kGrain = 1 << 14;

struct TanhGelu : torch::autograd::Function<TanhGelu> {
  static torch::Tensor forward(AutogradContext* context, torch::Tensor input) {
    const torch::Tensor x = input.contiguous();
    context->save_for_backward({x});
    torch::Tensor y = torch::empty_like(x);
    with_type_of(x, [&](auto type) {
      using T = decltype(type);
      at::parallel_for(0, x.numel(), kGrain, [&](int64_t begin, int64_t end) {
        kernels::gelu(values<T>(x) + begin, values<T>(y) + begin, end - begin);
      });
    });
    return y;
  }
  static variable_list backward(AutogradContext* context, variable_list grads) {
    const torch::Tensor x = context->get_saved_variables()[0];
    const torch::Tensor grad = grads[0].contiguous();
    torch::Tensor out = torch::empty_like(x);
    with_type_of(x, [&](auto type) {
      using T = decltype(type);
      at::parallel_for(0, x.numel(), kGrain, [&](int64_t begin, int64_t end) {
        kernels::gelu_backward(values<T>(x) + begin, values<T>(grad) + begin,
                               values<T>(out) + begin, end - begin);
      });
    });
    return {out};
  }
};

constexpr int64_t kGegluRows = 32;

struct Geglu : torch::autograd::Function<Geglu> {
  static torch::Tensor forward(AutogradContext* context, torch::Tensor input) {
    at::AutoDispatchBelowADInplaceOrView below_autograd;
    const torch::Tensor x = input.contiguous();
    context->save_for_backward({x});
    auto shape = x.sizes().vec();
    const int64_t half = shape.back() /= 2;
    torch::Tensor y = torch::empty(shape, x.options());
    with_type_of(x, [&](auto type) {
      using T = decltype(type);
      at::parallel_for(0, y.numel() / half, kGegluRows, [&](int64_t begin, int64_t end) {
        for (int64_t row = begin; row < end; ++row) {
          const T* gate = values<T>(x) + row * 2 * half;
          kernels::geglu(gate, gate + half, values<T>(y) + row * half, half);
        }
      });
    });
    return y;
  }

  static variable_list backward(AutogradContext* context, variable_list grads) {
    const torch::Tensor x = context->get_saved_variables()[0];
    const torch::Tensor grad = grads[0].contiguous();
    torch::Tensor d_x = torch::empty_like(x);
    const int64_t half = x.size(-1) / 2;
    with_type_of(x, [&](auto type) {
      using T = decltype(type);
      at::parallel_for(0, grad.numel() / half, kGegluRows, [&](int64_t begin, int64_t end) {
        for (int64_t row = begin; row < end; ++row) {
          const T* gate = values<T>(x) + row * 2 * half;
          T* d_gate = values<T>(d_x) + row * 2 * half;
          kernels::geglu_backward(gate, gate + half, values<T>(grad) + row * half, d_gate,
                                  d_gate + half, half);
        }
      });
    });
    return {d_x};
  }
};

struct GateHeads : torch::autograd::Function<GateHeads> {
  static torch::Tensor forward(AutogradContext* context, torch::Tensor input, torch::Tensor gates) {
    at::AutoDispatchBelowADInplaceOrView below_autograd;
    const torch::Tensor x = input.contiguous(), gate = gates.contiguous();
    const int64_t heads = gate.size(-1), d = x.size(-1);
    torch::Tensor y = torch::empty_like(x);
    with_type_of(x, [&](auto type) {
      using T = decltype(type);
      at::parallel_for(0, x.numel() / d, kGrainRows, [&](int64_t begin, int64_t end) {
        kernels::gate_rows(values<T>(x) + begin * d, values<T>(gate) + begin * heads,
                           values<T>(y) + begin * d, end - begin, heads, d / heads);
      });
    });
    context->save_for_backward({x, gate});
    return y;
  }

  static variable_list backward(AutogradContext* context, variable_list grads) {
    const auto saved = context->get_saved_variables();
    const torch::Tensor &x = saved[0], &gate = saved[1];
    const torch::Tensor grad_out = grads[0].contiguous();
    torch::Tensor d_x = torch::empty_like(x), d_gate = torch::empty_like(gate);
    const int64_t heads = gate.size(-1), d = x.size(-1);
    with_type_of(x, [&](auto type) {
      using T = decltype(type);
      at::parallel_for(0, x.numel() / d, kGrainRows, [&](int64_t begin, int64_t end) {
        kernels::gate_backward_rows(values<T>(x) + begin * d, values<T>(gate) + begin * heads,
                                    values<T>(grad_out) + begin * d, values<T>(d_x) + begin * d,
                                    values<T>(d_gate) + begin * heads, end - begin, heads,
                                    d / heads);
      });
    });
    return {d_x, d_gate};
  }
};

}  // namespace

torch::Tensor tanh_gelu(const torch::Tensor& x) {
  return has_cpu_kernels(x) ? TanhGelu::apply(x) : torch::gelu(x, "tanh");
}

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

torch::Tensor geglu(const torch::Tensor& x) {
  TORCH_CHECK(x.size(-1) % 2 == 0, "geglu takes an even number of columns");
  if (has_cpu_kernels(x)) return Geglu::apply(x);
  const auto halves = x.chunk(2, -1);
  return torch::gelu(halves[0], "tanh") * halves[1];
}

torch::Tensor gate_heads(const torch::Tensor& context, const torch::Tensor& gate) {
  const int64_t heads = gate.size(-1);
  TORCH_CHECK(context.size(-1) % heads == 0, "heads divide the columns");
  if (has_cpu_kernels(context)) return GateHeads::apply(context, gate);
  auto shape = gate.sizes().vec();
  shape.push_back(context.size(-1) / heads);
  return (context.view(shape) * torch::sigmoid(gate).unsqueeze(-1)).view(context.sizes());
}

}  // namespace minibert
