#include "model/ops/dropout.h"

#include <ATen/Parallel.h>

#include "core/rng.h"
#include "model/ops/cpu_values.h"
#include "model/ops/vector_kernels.h"

namespace minibert {
namespace {

struct KeyedDropout : torch::autograd::Function<KeyedDropout> {
  static torch::Tensor forward(torch::autograd::AutogradContext* context, torch::Tensor x, double p,
                               int64_t key) {
    context->saved_data["p"] = p;
    context->saved_data["key"] = key;
    return dropout_values(x, p, static_cast<uint64_t>(key));
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list grads) {
    return {dropout_values(grads[0], context->saved_data["p"].toDouble(),
                           static_cast<uint64_t>(context->saved_data["key"].toInt())),
            torch::Tensor(), torch::Tensor()};
  }
};

}  // namespace

torch::Tensor dropout_values(const torch::Tensor& x, double p, uint64_t key) {
  const torch::Tensor in = x.contiguous();
  torch::Tensor out = torch::empty_like(in);
  const kernels::DropoutRule rule = kernels::dropout_rule(p, key);
  with_type_of(in, [&](auto type) {
    using T = decltype(type);
    at::parallel_for(0, in.numel(), 1 << 15, [&](int64_t begin, int64_t end) {
      kernels::dropout(values<T>(in) + begin, values<T>(out) + begin, end - begin,
                       static_cast<uint32_t>(begin), rule);
    });
  });
  return out;
}

torch::Tensor keyed_dropout(const torch::Tensor& x, double p, uint64_t key) {
  if (p == 0) return x;
  if (!has_cpu_kernels(x)) return torch::dropout(x, p, /*train=*/true);
  return KeyedDropout::apply(x, p, static_cast<int64_t>(key));
}

uint64_t DropoutKeys::next() { return derive_seed(key_, "dropout", site_++); }

}  // namespace minibert
