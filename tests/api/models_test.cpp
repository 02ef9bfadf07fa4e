// The models of the tree are what the records give.
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "core/files.h"
#include "support/program.h"
#include "support/scratch.h"

namespace {

using minibert::read_file;
using minibert::testing::run_program;
using minibert::testing::Scratch;

}  // namespace

TEST_CASE("every model of the tree is the export of its record") {  // else: make models
  const Scratch scratch;
  std::set<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator("wasm_demo/models"))
    if (entry.path().extension() == ".mbq") files.insert(entry.path().filename().string());
  const auto models = nlohmann::json::parse(read_file("wasm_demo/models.json")).at("models");
  for (const auto& model : models) {
    const std::string name = model.at("id").get<std::string>() + ".mbq";
    if (files.erase(name) == 0) continue;
    INFO(name);
    CHECK(model.at("weights") == "int8");
    const auto exported =
        run_program("export --no-check --run " + model.at("run").get<std::string>() + " --out " +
                    (scratch / name));
    CHECK(exported.status == 0);
    CHECK((read_file(scratch / name) == read_file("wasm_demo/models/" + name)));
  }
  CHECK(files.empty());
}
