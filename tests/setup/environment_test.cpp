// Device, precision, BLAS and threads.
#include "environment/environment.h"

#include <dlfcn.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>

#include "core/error.h"
#include "support/scratch.h"
#include "support/shell.h"

namespace {

using namespace minibert;

std::string program() {
  const char* path = std::getenv("MINIBERT_PROGRAM");
  REQUIRE(path != nullptr);
  return single_quoted(path);
}

// The usage error that `call` throws.
template <typename Call>
std::string usage_message(Call call) {
  try {
    call();
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    return error.what();
  }
  return "nothing thrown";
}

}  // namespace

TEST_CASE("a word that is no device or precision is a usage error that names it") {
  for (const std::string word : {"gpu", "", "cuda:", "cuda:x", "cuda:-1", "cuda:99999", "CPU"}) {
    INFO(word);
    const auto message = usage_message([&] { choose_device(word); });
    CHECK(contains(message, "--device: found '" + word + "', expected"));
  }
  for (const std::string word : {"fp16", "", "float", "BF16"}) {
    INFO(word);
    const auto message = usage_message([&] { choose_precision(torch::kCPU, word); });
    CHECK(contains(message, "--precision: found '" + word + "', expected auto, fp32 or bf16"));
  }
}

TEST_CASE("asking for CUDA where there is none is a usage error, auto is the CPU") {
  if (torch::cuda::is_available()) return;
  CHECK(contains(usage_message([] { choose_device("cuda"); }), "sees no CUDA device"));
  CHECK(choose_device("auto") == torch::Device(torch::kCPU));
}

TEST_CASE("TF32 is refused where there is no CUDA") {
  CHECK(contains(usage_message([] { choose_precision(torch::kCPU, "tf32"); }),
                 "found 'tf32', expected auto, fp32 or bf16"));
  choose_environment("cpu", "fp32", 1);
  CHECK_FALSE(at::globalContext().allowTF32CuBLAS());
  CHECK_FALSE(at::globalContext().allowTF32CuDNN());
}

TEST_CASE("automatic precision follows the CPU's flags, a wish overrides it") {
  const auto flags = shell("grep -m1 '^flags' /proc/cpuinfo").output;
  const bool has_bf16 = contains(flags, " avx512_bf16") || contains(flags, " amx_bf16");
  const auto choice = choose_precision(torch::kCPU, "auto");
  CHECK(choice.precision == (has_bf16 ? Precision::bf16 : Precision::fp32));
  CHECK(contains(choice.why, "bf16"));
  CHECK(choose_precision(torch::kCPU, "fp32").precision == Precision::fp32);
  CHECK(choose_precision(torch::kCPU, "bf16").precision == Precision::bf16);
}

TEST_CASE("the BLAS that LibTorch calls is found, and only the reference one is warned of") {
  const auto blas = detect_blas();
  INFO(blas.name << " " << blas.path);
  CHECK_FALSE(blas.name.empty());
  CHECK(blas_warning(blas).empty() == !blas.reference);
  const Blas slow{"reference BLAS", "/usr/lib/x86_64-linux-gnu/blas/libblas.so.3.11.0", true};
  CHECK(contains(blas_warning(slow), "apt-get install libopenblas0-pthread"));
  CHECK(contains(blas_warning(slow), slow.path));
}

TEST_CASE("the description for a record names what the numbers depend on") {
  const auto environment = choose_environment("cpu", "fp32", 1);
  const auto json = to_json(environment, program_state());
  CHECK(json.at("device") == "cpu");
  CHECK(json.at("precision") == "fp32");
  CHECK(json.at("threads") == 1);
  CHECK(at::get_num_threads() == 1);
  for (const char* library : {"libtorch", "hdf5", "sentencepiece", "nlohmann_json", "zstd"}) {
    INFO(library);
    const auto version = json.at("libraries").at(library).get<std::string>();
    CHECK(version.find('.') != std::string::npos);
  }
  CHECK(contains(json.at("compiler").at("flags").get<std::string>(), "-std=c++20"));
  CHECK_FALSE(json.at("compiler").at("name").get<std::string>().empty());
  CHECK_FALSE(json.at("hardware").get<std::string>().empty());
  CHECK(json.at("git").contains("commit"));
}

TEST_CASE("a file of the source tree is told from one that only lies there") {
  if (!std::filesystem::exists(built_source_dir() + "/.git")) return;  // an unpacked archive
  CHECK(is_tracked("results/kowiki_mini_bert/full/mini_bert_1m-s1.h5"));
  const testing::Scratch folder;
  folder.write("a.h5", "x");
  CHECK_FALSE(is_tracked(folder / "a.h5"));
  CHECK_FALSE(is_tracked("results/none/a.h5"));
}

TEST_CASE("threads are the physical cores the process may use, or what OMP_NUM_THREADS says") {
  const auto threads = [](const std::string& prefix) {
    return shell(prefix + " " + program() + " --version | sed -n 's/^hardware.*, //p'").output;
  };
  CHECK(threads("env -u OMP_NUM_THREADS taskset -c $(taskset -pc $$ | sed 's/.*: "
                "\\([0-9]*\\).*/\\1/')") == "1 thread\n");
  CHECK(threads("OMP_NUM_THREADS=3") == "3 threads\n");
}

TEST_CASE("OpenBLAS computes on one thread, so that its own do not get in the way of LibTorch's") {
  const auto count = [] {
    void* get = dlsym(RTLD_DEFAULT, "openblas_get_num_threads");
    return get == nullptr ? 0 : reinterpret_cast<int (*)()>(get)();
  };
  if (count() == 0) return;  // another BLAS
  choose_environment("cpu", "fp32", 2);
  CHECK(count() == 1);
}

TEST_CASE("--version names the program, its libraries, device and precision with reasons") {
  const auto result = shell(program() + " --version");
  CHECK(result.status == 0);
  for (const char* line :
       {"minibert       0.", "\nLibTorch       ", "\nHDF5           1.", "\nSentencePiece  0.",
        "\nBLAS           ", "\ndevice         c", "\nprecision      "}) {
    INFO(line);
    CHECK(contains(result.output, line));
  }
}
