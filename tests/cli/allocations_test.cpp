// The commands that read records of others, in a world where one allocation fails: tests/cli/failing_allocations.cpp.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "core/files.h"
#include "record/run_record.h"
#include "support/sample_record.h"
#include "support/scratch.h"
#include "support/shell.h"

namespace minibert {
namespace {

using testing::sample_record;
using testing::Scratch;

RunRecord finished(const std::string& arm, double f1) {
  RunRecord record = sample_record();
  record.status = "finished";
  record.finished = "2026-11-20T22:40:00Z";
  record.arm = arm;
  record.resume.reset();
  record.metrics["train/loss"].value.back() = 7;
  record.metrics.erase("dev/never");
  record.data["tokenizer_sha256"] = sha256_hex(record.tokenizer_model);
  record.predictions->numbers["f1"] = {f1, f1, f1};
  record.summary["f1"] = 100 * f1;
  return record;
}

}  // namespace

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_CASE("whatever allocation fails, verify, inspect and compare say so in a line, or are right") {
  const Scratch scratch;
  save_record(finished("bert", 0.75), scratch / "bert.h5");
  save_record(finished("lstm", 0.25), scratch / "lstm.h5");
  const std::string one = scratch / "bert.h5", two = one + " " + scratch / "lstm.h5";
  struct Case {
    std::string arguments;
    int every;  // so many allocations: a dozen tries or more
  };
  const std::string other = scratch / "lstm.h5";
  const Case cases[] = {
      {"verify " + two, 211},
      {"inspect " + one, 211},
      {"inspect --json " + one, 211},
      {"inspect --predictions " + one, 211},
      {"compare --runs " + one + "," + other, 977},
      {"compare --format json --runs " + one + "," + other, 977},
      {"query --runs " + one + "," + other + " 'SELECT arm, f1 FROM runs'", 977},
  };
  const std::string program = std::getenv("MINIBERT_PROGRAM");
  const auto library = std::filesystem::path(program).parent_path() / "libfailing_allocations.so";
  const std::string record = read_file(one);
  for (const Case& c : cases) {
    const int every = std::getenv("MINIBERT_EVERY_PLACE") != nullptr ? 0 : c.every;
    const ShellResult result =
        shell("env LD_PRELOAD=" + library.string() + " FAIL_IN=" + scratch.path() +
              " FAIL_EVERY=" + std::to_string(every) + " " + program + " " + c.arguments);
    INFO(c.arguments);
    INFO(result.output);
    CHECK(result.status == 0);
    CHECK_THAT(result.output, Catch::Contains("faults 0"));
    CHECK_FALSE(contains(result.output, "refused 0,"));
    CHECK_FALSE(contains(result.output, "whole 0,"));  // else the command is wrong itself
    CHECK((read_file(one) == record));
  }
}
#endif

}  // namespace minibert
