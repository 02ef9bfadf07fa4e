#include "device/stand_in.h"

#include <ATen/EmptyTensor.h>
#include <ATen/TensorUtils.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <sys/mman.h>
#include <torch/library.h>
#include <torch/version.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <set>
#include <vector>

#define MINIBERT_TORCH_FROM(major, minor) \
  (TORCH_VERSION_MAJOR > (major) ||       \
   (TORCH_VERSION_MAJOR == (major) && TORCH_VERSION_MINOR >= (minor)))

#if MINIBERT_TORCH_FROM(2, 7)
#include <ATen/detail/PrivateUse1HooksInterface.h>
#endif

namespace minibert::testing {
namespace {

constexpr c10::DeviceType kStandIn = c10::DeviceType::PrivateUse1;
constexpr c10::DispatchKeySet kStandInKeys(c10::DispatchKey::PrivateUse1);

// LibTorch's optional: its own once, std::optional in newer versions.
template <class Some, class Other>
struct Rebound;
template <template <class> class Optional, class Was, class Other>
struct Rebound<Optional<Was>, Other> {
  using type = Optional<Other>;
};
template <class T>
using Maybe = typename Rebound<torch::autograd::optional_variable_list::value_type, T>::type;

std::recursive_mutex mutex;  // of the counts, and of what is open to the host
DeviceWork work;
std::atomic<int64_t> memory_in_use = 0, memory_limit = 0;

size_t whole_pages(size_t bytes) {
  static const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page;
}

struct Pages {
  void* data;
  size_t bytes;
};

class StandInAllocator final : public c10::Allocator {
 public:
#if MINIBERT_TORCH_FROM(2, 3)
  c10::DataPtr allocate(size_t bytes) override { return make(bytes); }
  void copy_data(void*, const void*, size_t) const override {
    TORCH_CHECK(false, "the stand-in's memory is copied by operations alone");
  }
#else
  c10::DataPtr allocate(size_t bytes) const override { return make(bytes); }
#endif

 private:
  static void release(void* context) {
    const auto* pages = static_cast<Pages*>(context);
    munmap(pages->data, whole_pages(pages->bytes));
    memory_in_use -= static_cast<int64_t>(pages->bytes);
    delete pages;
  }
  static c10::DataPtr make(size_t bytes) {
    const c10::Device device(kStandIn, 0);
    if (bytes == 0) return {nullptr, nullptr, nullptr, device};
    const auto wanted = static_cast<int64_t>(bytes);
    TORCH_CHECK_WITH(OutOfMemoryError, memory_limit == 0 || memory_in_use + wanted <= memory_limit,
                     "the stand-in is out of memory");
    memory_in_use += wanted;
    void* data = mmap(nullptr, whole_pages(bytes), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    TORCH_CHECK(data != MAP_FAILED, "the stand-in is out of memory");
    return {data, new Pages{data, bytes}, &release, device};
  }
};
StandInAllocator allocator;
REGISTER_ALLOCATOR(c10::DeviceType::PrivateUse1, &allocator);

struct StandInGuard final : c10::impl::DeviceGuardImplInterface {
  c10::DeviceType type() const override { return kStandIn; }
  c10::Device exchangeDevice(c10::Device) const override { return {kStandIn, 0}; }
  c10::Device getDevice() const override { return {kStandIn, 0}; }
  void setDevice(c10::Device) const override {}
  void uncheckedSetDevice(c10::Device) const noexcept override {}
  c10::Stream getStream(c10::Device device) const noexcept override {
    return c10::Stream(c10::Stream::DEFAULT, device);
  }
  c10::Stream exchangeStream(c10::Stream stream) const noexcept override { return stream; }
  c10::DeviceIndex deviceCount() const noexcept override { return 1; }
};
C10_REGISTER_GUARD_IMPL(PrivateUse1, StandInGuard);

#if MINIBERT_TORCH_FROM(2, 7)
// A backward pass on a device needs that it is LibTorch's accelerator, whose streams it orders. One of others becomes
// it by its name and by what it says of itself. 1.13 knows no more than CUDA's streams.
struct StandInHooks final : at::PrivateUse1HooksInterface {
  bool isBuilt() const override { return true; }
  bool isAvailable() const override { return true; }
  bool hasPrimaryContext(c10::DeviceIndex) const override { return true; }
};
StandInHooks hooks;
const bool is_accelerator = [] {
  if (std::getenv("MINIBERT_TEST_DEVICE") != nullptr)
    return false;  // LibTorch takes one, here the one named
  at::RegisterPrivateUse1HooksInterface(&hooks);
  c10::register_privateuse1_backend("privateuseone");
  return true;
}();
#endif

bool is_device(const at::Tensor& tensor) {
  return tensor.defined() && tensor.device().type() == kStandIn;
}

void* memory_of(const at::Tensor& tensor) {
  auto* storage = tensor.storage().unsafeGetStorageImpl();
#if MINIBERT_TORCH_FROM(2, 1)
  return storage->mutable_data();
#else
  return storage->data();
#endif
}

// While it lives, the host may touch the storages that it was given.
class OpenToHost {
 public:
  OpenToHost() = default;
  OpenToHost(const OpenToHost&) = delete;
  OpenToHost& operator=(const OpenToHost&) = delete;
  ~OpenToHost() {
    for (const at::Tensor& tensor : opened_) protect(tensor, PROT_NONE);
  }
  // The same memory as a tensor of the CPU.
  at::Tensor on_host(const at::Tensor& tensor) {
    if (!is_device(tensor)) return tensor;
    const auto options = tensor.options().device(at::kCPU);
    const auto bytes = tensor.storage().nbytes();
    if (bytes == 0) return at::empty(tensor.sizes(), options);
    protect(tensor, PROT_READ | PROT_WRITE);
    opened_.push_back(tensor);
    const auto count = static_cast<int64_t>(bytes / tensor.element_size());
    return at::from_blob(memory_of(tensor), {count}, options)
        .as_strided(tensor.sizes(), tensor.strides(), tensor.storage_offset());
  }

