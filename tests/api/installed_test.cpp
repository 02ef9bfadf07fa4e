// The engine installed, and used from outside by find_package and by pkg-config.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "support/program.h"
#include "support/scratch.h"
#include "support/shell.h"

namespace {

using minibert::shell;
using minibert::single_quoted;
using minibert::testing::Scratch;

constexpr const char* kAsked =
    " wasm_demo/models/everyday-1m.mbq '제2차 세계 [MASK]은 1945년에 끝났다.'";

void check_guesses(const std::string& output) {
  INFO(output);
  const auto result = nlohmann::json::parse(output, nullptr, false);
  REQUIRE(result.is_object());
  CHECK(result.at("masks")[0].at("guesses")[0].at("text") == "대전");
}

}  // namespace

TEST_CASE(
    "a program outside the repository finds the installed engine, by CMake and by pkg-config") {
  const Scratch scratch;
  const std::string prefix = scratch / "prefix";
  const auto installed = shell("cmake --install " + single_quoted(MINIBERT_BUILD "/lib/api") +
                               " --prefix " + single_quoted(prefix));
  INFO(installed.output);
  REQUIRE(installed.status == 0);

  SECTION("find_package") {
    const auto built = shell("cmake -S tests/api/example -B " + single_quoted(scratch / "build") +
                             " -DCMAKE_PREFIX_PATH=" + single_quoted(prefix) +
                             " && cmake --build " + single_quoted(scratch / "build"));
    INFO(built.output);
    REQUIRE(built.status == 0);
    check_guesses(shell(single_quoted(scratch / "build/example") + kAsked).output);
    check_guesses(shell(single_quoted(scratch / "build/example_cpp") + kAsked).output);
  }
  SECTION("what the installation says, in a folder of one's own") {
    const std::string begin = "found by: ";
    const size_t at = installed.output.find(begin);
    REQUIRE(at != std::string::npos);
    const std::string said = installed.output.substr(at + begin.size());
    const std::string set = said.substr(0, said.find('\n')),
                      program = single_quoted(scratch / "program");
    const auto built = shell(set + " && cc -std=c99 tests/api/example/example.c -o " + program +
                             " $(pkg-config --cflags --libs minibert) && " + program + kAsked);
    REQUIRE(built.status == 0);
    check_guesses(built.output);
  }
  SECTION("pkg-config, and the program beside the library") {
    const auto built = shell(
        "cd " + single_quoted(prefix) +
        " && export PKG_CONFIG_PATH=$(dirname $(find . -name minibert.pc)) && cp "
        "$OLDPWD/tests/api/example/example.c . && cc -std=c99 -Wall -Werror example.c -o example "
        "$(pkg-config --cflags --libs minibert) -Wl,-rpath,$(pkg-config --variable=libdir "
        "minibert)");
    INFO(built.output);
    REQUIRE(built.status == 0);
    check_guesses(shell("root=$PWD; cd " + single_quoted(prefix) + " && ./example $root/" +
                        std::string(kAsked).substr(1))
                      .output);
    check_guesses(shell(single_quoted(prefix + "/bin/minibert-ask") + " --json" + kAsked).output);
  }
}
