// Every operation's form for a GPU, computed on the stand-in, against its form for the CPU.
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>

#include "device/stand_in.h"
#include "model/operation_cases.h"

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

}  // namespace minibert
