// No test runs the benchmarks, so what they name in results/ could go away unnoticed.
#include <catch2/catch.hpp>
#include <filesystem>
#include <regex>

#include "core/files.h"

namespace minibert {
namespace {

namespace fs = std::filesystem;

TEST_CASE("the records that benchmarks name are in results") {
  const std::regex path("results/[a-z0-9_]+/[a-z0-9_.-]+(/[a-z0-9_.-]+)*");
  int named = 0;
  for (fs::recursive_directory_iterator it("tests/bench"), end; it != end; ++it) {
    if (it->path().filename() == "node_modules") it.disable_recursion_pending();
    if (!it->is_regular_file()) continue;
    const std::string text = read_file(it->path().string());
    for (std::sregex_iterator found(text.begin(), text.end(), path), none; found != none; ++found) {
      INFO(it->path().string() << ": " << found->str());
      CHECK(fs::exists(found->str()));
      ++named;
    }
  }
  CHECK(named > 0);
}

}  // namespace
}  // namespace minibert
