// The one place that speaks LibTorch's autocast interface, which changed in 2.4.
#include <ATen/autocast_mode.h>

#include "train/environment.h"

namespace minibert {
namespace {

#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 4)

bool enabled(torch::DeviceType device) { return at::autocast::is_autocast_enabled(device); }
at::ScalarType type(torch::DeviceType device) { return at::autocast::get_autocast_dtype(device); }
void set(torch::DeviceType device, bool on, at::ScalarType dtype) {
  at::autocast::set_autocast_enabled(device, on);
  at::autocast::set_autocast_dtype(device, dtype);
}

#else

bool enabled(torch::DeviceType device) {
  return device == torch::kCUDA ? at::autocast::is_enabled() : at::autocast::is_cpu_enabled();
}
at::ScalarType type(torch::DeviceType device) {
  return device == torch::kCUDA ? at::autocast::get_autocast_gpu_dtype()
                                : at::autocast::get_autocast_cpu_dtype();
}
void set(torch::DeviceType device, bool on, at::ScalarType dtype) {
  if (device == torch::kCUDA) {
    at::autocast::set_enabled(on);
    at::autocast::set_autocast_gpu_dtype(dtype);
  } else {
    at::autocast::set_cpu_enabled(on);
    at::autocast::set_autocast_cpu_dtype(dtype);
  }
}

#endif

}  // namespace

Autocast::Autocast(torch::Device device, Precision precision)
    : device_(device.type()), active_(precision == Precision::bf16) {
  if (!active_) return;
  was_enabled_ = enabled(device_);
  was_type_ = type(device_);
  set(device_, true, at::kBFloat16);
  at::autocast::increment_nesting();
}

Autocast::~Autocast() {
  if (!active_) return;
  if (at::autocast::decrement_nesting() == 0) at::autocast::clear_cache();
  set(device_, was_enabled_, was_type_);
}

}  // namespace minibert
