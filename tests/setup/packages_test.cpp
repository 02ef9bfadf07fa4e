// .setup/packages.sh on machines that are played by stand-ins for dpkg-query, apt-get and id.
#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>

#include "support/scratch.h"
#include "support/shell.h"

namespace {

using namespace minibert;

// A machine with the packages `installed`; apt-get writes down what it is asked.
class Machine {
 public:
  Machine(const std::string& installed, bool root) {
    dir_.script("bin/dpkg-query", "installed=' " + installed + " '\n" +
                                      R"(for name in "${@:3}"; do
  if [[ "$installed" == *" $name "* ]]; then printf '%s=installed ' "$name"; fi
done)");
    dir_.script("bin/apt-get", "echo \"$*\" >>" + single_quoted(dir_ / "apt"));
    dir_.script("bin/id", root ? "echo 0" : "echo 1000");
  }

  void apt_fails() {
    dir_.script("bin/apt-get", "echo 'E: Unable to locate package' >&2; exit 100");
  }
  ShellResult packages(const std::string& groups) const {
    return shell("PATH=" + single_quoted(dir_ / "bin") + ":$PATH .setup/packages.sh " + groups);
  }
  std::string apt_calls() const { return dir_.read("apt"); }

 private:
  testing::Scratch dir_;
};

// All packages of the groups, as the list names them.
std::string listed(const std::string& groups) {
  return shell("awk -F'|' -v groups=' " + groups +
               " ' '{name = $1; gsub(/ /, \"\", name)} index(groups, \" \" name \" \") "
               "{printf \"%s \", $3}' .setup/packages.txt")
      .output;
}

std::string without(std::string names, const std::string& name) {
  const auto at = names.find(" " + name + " ");
  REQUIRE(at != std::string::npos);
  return names.erase(at, name.size() + 1);
}

}  // namespace

TEST_CASE("with every package there, set-up says nothing, installs nothing and takes no time") {
  const Machine machine(listed("core torch"), /*root=*/true);
  double fastest = std::numeric_limits<double>::max();
  for (int i = 0; i < 3; ++i) {
    const auto result = machine.packages("core torch");
    fastest = std::min(fastest, result.cpu_seconds);
    CHECK(result.status == 0);
    CHECK(result.output.empty());
  }
  CHECK(machine.apt_calls().empty());
  CHECK(fastest < 0.5);
}

TEST_CASE("as root only what is missing is installed, and the reason is said") {
  const Machine machine(without(listed("core torch"), "libhdf5-dev"), /*root=*/true);
  const auto result = machine.packages("core torch");
  INFO(result.output);
  CHECK(result.status == 0);
  CHECK(contains(result.output, "run records (HDF5): libhdf5-dev"));
  CHECK(contains(machine.apt_calls(), "update"));
  CHECK(contains(machine.apt_calls(), "--no-install-recommends libhdf5-dev\n"));
  CHECK_FALSE(contains(machine.apt_calls(), "libtorch-dev"));
}

TEST_CASE("without root the one line to run is printed and nothing is tried") {
  const auto names = without(without(listed("core torch"), "libhdf5-dev"), "libopenblas0-pthread");
  const Machine machine(names, /*root=*/false);
  const auto result = machine.packages("core torch");
  INFO(result.output);
  CHECK(result.status == 1);
  CHECK(contains(result.output,
                 "sudo apt-get update && sudo apt-get install -y --no-install-recommends "
                 "libhdf5-dev libopenblas0-pthread\n"));
  CHECK(machine.apt_calls().empty());
}

TEST_CASE("a group that was not asked for is not installed") {
  const Machine machine(listed("core"), /*root=*/false);
  CHECK(machine.packages("core").status == 0);
  CHECK(machine.packages("core torch").status == 1);
}

TEST_CASE("when apt-get fails, so does set-up, naming the packages") {
  Machine machine(without(listed("core"), "libhdf5-dev"), /*root=*/true);
  machine.apt_fails();
  const auto result = machine.packages("core");
  CHECK(result.status == 1);
  CHECK(contains(result.output, "apt-get could not install libhdf5-dev"));
}

TEST_CASE("an unknown group of packages is refused by name") {
  const auto result = Machine("", /*root=*/true).packages("core tools");
  CHECK(result.status == 2);
  CHECK(contains(result.output, "found group 'tools'"));
}

TEST_CASE("where there is no dpkg the libraries are named and set-up goes on") {
  const testing::Scratch dir;
  dir.script("bin/dirname", "/usr/bin/dirname \"$@\"");
  const auto result = shell("PATH=" + single_quoted(dir / "bin") +
                            " MINIBERT_BUILD=/nowhere /bin/bash .setup/packages.sh core torch");
  INFO(result.output);
  CHECK(result.status == 0);
  CHECK(contains(result.output, "run records (HDF5): libhdf5-dev"));
  CHECK(contains(result.output, "libtorch-dev"));
}

TEST_CASE("reports and the wheel ask for no compiler of pages") {
  for (const char* target : {"report", "wheel"}) {
    INFO(target);
    const auto told = shell(std::string("make -n ") + target);
    CHECK(told.status == 0);
    const size_t line = told.output.find(".setup/packages.sh");
    REQUIRE(line != std::string::npos);
    CHECK_FALSE(contains(told.output.substr(line, told.output.find('\n', line) - line), " page"));
  }
}

TEST_CASE("the list names the fast BLAS beside LibTorch") {
  CHECK(contains(listed("torch"), "libopenblas0-pthread"));
}

TEST_CASE(
    "what the program is made of is told as SPDX, its own version and pinned sources included") {
  const auto told = shell(
      ".setup/sbom.py | python3 -c '"
      R"(
import json, re, sys
document = json.load(sys.stdin)
assert document["spdxVersion"] == "SPDX-2.3"
assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", document["creationInfo"]["created"])
ids = [one["SPDXID"] for one in document["packages"]]
assert len(ids) == len(set(ids))
assert all(one["relatedSpdxElement"] in ids for one in document["relationships"])
print(*sorted(one["name"] for one in document["packages"] if "SPDXRef-source-" in one["SPDXID"]))
)"
      "'");
  CHECK(told.output == "imgui qrcodegen sentencepiece\n");
}
