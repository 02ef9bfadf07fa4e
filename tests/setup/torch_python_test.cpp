// LibTorch out of a Python torch, with a stand-in for the interpreter that says where torch lies, and out of a folder.
#include <catch2/catch.hpp>

#include "support/scratch.h"
#include "support/shell.h"

namespace {

using namespace minibert;

// Searches a wheel's layout with the named libraries, with the options.
ShellResult find_in(const testing::Scratch& dir, const std::string& libraries,
                    const std::string& options) {
  std::filesystem::create_directories(dir / "torch/lib");
  shell("cd " + single_quoted(dir / "torch/lib") + " && touch " + libraries);
  dir.write("find.cmake", "list(APPEND CMAKE_MODULE_PATH " +
                              std::filesystem::absolute("lib/cmake").string() +
                              ")\ninclude(LibTorch)\nmessage(\"libraries ${TORCH_LIBRARIES}\")\n"
                              "message(\"flags ${TORCH_CXX_FLAGS}\")\n");
  return shell("cmake " + options + " -P " + single_quoted(dir / "find.cmake"));
}

// With the answer that python gives about it.
ShellResult find_torch(const std::string& libraries, const std::string& version_and_abi) {
  const testing::Scratch dir;
  dir.script("python", "echo " + single_quoted((dir / "torch") + ";" + version_and_abi));
  return find_in(dir, libraries,
                 "-DMINIBERT_TORCH=python -DMINIBERT_PYTHON=" + single_quoted(dir / "python"));
}

// As TORCH=FOLDER names it, with its own CMake package.
ShellResult find_in_folder(const std::string& libraries, const std::string& config) {
  const testing::Scratch dir;
  dir.write("torch/share/cmake/Torch/TorchConfig.cmake", config);
  return find_in(dir, libraries, "-DTorch_DIR=" + single_quoted(dir / "torch/share/cmake/Torch"));
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
  // Wheels export parts of an older C++ library.
  const size_t own = cpu.output.find("-lstdc++");
  REQUIRE(own != std::string::npos);
  CHECK(own < cpu.output.find("/torch/lib/libtorch.so"));

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

TEST_CASE("a folder of LibTorch gives its own libraries, and needs no CUDA toolkit") {
  const std::string libraries = "libtorch.so libtorch_cpu.so libc10.so ";
  const std::string others = "set(Torch_FOUND TRUE)\nset(TORCH_LIBRARIES /usr/lib/libtorch.so)\n";
  const auto cpu = find_in_folder(libraries, others);
  INFO(cpu.output);
  CHECK(cpu.status == 0);
  CHECK(contains(cpu.output, "/torch/lib/libtorch_cpu.so"));
  CHECK(contains(cpu.output, "flags -D_GLIBCXX_USE_CXX11_ABI=1"));
  CHECK_FALSE(contains(cpu.output, "/usr/lib/libtorch.so"));

  const auto cuda = find_in_folder(libraries + "libtorch_cuda.so libc10_cuda.so",
                                   "message(FATAL_ERROR \"CUDA cannot be found\")");
  CHECK(cuda.status == 0);
  CHECK(contains(cuda.output, "/torch/lib/libtorch_cuda.so"));

  const auto old_abi =
      find_in_folder(libraries, "set(TORCH_CXX_FLAGS \"-D_GLIBCXX_USE_CXX11_ABI=0\")");
  CHECK(old_abi.status != 0);
  CHECK(contains(old_abi.output, "is built with the C++ ABI from before 2011"));

  const auto elsewhere = find_in_folder("libother.so", others);  // as a distribution's package
  CHECK(elsewhere.status == 0);
  CHECK(contains(elsewhere.output, "libraries /usr/lib/libtorch.so"));
}