 private:
  static void protect(const at::Tensor& tensor, int how) {
    mprotect(memory_of(tensor), whole_pages(tensor.storage().nbytes()), how);
  }
  std::vector<at::Tensor> opened_;
};

at::Tensor new_empty(c10::IntArrayRef size, Maybe<at::ScalarType> type, Maybe<at::Layout>,
                     Maybe<at::Device>, Maybe<bool>, Maybe<at::MemoryFormat> format) {
  return at::detail::empty_generic(size, &allocator, kStandInKeys, c10::dtype_or_default(type),
                                   format);
}

at::Tensor new_empty_strided(c10::IntArrayRef size, c10::IntArrayRef stride,
                             Maybe<at::ScalarType> type, Maybe<at::Layout>, Maybe<at::Device>,
                             Maybe<bool>) {
  return at::detail::empty_strided_generic(size, stride, &allocator, kStandInKeys,
                                           c10::dtype_or_default(type));
}

at::Tensor as_strided_device(const at::Tensor& self, c10::IntArrayRef size, c10::IntArrayRef stride,
                             Maybe<int64_t> offset) {
  auto out = at::detail::make_tensor<c10::TensorImpl>(
      c10::TensorImpl::VIEW, c10::Storage(self.storage()), self.key_set(), self.dtype());
  out.unsafeGetTensorImpl()->set_sizes_and_strides(
      size, stride, offset.has_value() ? *offset : self.storage_offset());
  return out;
}

at::Tensor reshape_alias(const at::Tensor& self, c10::IntArrayRef size, c10::IntArrayRef stride) {
  return as_strided_device(self, size, stride, self.storage_offset());
}

at::Tensor view_device(const at::Tensor& self, c10::IntArrayRef size) {
  std::vector<int64_t> inferred(size.begin(), size.end());
  int64_t known = 1;
  for (const int64_t one : inferred) known *= one < 0 ? 1 : one;
  for (int64_t& one : inferred)
    if (one < 0) one = known == 0 ? 0 : self.numel() / known;
  const auto stride = at::detail::computeStride(self.sizes(), self.strides(), inferred);
  TORCH_CHECK(stride.has_value(), "view: the strides do not allow it");
  return as_strided_device(self, inferred, *stride, self.storage_offset());
}

const at::Tensor& resize_device(const at::Tensor& self, c10::IntArrayRef size,
                                Maybe<at::MemoryFormat>) {
  auto* impl = self.unsafeGetTensorImpl();
  impl->set_sizes_contiguous(size);
  const size_t bytes = static_cast<size_t>(impl->numel()) * self.element_size();
  auto storage = self.storage();
  if (bytes > storage.nbytes()) {
    storage.set_data_ptr_noswap(allocator.allocate(bytes));
    storage.set_nbytes(bytes);
  }
  return self;
}

// A new tensor on the device with the values of one of the CPU; counts nothing.
at::Tensor stored(const at::Tensor& host) {
  const at::Tensor out =
      new_empty_strided(host.sizes(), host.strides(), host.scalar_type(), {}, {}, {});
  OpenToHost open;
  open.on_host(out).copy_(host);
  return out;
}

at::Tensor copy_device(const at::Tensor& from, const at::Tensor& to, bool) {
  const std::lock_guard lock(mutex);
  if (!is_device(from)) {
    ++work.to_device;
  } else if (!is_device(to)) {
    ++work.to_host;
    ++work.by_name["copy to the host"];
  } else {
    ++work.launches;
    ++work.by_name["copy_"];
  }
  OpenToHost open;
  at::Tensor target = open.on_host(to);
  target.copy_(open.on_host(from));
  return to;
}

at::Tensor copy_and_resize(const at::Tensor& from, const at::Tensor& to) {
  resize_device(to, from.sizes(), {});
  return copy_device(from, to, false);
}

// Reads of values, which a GPU's host waits for.
bool is_read(const std::string& name) {
  static const std::set<std::string> reads = {"_local_scalar_dense", "equal",    "nonzero",
                                              "masked_select",       "_unique2", "unique_dim"};
  return reads.count(name) > 0;
}

at::Tensor or_zero(const c10::IValue& given, const at::Tensor& like) {
  return given.isTensor() && given.toTensor().defined() ? given.toTensor() : at::zeros_like(like);
}

// A step of an LSTM and its derivative. LibTorch 2 expects them as one operation of a device and
// computes them only on CUDA. Takes the gates' parts, the previous cell and the two biases; returns
// the output, the cell, and the gates for the derivative.
std::array<at::Tensor, 3> lstm_cell(const std::vector<c10::IValue>& given) {
  at::Tensor sums = given[0].toTensor() + given[1].toTensor();
  for (const size_t bias : {3, 4}) sums = sums + or_zero(given[bias], sums);
  const auto gates = sums.chunk(4, 1);
  const at::Tensor in = gates[0].sigmoid(), forget = gates[1].sigmoid(), fresh = gates[2].tanh(),
                   out = gates[3].sigmoid();
  const at::Tensor cell = forget * given[2].toTensor() + in * fresh;
  return {out * cell.tanh(), cell, at::cat({in, forget, fresh, out}, 1)};
}

// Takes the gradients of output and cell, the cells before and after, and the gates; returns the
// gradients of the sums, the previous cell and the bias.
std::array<at::Tensor, 3> lstm_cell_backward(const std::vector<c10::IValue>& given) {
  const at::Tensor before = given[2].toTensor(), squashed = given[3].toTensor().tanh();
  const auto gates = given[4].toTensor().chunk(4, 1);
  const at::Tensor in = gates[0], forget = gates[1], fresh = gates[2], out = gates[3];
  const at::Tensor of_output = or_zero(given[0], before);
  const at::Tensor of_cell =
      of_output * out * (1 - squashed * squashed) + or_zero(given[1], before);
  const at::Tensor of_sums =
      at::cat({of_cell * fresh * in * (1 - in), of_cell * before * forget * (1 - forget),
               of_cell * in * (1 - fresh * fresh), of_output * squashed * out * (1 - out)},
              1);
  return {of_sums, of_cell * forget, given[5].toBool() ? of_sums.sum(0) : at::Tensor()};
}

// One operation's arguments and results, between the device and the CPU's kernels.
class Operation {
 public:
  Operation(const c10::OperatorHandle& handle, torch::jit::Stack* stack)
      : handle_(handle), stack_(*stack), given_(handle.schema().arguments().size()) {}

