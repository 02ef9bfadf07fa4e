// Every fused operation on the CPU against its own ATen form, the one that a GPU runs, in float32
// and float64: values and gradients, at sizes that do not fill a vector register or a block of
// rows.
#include <dlfcn.h>

#include <catch2/catch.hpp>

#include "model/operation_cases.h"
#include "model/ops/cpu_values.h"

namespace minibert {
namespace {

Pass aten_pass(const OperationCase& one, torch::ScalarType type) {
  const AtenFormsOnly aten;
  return run_pass(one.operation, with_types(one, type, type));
}

// LibTorch's threads for this thread's operations, and one alone for its matrix products where MKL makes them, as
// in the wheels for Python: MKL shares a sum among its threads where the product is small, so that its bits follow
// from their number. OpenBLAS has a number of its own that LibTorch leaves as it is.
void set_threads(int count) {
  at::set_num_threads(count);
  if (void* set = dlsym(RTLD_DEFAULT, "MKL_Set_Num_Threads_Local"))
    reinterpret_cast<int (*)(int)>(set)(1);
}

void check_same_bits(const Pass& a, const Pass& b) {
  for (size_t i = 0; i < a.outputs.size(); ++i) CHECK(a.outputs[i].equal(b.outputs[i]));
  for (size_t i = 0; i < a.gradients.size(); ++i) CHECK(a.gradients[i].equal(b.gradients[i]));
}

}  // namespace

TEST_CASE("fused operations equal their ATen forms in float32 and float64") {
  for (const OperationCase& one : operation_cases()) {
    CAPTURE(one.name);
    const Pass fused = run_pass(one.operation, one.inputs);
    require_close(fused, aten_pass(one, torch::kFloat32), kFloat32Tolerance);
    require_close(fused, aten_pass(one, torch::kFloat64), kFloat32Tolerance);
  }
}

TEST_CASE("fused operations in bfloat16 stay near their ATen forms in float32") {
  for (const OperationCase& one : operation_cases()) {
    CAPTURE(one.name);
    const TensorList rounded = with_types(one, torch::kBFloat16, torch::kFloat32);
    OperationCase widened = one;
    for (size_t i = 0; i < rounded.size(); ++i) widened.inputs[i] = rounded[i].to(torch::kFloat32);
    require_close(run_pass(one.operation, rounded), aten_pass(widened, torch::kFloat32),
                  kBfloat16Tolerance);
  }
}

TEST_CASE("float64 stays float64 through every operation") {
  for (const OperationCase& one : operation_cases()) {
    CAPTURE(one.name);
    const Pass pass = run_pass(one.operation, with_types(one, torch::kFloat64, torch::kFloat64));
    for (const auto& output : pass.outputs) CHECK(output.scalar_type() == torch::kFloat64);
    for (const auto& gradient : pass.gradients) CHECK(gradient.scalar_type() == torch::kFloat64);
  }
}

TEST_CASE("fused operations give the same bits, one by one, on one thread and on three") {
  const int before = at::get_num_threads();
  for (const OperationCase& one : operation_cases()) {
    CAPTURE(one.name);
    set_threads(1);
    const Pass alone = run_pass(one.operation, one.inputs);
    set_threads(3);
    const Pass three = run_pass(one.operation, one.inputs);
    at::set_num_threads(before);
    check_same_bits(alone, three);
  }
}

TEST_CASE("every operation gives the same bits again, its matrix products on as many threads") {
  const int before = at::get_num_threads();
  for (const int threads : {1, 3}) {
    at::set_num_threads(threads);
    for (const OperationCase& one : operation_cases()) {
      CAPTURE(one.name, threads);
      const Pass first = run_pass(one.operation, one.inputs);
      check_same_bits(first, run_pass(one.operation, one.inputs));
    }
  }
  at::set_num_threads(before);
}

}  // namespace minibert
