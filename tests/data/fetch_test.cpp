// Downloads from a web server on this machine.
#include <catch2/catch.hpp>
#include <cstdlib>

#include "core/sha256.h"
#include "record/scratch.h"
#include "setup/shell.h"

using namespace minibert;
using namespace minibert::testing;
using Catch::Matchers::Contains;

namespace {

std::string program() { return single_quoted(std::getenv("MINIBERT_PROGRAM")); }

}  // namespace

TEST_CASE("without a server fetch says so, does not hang and keeps nothing") {
  const Scratch scratch;
  // Port 9 (discard) has no listener here.
  const ShellResult result = shell("timeout 120 " + program() +
                                   " data fetch korquad-v1 --url http://127.0.0.1:9/ --data " +
                                   single_quoted(scratch.path()));
  INFO(result.output);
  CHECK_THAT(result.output, Contains("127.0.0.1:9"));
  CHECK(result.status == 1);
}

TEST_CASE("a download with a wrong checksum is refused and not kept under its name") {
  const Scratch scratch;
  write_bytes(scratch / "klue-ner-v1.1_dev.tsv", "{}");
  const ShellResult result =
      shell("cd " + single_quoted(scratch.path()) +
            " && { python3 -u -m http.server 0 --bind 127.0.0.1 > log 2>&1 & pid=$!; } && "
            "for i in $(seq 100); do grep -q 'port' log && break; sleep 0.1; done; "
            "port=$(grep -o 'port [0-9]*' log | head -1 | cut -d' ' -f2); cd - >/dev/null; " +
            program() + " data fetch klue-ner --url http://127.0.0.1:$port/ --data " +
            single_quoted(scratch / "data") + "; status=$?; kill $pid; echo status $status");
  INFO(result.output);
  CHECK_THAT(result.output, Contains("status 1") && Contains("klue-ner-v1.1_dev.tsv"));
  CHECK(shell("ls " + single_quoted(scratch / "data/klue-ner/klue-ner-v1.1_dev.tsv")).status != 0);
}

TEST_CASE("a real file comes over, also after an interruption") {
  const char* data = std::getenv("MINIBERT_DATA");
  if (data == nullptr) return;
  const Scratch scratch;
  const std::string source = std::string(data) + "/klue-ner/klue-ner-v1.1_dev.tsv";
  const std::string target = scratch / "data/klue-ner/klue-ner-v1.1_dev.tsv";
  const ShellResult result = shell(
      "cp " + single_quoted(source) + " " + single_quoted(scratch.path()) + " && mkdir -p " +
      single_quoted(scratch / "data/klue-ner") + " && head -c 1000000 " + single_quoted(source) +
      " > " + single_quoted(target + ".part") + " && cd " + single_quoted(scratch.path()) +
      " && { python3 -u -m http.server 0 --bind 127.0.0.1 > log 2>&1 & pid=$!; } && "
      "for i in $(seq 100); do grep -q 'port' log && break; sleep 0.1; done; "
      "port=$(grep -o 'port [0-9]*' log | head -1 | cut -d' ' -f2); cd - >/dev/null; " +
      program() + " data fetch klue-ner --url http://127.0.0.1:$port/ --data " +
      single_quoted(scratch / "data") + "; status=$?; kill $pid; echo status $status");
  INFO(result.output);
  CHECK_THAT(result.output, Contains("status 0"));
  CHECK(sha256_file(target) == sha256_file(source));
}
