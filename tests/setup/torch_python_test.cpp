// LibTorch out of a Python torch, with a stand-in for the interpreter that says where torch lies.
#include <catch2/catch.hpp>

#include "support/scratch.h"
#include "support/shell.h"

namespace {

using namespace minibert;

// A wheel's layout with the libraries named, and the answer that python gives about it.
ShellResult find_torch(const std::string& libraries, const std::string& version_and_abi) {
  const testing::Scratch dir;
  const std::filesystem::path root = dir / "torch";
  dir.script("python", "echo " + single_quoted(root.string() + ";" + version_and_abi));
  std::filesystem::create_directories(root / "lib");
  shell("cd " + single_quoted((root / "lib").string()) + " && touch " + libraries);
  dir.write("find.cmake", "include(" + std::filesystem::absolute("lib/cmake").string() +
                              "/TorchFromPython.cmake)\nmessage(\"libraries ${TORCH_LIBRARIES}\")\n"
                              "message(\"flags ${TORCH_CXX_FLAGS}\")\n");
  return shell("cmake -DMINIBERT_PYTHON=" + single_quoted(dir / "python") + " -P " +
               single_quoted(dir / "find.cmake"));
}

}  // namespace

TEST_CASE("a wheel's libraries are linked whether it has CUDA or not") {
  const auto cpu = find_torch("libtorch.so libtorch_cpu.so libc10.so", "2.11.0+cpu;1");
  INFO(cpu.output);
  CHECK(cpu.status == 0);
  CHECK(contains(cpu.output, "LibTorch 2.11.0+cpu"));
  CHECK(contains(cpu.output, "/torch/lib/libtorch_cpu.so"));
  CHECK_FALSE(contains(cpu.output, "cuda"));
  CHECK(contains(cpu.output, "flags -D_GLIBCXX_USE_CXX11_ABI=1"));

  const auto cuda = find_torch(
      "libtorch.so libtorch_cpu.so libc10.so libtorch_cuda.so libc10_cuda.so", "2.11.0;1");
  CHECK(cuda.status == 0);
  CHECK(contains(cuda.output, "/torch/lib/libtorch_cuda.so"));
}

TEST_CASE("a Python torch that cannot be linked is refused with the reason") {
  const auto old_abi = find_torch("libtorch.so libtorch_cpu.so libc10.so", "2.1.0;0");
  CHECK(old_abi.status != 0);
  CHECK(contains(old_abi.output, "torch 2.1.0 is built with the C++ ABI"));

  const auto incomplete = find_torch("libtorch.so libc10.so", "2.11.0;1");
  CHECK(incomplete.status != 0);
  CHECK(contains(incomplete.output, "libtorch_cpu.so: not found"));

  const auto no_torch =
      shell("cmake -DMINIBERT_PYTHON=/bin/false -P lib/cmake/TorchFromPython.cmake");
  CHECK(no_torch.status != 0);
  CHECK(contains(no_torch.output, "/bin/false cannot import torch"));
}