  void compute() {
    const size_t begin = stack_.size() - given_;
    std::vector<c10::IValue> arguments(stack_.begin() + static_cast<ptrdiff_t>(begin),
                                       stack_.end());
    for (size_t i = 0; i < given_; ++i) stack_[begin + i] = on_host(arguments[i]);
    refuse_mixture();
    call();
    write_resized();
    const auto& returns = handle_.schema().returns();
    const size_t first = stack_.size() - returns.size();
    for (size_t i = 0; i < returns.size(); ++i)
      stack_[first + i] = on_device(stack_[first + i], returns[i].alias_info() != nullptr &&
                                                           returns[i].alias_info()->isWrite());
  }

 private:
  struct Pair {
    at::Tensor device, host;
  };

  at::Tensor tensor_on_host(const at::Tensor& tensor) {
    if (!tensor.defined()) return tensor;
    if (is_device(tensor)) {
      pairs_.push_back({tensor, open_.on_host(tensor)});
      return pairs_.back().host;
    }
    others_ = others_ || tensor.dim() > 0;
    return tensor;
  }

  c10::IValue on_host(const c10::IValue& value) {
    if (value.isTensor()) return tensor_on_host(value.toTensor());
    if (value.isTensorList()) {
      c10::List<at::Tensor> out;
      for (const at::Tensor& one : value.toTensorVector()) out.push_back(tensor_on_host(one));
      return out;
    }
    if (value.isOptionalTensorList()) {
      c10::List<Maybe<at::Tensor>> out;
      for (const c10::IValue& one : value.toListRef())
        out.push_back(one.isNone() ? Maybe<at::Tensor>() : tensor_on_host(one.toTensor()));
      return out;
    }
    if (value.isDevice() && value.toDevice().type() == kStandIn) return c10::Device(at::kCPU);
    return value;
  }

