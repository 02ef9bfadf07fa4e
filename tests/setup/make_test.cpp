// The commands of the Makefile, as far as they can be tried without installing or training
// anything.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <limits>

#include "support/scratch.h"
#include "support/shell.h"

using namespace minibert;

TEST_CASE("make alone lists the commands, one line each") {
  const auto result = shell("make");
  CHECK(result.status == 0);
  for (const char* command : {"experiment", "test", "unit", "compare", "bench", "soak", "format",
                              "lint", "clean", "build", "setup", "inspect", "demo", "help"}) {
    INFO(command);
    CHECK(contains(result.output, std::string("\n  make ") + command + " "));
  }
}

TEST_CASE("make experiment without a name says which experiments there are") {
  const auto result = shell("make experiment");
  INFO(result.output);
  CHECK(result.status == 2);
  CHECK(contains(result.output, "NAME=… is missing"));
  CHECK_FALSE(contains(result.output, "datasets"));
}

TEST_CASE("what a user gives is handed on as it is: neither make nor the shell runs it") {
  const testing::Scratch scratch;
  const std::string touched = scratch / "touched";
  for (const std::string& name :
       {"$$(touch " + touched + ")", "`touch " + touched + "`", "$(shell touch " + touched + ")",
        "a\"; touch " + touched + "; \"", std::string("이름 둘")})
    for (const char* command : {"experiment PROGRAM=echo NAME=", "reproduce PROGRAM=echo RUN=",
                                "inspect PROGRAM=echo RUN=", "speedrun PROGRAM=echo RUN=",
                                "compare PROGRAM=echo PROFILE="}) {
      INFO(command << name);
      const auto result = shell(std::string("make ready=@true ") + command + single_quoted(name));
      CHECK(result.status == 0);
      CHECK(contains(result.output, name));
      CHECK_FALSE(std::filesystem::exists(touched));
    }
  const auto entries = shell("make ready=@true speedrun PROGRAM=echo DATA=here");
  CHECK(contains(entries.output, "run speedrun --profile full --threads 2 --data here"));
  // As WSL has it in its environment.
  const auto unnamed = shell("NAME=DESKTOP-1 make ready=@true compare PROGRAM=echo");
  CHECK_FALSE(contains(unnamed.output, "DESKTOP-1"));
  const auto runs = shell("make ready=@true compare PROGRAM=echo RUNS=' a.h5  b.h5 '");
  CHECK(contains(runs.output, "--runs a.h5,b.h5"));
}

TEST_CASE("a card that Debian's LibTorch leaves unused is named with the command that uses it") {
  const testing::Scratch dir;
  std::filesystem::create_directories(dir / "nvidia/gpus/0000:01:00.0");
  dir.write("nvidia/gpus/0000:01:00.0/information", "Model: \t\t NVIDIA H100\nIRQ:   \t\t 42\n");
  const std::string see =
      "DRIVER=" + single_quoted(dir / "nvidia") + " NAME=mine .setup/see_gpu.sh";
  const auto seen = shell("TORCH=debian " + see);
  CHECK(seen.status == 0);
  CHECK(seen.output ==
        "NVIDIA H100 is here, and Debian's LibTorch cannot use it. "
        "To train on it: make experiment TORCH=cuda NAME=mine\n");
  CHECK(shell("TORCH=cuda " + see).output.empty());
  // As on WSL, where only the program tells.
  dir.script("bin/nvidia-smi", "echo NVIDIA RTX 4070");
  const std::string path = "PATH=" + single_quoted(dir / "bin") + ":$PATH ";
  CHECK(contains(shell(path + "DRIVER=/nowhere .setup/see_gpu.sh").output,
                 "NVIDIA RTX 4070 is here"));
  dir.script("bin/nvidia-smi", "exit 9");
  const auto none = shell(path + "DRIVER=/nowhere .setup/see_gpu.sh");
  CHECK(none.status == 0);
  CHECK(none.output.empty());
}

TEST_CASE("a TORCH that is nowhere is refused before anything is configured") {
  const auto result = shell("TORCH=/nowhere/torch PRESET=release .setup/build.sh minibert");
  CHECK(result.status == 2);
  CHECK(contains(result.output, "found '/nowhere/torch', expected debian, cuda, python"));
}

TEST_CASE(
    "a second build configures nothing, compiles nothing and takes under two seconds of the "
    "processor") {
  const char* program = std::getenv("MINIBERT_PROGRAM");
  REQUIRE(program != nullptr);
  const auto build = std::filesystem::absolute("build");
  if (std::filesystem::path(program).parent_path() != build ||
      !std::filesystem::exists(build / ".configured-with")) {
    WARN("not checked: these tests do not run from make's own build folder");
    return;
  }
  const auto build_file = build / "build.ninja";
  shell(".setup/build.sh minibert");
  const auto configured = std::filesystem::last_write_time(build_file);
  const auto linked = std::filesystem::last_write_time(program);
  double fastest = std::numeric_limits<double>::max();
  for (int i = 0; i < 3; ++i) {
    const auto result = shell(".setup/packages.sh engine core && .setup/build.sh minibert");
    fastest = std::min(fastest, result.cpu_seconds);
    INFO(result.output);
    CHECK(result.status == 0);
  }
  CHECK(std::filesystem::last_write_time(build_file) == configured);
  CHECK(std::filesystem::last_write_time(program) == linked);
  CHECK(fastest < 2.0);
}
