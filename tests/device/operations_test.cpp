// Every operation's form for a GPU, computed on the stand-in, against its form for the CPU.
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>

#include "device/stand_in.h"
#include "model/operation_cases.h"
#include "train/optimizer.h"

namespace minibert {
namespace {

using testing::device_under_test;
using testing::device_work;
using testing::DeviceWork;
using testing::stand_in;

// The signal that ends a process which does this; 0: none does.
template <class Deed>
int signal_of(const Deed& deed) {
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGSEGV, SIG_DFL);
    deed();
    _exit(0);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

}  // namespace

TEST_CASE("the host cannot read the stand-in's memory") {
  const torch::Tensor there = torch::ones({3}).to(stand_in());
  CHECK(signal_of([&] {
          volatile float read = *there.data_ptr<float>();
          static_cast<void>(read);
        }) == SIGSEGV);
  CHECK(there.to(torch::kCPU).equal(torch::ones({3})));
}

TEST_CASE("the stand-in's tensors mix with the CPU's scalars alone") {
  const torch::Tensor there = torch::ones({2, 3}).to(stand_in());
  CHECK_THROWS_WITH(there + torch::ones({3}), Catch::Matchers::Contains("device"));
  CHECK_THROWS_WITH(torch::mm(there, torch::ones({3, 2})), Catch::Matchers::Contains("device"));
  CHECK((there + torch::tensor(2.0F)).sum().item<double>() == 18);
}

TEST_CASE("what a GPU would pay for is counted") {
  const DeviceWork before = device_work();
  const torch::Tensor there = torch::ones({4, 3}).to(stand_in());
  const torch::Tensor product = torch::mm(there, there.t()).view({2, 8}).slice(1, 0, 4);
  CHECK(product.sum().item<double>() == 24);
  const DeviceWork work = device_work() - before;
  CHECK(work.to_device == 1);
  CHECK(work.to_host == 1);
  CHECK(work.launches == 2);  // product and sum; views cost nothing
}

TEST_CASE("every operation gives on a device what it gives on the CPU", "[on a device]") {
  for (const OperationCase& one : operation_cases()) {
    CAPTURE(one.name);
    const Pass cpu = run_pass(one.operation, one.inputs);
    const Pass device = run_pass(
        one.operation, with_types(one, torch::kFloat32, torch::kFloat32, device_under_test()));
    for (const torch::Tensor& output : device.outputs)
      CHECK(output.device() == device_under_test());
    for (const torch::Tensor& gradient : device.gradients)
      CHECK(gradient.device() == device_under_test());
    require_close(cpu, device, kFloat32Tolerance);
  }
}

TEST_CASE("every operation in bfloat16 gives on a device what it gives on the CPU",
          "[on a device]") {
  for (const OperationCase& one : operation_cases()) {
    CAPTURE(one.name);
    const Pass cpu = run_pass(one.operation, with_types(one, torch::kBFloat16, torch::kFloat32));
    require_close(cpu,
                  run_pass(one.operation,
                           with_types(one, torch::kBFloat16, torch::kFloat32, device_under_test())),
                  kBfloat16Tolerance);
  }
}

TEST_CASE("Muon makes on a device the updates that it makes on the CPU", "[on a device]") {
  const auto weights = [](torch::Device device) {
    torch::manual_seed(5);
    NamedTensors out;
    for (const auto& [name, shape] :
         {std::pair<const char*, std::vector<int64_t>>{"layers.0.attention.qkv.weight", {72, 24}},
          {"layers.0.attention.output.weight", {24, 24}},
          {"layers.0.ffn.inner.weight", {96, 24}},
          {"layers.0.ffn.outer.weight", {24, 96}},
          {"layers.1.ffn.outer.weight", {24, 96}},
          {"head.weight", {10, 24}}})
      out.emplace_back(name, torch::randn(shape).to(device));
    return out;
  };
  for (const bool cautious : {false, true}) {
    NamedTensors cpu = weights(torch::kCPU), device = weights(device_under_test());
    const OptimizerConfig config{.type = "muon",
                                 .lr = 0.01,
                                 .muon_lr = 0.1,
                                 .weight_decay = 0.1,
                                 .cautious_decay = cautious};
    Optimizer on_cpu(cpu, config), on_device(device, config);
    for (int64_t step = 0; step < 3; ++step) {
      for (size_t i = 0; i < cpu.size(); ++i) {
        const torch::Tensor grad = torch::randn(cpu[i].second.sizes());
        cpu[i].second.mutable_grad() = grad;
        // One step leaves a matrix out.
        device[i].second.mutable_grad() = grad.to(device_under_test());
        if (step == 1 && i == 2) {
          cpu[i].second.mutable_grad().reset();
          device[i].second.mutable_grad().reset();
        }
      }
      on_cpu.step(0.005, step, Optimizer::clip_factor(1, on_cpu.gradient_norm()));
      on_device.step(0.005, step, Optimizer::clip_factor(1, on_device.gradient_norm()));
    }
    for (size_t i = 0; i < cpu.size(); ++i) {
      CAPTURE(cautious, cpu[i].first);
      CHECK(device[i].second.to(torch::kCPU).allclose(cpu[i].second, 1e-3, 1e-4));
    }
  }
}

}  // namespace minibert