  // CUDA takes the CPU's scalars alone beside its own tensors.
  void refuse_mixture() const {
    TORCH_CHECK(
        !others_ || pairs_.empty(), handle_.schema().name(),
        ": found tensors of the CPU beside those of the device, expected all on one device");
  }

  void call() {
    // A backend's own convolution has other names and knows no bias in its backward pass.
    const std::string& name = handle_.schema().name();
    if (name == "aten::convolution_overrideable") {
      named("aten::convolution").callBoxed(&stack_);
    } else if (name == "aten::convolution_backward_overrideable") {
      stack_.insert(stack_.end() - static_cast<ptrdiff_t>(given_) + 3, c10::IValue());
      named("aten::convolution_backward").callBoxed(&stack_);
    } else if (name == "aten::_thnn_fused_lstm_cell") {
      give(lstm_cell(taken()));
    } else if (name == "aten::_thnn_fused_lstm_cell_backward_impl") {
      give(lstm_cell_backward(taken()));
    } else {
      handle_.redispatchBoxed(c10::DispatchKeySet(c10::DispatchKey::CPU), &stack_);
    }
  }

  std::vector<c10::IValue> taken() {
    const auto first = stack_.end() - static_cast<ptrdiff_t>(given_);
    std::vector<c10::IValue> out(first, stack_.end());
    stack_.erase(first, stack_.end());
    return out;
  }

  void give(const std::array<at::Tensor, 3>& results) {
    for (const at::Tensor& one : results) stack_.emplace_back(one);
  }

  static c10::OperatorHandle named(const char* name) {
    return c10::Dispatcher::singleton().findSchemaOrThrow(name, "");
  }

  // Results of the size 0 that the operation gave their size.
  void write_resized() {
    for (const Pair& pair : pairs_) {
      if (pair.device.sizes() == pair.host.sizes()) continue;
      resize_device(pair.device, pair.host.sizes(), {});
      OpenToHost open;
      open.on_host(pair.device).copy_(pair.host);
    }
  }

  at::Tensor tensor_on_device(const at::Tensor& host, bool is_argument) {
    if (!host.defined()) return host;
    for (const Pair& pair : pairs_) {
      if (is_argument && pair.host.is_same(host)) return pair.device;
      if (!is_argument && host.numel() > 0 && pair.host.storage().data() == host.storage().data())
        return as_strided_device(pair.device, host.sizes(), host.strides(), host.storage_offset());
    }
    return stored(host);
  }

  c10::IValue on_device(const c10::IValue& value, bool is_argument) {
    if (value.isTensor()) return tensor_on_device(value.toTensor(), is_argument);
    if (!value.isTensorList()) return value;
    c10::List<at::Tensor> out;
    for (const at::Tensor& one : value.toTensorVector())
      out.push_back(tensor_on_device(one, is_argument));
    return out;
  }

