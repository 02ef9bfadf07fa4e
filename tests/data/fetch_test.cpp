// Downloads from a web server on this machine.
#include "data/fetch.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/sha256.h"
#include "support/program.h"
#include "support/scratch.h"
#include "support/shell.h"

using namespace minibert;
using namespace minibert::testing;
using Catch::Matchers::Contains;

namespace {

// Fetches the set into scratch/data from a web server that has what lies in the scratch folder. The
// output ends with "status N". `registry`: a folder that has experiments/datasets.json.
ShellResult fetch_from(const Scratch& scratch, const std::string& id,
                       const std::string& registry = ".") {
  return shell("program=$(realpath " + program() + "); cd " + single_quoted(scratch.path()) +
               // The log of a server before has another port.
               " && rm -f log && { python3 -u -m http.server 0 --bind 127.0.0.1 > log 2>&1 & "
               "pid=$!; } && "
               "for i in $(seq 600); do grep -qs 'port' log && break; sleep 0.1; done; "
               "port=$(grep -o 'port [0-9]*' log | head -1 | cut -d' ' -f2); cd - >/dev/null; cd " +
               single_quoted(registry) + "; MINIBERT_DATA=" + single_quoted(scratch / "data") +
               " $program data fetch " + id +
               " --url http://127.0.0.1:$port/; status=$?; kill $pid; echo status $status");
}

bool is_there(const std::string& path) { return shell("ls " + single_quoted(path)).status == 0; }

}  // namespace

TEST_CASE("an experiment without a network goes on with the next data set, and says why") {
  const Scratch scratch;
  const Registry registry = Registry::load("experiments/datasets.json");
  FetchOptions nowhere;
  nowhere.url = "http://127.0.0.1:9/";
  const ResolvedData data = choose(registry, {"korquad-v1", "kowiki", "korquad-v1-dev-split"},
                                   scratch.path(), automatic_fetcher(registry, nowhere));
  CHECK(data.set.id == "korquad-v1-dev-split");
  CHECK_THAT(data.choice, Contains("data: korquad-v1-dev-split (korquad-v1: ") &&
                              Contains(" not found, not fetched: ") && Contains("kowiki: ") &&
                              Contains("not fetched either"));
}

TEST_CASE("without a server fetch says so, does not hang and keeps nothing") {
  const Scratch scratch;
  // Port 9 (discard) has no listener here.
  const ShellResult result =
      shell("MINIBERT_DATA=" + single_quoted(scratch.path()) + " timeout 120 " + program() +
            " data fetch korquad-v1 --url http://127.0.0.1:9/");
  INFO(result.output);
  CHECK_THAT(result.output, Contains("127.0.0.1:9"));
  CHECK(result.status == 1);
}

TEST_CASE("a download with a wrong checksum is refused and not kept under its name") {
  const Scratch scratch;
  write_bytes(scratch / "klue-ner-v1.1_dev.tsv", "{}");
  const ShellResult result = fetch_from(scratch, "klue-ner");
  INFO(result.output);
  CHECK_THAT(result.output, Contains("status 1") && Contains("klue-ner-v1.1_dev.tsv"));
  CHECK_FALSE(is_there(scratch / "data/klue-ner/klue-ner-v1.1_dev.tsv"));
}

TEST_CASE("a real file comes over, also after an interruption") {
  const char* data = std::getenv("MINIBERT_DATA");
  if (data == nullptr) return;
  const Scratch scratch;
  const std::string source = std::string(data) + "/klue-ner/klue-ner-v1.1_dev.tsv";
  const std::string target = scratch / "data/klue-ner/klue-ner-v1.1_dev.tsv";
  REQUIRE(shell("cp " + single_quoted(source) + " " + single_quoted(scratch.path()) +
                " && mkdir -p " + single_quoted(scratch / "data/klue-ner") +
                " && head -c 1000000 " + single_quoted(source) + " > " +
                single_quoted(target + ".part"))
              .status == 0);
  const ShellResult result = fetch_from(scratch, "klue-ner");
  INFO(result.output);
  CHECK_THAT(result.output, Contains("status 0"));
  CHECK(sha256_file(target) == sha256_file(source));
}

TEST_CASE("a part of an older dump is not gone on with into a wrong file") {
  const Scratch scratch;
  const std::string name = "kowiki-latest-pages-articles.xml.bz2";
  const std::string target = scratch / ("data/kowiki-dump/" + name);
  write_bytes(scratch / name, std::string(200, 'x'));
  REQUIRE(shell("mkdir -p " + single_quoted(scratch / "data/kowiki-dump") + " && printf older > " +
                single_quoted(target + ".part"))
              .status == 0);
  const ShellResult result = fetch_from(scratch, "kowiki-dump");
  INFO(result.output);
  CHECK_THAT(result.output, Contains("unverified: " + name) && Contains("status 0"));
  CHECK(sha256_file(target) == sha256_hex(std::string(200, 'x')));
}

TEST_CASE(
    "files that are published in an archive are taken out of it, which is checked and not kept") {
  const Scratch scratch;
  const std::string folder = scratch / "registry", data = scratch / "data/letters/";
  REQUIRE(shell("cd " + single_quoted(scratch.path()) +
                " && mkdir -p registry/experiments && python3 -c 'import zipfile\n"
                "with zipfile.ZipFile(\"letters.zip\", \"w\", zipfile.ZIP_DEFLATED) as z:\n"
                "  z.writestr(\"v1/a.raw\", \"a\" * 5000)\n"
                "  z.writestr(\"v1/b.raw\", \"b\", zipfile.ZIP_STORED)'")
              .status == 0);
  nlohmann::json registry = {
      {"version", 1},
      {"datasets",
       {{{"id", "letters"},
         {"title", "Letters"},
         {"folder", "letters"},
         {"licence", "CC0"},
         {"citation", "none"},
         {"files",
          {{{"name", "a.txt"}, {"kind", "text"}, {"split", "train"}, {"member", "v1/a.raw"}},
           {{"name", "b.txt"}, {"kind", "text"}, {"split", "dev"}, {"member", "v1/b.raw"}}}},
         {"archive",
          {{"url", "https://example.org/letters.zip"},
           {"bytes", std::filesystem::file_size(scratch / "letters.zip")},
           {"sha256", sha256_file(scratch / "letters.zip")}}}}}}};
  const auto fetched = [&] {
    write_bytes(folder + "/experiments/datasets.json", registry.dump());
    const ShellResult result = fetch_from(scratch, "letters", folder);
    CHECK_FALSE(is_there(data + "letters.zip"));
    return result.output;
  };
  nlohmann::json& set = registry["datasets"][0];

  const nlohmann::json right = set;
  set["archive"]["sha256"] = std::string(64, '0');
  const std::string wrong_sum = fetched();
  INFO(wrong_sum);
  CHECK_THAT(wrong_sum, Contains("letters.zip: found SHA-256 ") && Contains("status 1"));
  CHECK_FALSE(is_there(data + "a.txt"));

  set = right;
  set["files"][1]["member"] = "v1/c.raw";
  const std::string no_member = fetched();
  INFO(no_member);
  CHECK_THAT(no_member, Contains("letters.zip: has no v1/c.raw, expected the archive of letters") &&
                            Contains("status 1"));

  set = right;
  const std::string good = fetched();
  INFO(good);
  CHECK_THAT(good, Contains("status 0") && Contains("a download's archive is compared"));
  CHECK(sha256_file(data + "a.txt") == sha256_hex(std::string(5000, 'a')));
  CHECK(sha256_file(data + "b.txt") == sha256_hex("b"));
}
