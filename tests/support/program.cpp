#include "support/program.h"

#include <sys/wait.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>

#include "core/files.h"
#include "support/scratch.h"

namespace minibert::testing {

ProgramResult run_program(const std::string& arguments, const std::string& input) {
  const char* program = std::getenv("MINIBERT_PROGRAM");
  REQUIRE(program != nullptr);
  const Scratch scratch;
  write_bytes(scratch / "in", input);
  const std::string command = std::string(program) + " " + arguments + " <" + scratch / "in" +
                              " >" + scratch / "out" + " 2>" + scratch / "err";
  const int status = std::system(command.c_str());
  REQUIRE(WIFEXITED(status));
  return {WEXITSTATUS(status), read_file(scratch / "out"), read_file(scratch / "err")};
}

void check_refused(const std::string& arguments, const std::string& message) {
  const ProgramResult result = run_program(arguments);
  INFO(result.err);
  CHECK(result.status == 2);
  CHECK(result.out.empty());
  CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 1);
  CHECK_THAT(result.err, Catch::StartsWith("minibert: ") && Catch::Contains(message));
}

}  // namespace minibert::testing