  const c10::OperatorHandle& handle_;
  torch::jit::Stack& stack_;
  size_t given_;
  OpenToHost open_;
  std::vector<Pair> pairs_;
  bool others_ = false;
};

void any_operation(const c10::OperatorHandle& handle, torch::jit::Stack* stack) {
  const std::lock_guard lock(mutex);
  const std::string name = handle.schema().name().substr(sizeof("aten::") - 1);
  ++(is_read(name) ? work.to_host : work.launches);
  ++work.by_name[name];
  Operation(handle, stack).compute();
}

// A module's `to` asks whether a parameter may take the memory of its copy. LibTorch says so of the devices that
// it names itself alone.
bool has_compatible_shallow_copy_type(const at::Tensor& self, const at::Tensor& from) {
  return self.layout() == from.layout();
}

// The fallback of the operations' derivatives: newer versions have it, 1.13 only for devices that
// it names.
const auto autograd_fallback = [] {
  constexpr auto key = c10::DispatchKey::AutogradPrivateUse1;
  auto& dispatcher = c10::Dispatcher::singleton();
  return dispatcher.hasBackendFallbackForDispatchKey(key)
             ? c10::RegistrationHandleRAII([] {})
             : dispatcher.registerFallback(key, c10::KernelFunction::makeFallthrough(), "stand-in");
}();

// On CUDA dropout is one operation, and so is its derivative.
at::Tensor dropout_device(const at::Tensor& input, double p, bool train) {
  if (p == 0 || !train || input.numel() == 0) return input;
  return std::get<0>(at::native_dropout(input, p, train));
}
TORCH_LIBRARY_IMPL(aten, AutogradPrivateUse1, library) { library.impl("dropout", dropout_device); }

TORCH_LIBRARY_IMPL(_, PrivateUse1, library) {
  library.fallback(torch::CppFunction::makeFromBoxedFunction<&any_operation>());
}
TORCH_LIBRARY_IMPL(aten, PrivateUse1, library) {
  // One operation on CUDA, where a device without one of its own gets several.
  for (const char* name : {"convolution_overrideable", "convolution_backward_overrideable",
                           "native_layer_norm", "_foreach_mul_.Scalar", "_foreach_add_.List"})
    library.impl(name, torch::CppFunction::makeFromBoxedFunction<&any_operation>());
  library.impl("empty.memory_format", new_empty);
  library.impl("empty_strided", new_empty_strided);
  library.impl("_copy_from", copy_device);
  library.impl("_copy_from_and_resize", copy_and_resize);
  library.impl("as_strided", as_strided_device);
  library.impl("_reshape_alias", reshape_alias);
  library.impl("view", view_device);
  library.impl("resize_", resize_device);
  library.impl("_has_compatible_shallow_copy_type", has_compatible_shallow_copy_type);
}

}  // namespace

torch::Device stand_in() { return {kStandIn, 0}; }

void limit_device_memory(int64_t bytes) { memory_limit = bytes; }

int64_t device_memory() { return memory_in_use; }

std::string name_under_test() {
  const char* named = std::getenv("MINIBERT_TEST_DEVICE");
  return named == nullptr ? "stand-in" : named;
}

torch::Device device_under_test() {
  const std::string name = name_under_test();
  if (name == "stand-in") return stand_in();
  const torch::Device named(name);
  return named.is_cuda() && !named.has_index() ? torch::Device(torch::kCUDA, 0) : named;
}

DeviceWork DeviceWork::operator-(const DeviceWork& earlier) const {
  DeviceWork out = *this;
  out.launches -= earlier.launches;
  out.to_device -= earlier.to_device;
  out.to_host -= earlier.to_host;
  for (const auto& [name, count] : earlier.by_name)
    if ((out.by_name[name] -= count) == 0) out.by_name.erase(name);
  return out;
}

DeviceWork device_work() {
  const std::lock_guard lock(mutex);
  return work;
}

std::string most_frequent(const DeviceWork& work, size_t names) {
  std::vector<std::pair<int64_t, std::string>> all;
  for (const auto& [name, count] : work.by_name) all.emplace_back(-count, name);
  std::sort(all.begin(), all.end());
  std::string out;
  for (const auto& [count, name] : all) {
    if (names-- == 0) break;
    out += (out.empty() ? "" : ", ") + name + " " + std::to_string(-count);
  }
  return out;
}

}  // namespace minibert::testing
