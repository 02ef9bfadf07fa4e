#include "model/dropout.h"

#include <ATen/Parallel.h>

#include "core/rng.h"

namespace minibert {
namespace {

// MurmurHash3's 32-bit finalizer (Appleby 2011): enough mixing for a mask, and it vectorizes.
inline uint32_t mixed(uint32_t h) {
  h ^= h >> 16;
  h *= 0x85ebca6bU;
  h ^= h >> 13;
  h *= 0xc2b2ae35U;
  return h ^ (h >> 16);
}

template <class T>
void apply_mask(const T* in, T* out, int64_t begin, int64_t end, uint32_t low, uint32_t high,
                uint32_t threshold, float scale) {
  for (int64_t i = begin; i < end; ++i) {
    const uint32_t hash = mixed(static_cast<uint32_t>(i) * 0x9e3779b1U + low) ^ high;
    const float kept = mixed(hash) >= threshold ? scale : 0.0f;
    out[i] = static_cast<T>(static_cast<float>(in[i]) * kept);
  }
}

torch::Tensor masked(const torch::Tensor& x, double p, uint64_t key) {
  const torch::Tensor in = x.contiguous();
  torch::Tensor out = torch::empty_like(in);
  const auto threshold = static_cast<uint32_t>(p * 4294967296.0);
  const auto scale = static_cast<float>(1.0 / (1.0 - p));
  const auto low = static_cast<uint32_t>(key), high = static_cast<uint32_t>(key >> 32);
  AT_DISPATCH_FLOATING_TYPES_AND(torch::kBFloat16, in.scalar_type(), "keyed_dropout", [&] {
    const scalar_t* from = in.data_ptr<scalar_t>();
    scalar_t* to = out.data_ptr<scalar_t>();
    at::parallel_for(0, in.numel(), 1 << 15, [&](int64_t begin, int64_t end) {
      apply_mask(from, to, begin, end, low, high, threshold, scale);
    });
  });
  return out;
}

struct KeyedDropout : torch::autograd::Function<KeyedDropout> {
  static torch::Tensor forward(torch::autograd::AutogradContext* context, torch::Tensor x, double p,
                               int64_t key) {
    context->saved_data["p"] = p;
    context->saved_data["key"] = key;
    return masked(x, p, static_cast<uint64_t>(key));
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list grads) {
    return {masked(grads[0], context->saved_data["p"].toDouble(),
                   static_cast<uint64_t>(context->saved_data["key"].toInt())),
            torch::Tensor(), torch::Tensor()};
  }
};

}  // namespace

torch::Tensor keyed_dropout(const torch::Tensor& x, double p, uint64_t key) {
  if (p == 0) return x;
  if (!x.is_cpu()) return torch::dropout(x, p, /*train=*/true);
  return KeyedDropout::apply(x, p, static_cast<int64_t>(key));
}

uint64_t DropoutKeys::next() { return derive_seed(key_, "dropout", site_++); }

}  // namespace minibert
