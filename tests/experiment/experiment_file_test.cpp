// Experiment files that start from another: what they say together, and what is no chain of files.
#include "experiment/experiment_file.h"

#include <catch2/catch.hpp>
#include <filesystem>

#include "core/error.h"
#include "support/scratch.h"

namespace minibert {
namespace {

using Catch::Matchers::Contains;
using nlohmann::json;
using testing::Scratch;
using testing::write_bytes;

struct Folder {
  Scratch scratch;
  Folder& with(const std::string& name, const json& text) {
    const std::string path = scratch / name;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    write_bytes(path, text.dump());
    return *this;
  }
  json read(const std::string& name, const std::string& profile = "quick") const {
    return merged(read_with_bases(scratch / name), profile);
  }
};

const json kBase = {{"seeds", {1, 2}},
                    {"features", {{"max_length", 64}, {"train_limit", 10}}},
                    {"arms",
                     {{{"name", "a"}, {"train", {{"epochs", 3}, {"warmup", 0.1}}}},
                      {{"name", "b"}, {"train", {{"epochs", 4}}}}}},
                    {"profiles",
                     {{"full", json::object()},
                      {"quick", {{"arms", {{{"name", "a"}, {"train", {{"epochs", 1}}}}}}}}}}};

TEST_CASE("a file changes what it extends, arms by name, and null removes a key") {
  Folder folder;
  folder.with("base/common.json", kBase)
      .with("mine.json", {{"extends", "base/common"},
                          {"title", "mine"},
                          {"seeds", {7}},
                          {"features", {{"train_limit", nullptr}, {"max_length", 96}}},
                          {"arms",
                           {{{"name", "b"}, {"train", {{"epochs", 9}}}},
                            {{"name", "c"}, {"train", json::object()}}}}});
  const json expected = {{"title", "mine"},
                         {"seeds", {7}},
                         {"features", {{"max_length", 96}}},
                         {"arms",
                          {{{"name", "a"}, {"train", {{"epochs", 3}, {"warmup", 0.1}}}},
                           {{"name", "b"}, {"train", {{"epochs", 9}}}},
                           {{"name", "c"}, {"train", json::object()}}}}};
  CHECK(folder.read("mine.json", "full") == expected);
  CHECK(folder.read("mine.json")["arms"][0]["train"] == json({{"epochs", 1}, {"warmup", 0.1}}));
}

TEST_CASE("profiles of a chain of files are applied in its order, and null takes one back") {
  Folder folder;
  folder.with("common.json", kBase)
      .with("middle.json", {{"extends", "common.json"},
                            {"profiles",
                             {{"quick", {{"arms", {{{"name", "b"}, {"train", {{"epochs", 2}}}}}}}},
                              {"full", nullptr}}}})
      .with("mine.json", {{"extends", "middle"}, {"profiles", {{"slow", {{"features", nullptr}}}}}})
      .with("again.json", {{"extends", "middle"}, {"profiles", {{"full", {{"seeds", {5}}}}}}});
  CHECK(profile_names(read_with_bases(folder.scratch / "mine.json")) ==
        std::vector<std::string>{"quick", "slow"});
  const json quick = folder.read("mine.json");
  CHECK(quick["arms"][0]["train"]["epochs"] == 1);
  CHECK(quick["arms"][1]["train"]["epochs"] == 2);
  CHECK_FALSE(folder.read("mine.json", "slow").contains("features"));
  CHECK(folder.read("again.json", "full")["seeds"] == json({5}));
  CHECK_THROWS_WITH(folder.read("mine.json", "full"),
                    Contains("mine.json: profile: found \"full\", expected one of: quick, slow"));
  folder.with("mine.json",
              {{"extends", "common"}, {"profiles", {{"quick", {{"arms", {{{"name", "c"}}}}}}}}});
  CHECK_THROWS_WITH(folder.read("mine.json"),
                    Contains("mine.json: profiles.quick.arms: there is no \"c\" to change"));
}

TEST_CASE("a name is not inherited, as runs are kept under it") {
  Folder folder;
  json named = kBase;
  named["name"] = "common";
  folder.with("common.json", named).with("mine.json", {{"extends", "common"}});
  CHECK_FALSE(folder.read("mine.json").contains("name"));
  folder.with("mine.json", {{"extends", "common"}, {"name", "mine"}});
  CHECK(folder.read("mine.json")["name"] == "mine");
}

TEST_CASE("an experiment is extended by its name from anywhere") {
  Folder folder;
  folder.with("mine.json", {{"extends", "kobest_wic"}, {"title", "mine"}});
  const std::vector<ExperimentFile> files = read_with_bases(folder.scratch / "mine.json");
  REQUIRE(files.size() == 3);
  CHECK(files[0].path == "experiments/base/finetune.json");
  CHECK(files[1].path == "experiments/kobest_wic.json");
}

TEST_CASE("what is no chain of files gets one line that names the file") {
  Folder folder;
  folder.with("common.json", kBase).with("mine.json", {{"extends", "comon"}});
  CHECK_THROWS_WITH(folder.read("mine.json"),
                    Contains("mine.json: extends: found \"comon\", expected the path of a file") &&
                        Contains("did you mean \"common\"?"));
  folder.with("mine.json", {{"extends", 3}});
  CHECK_THROWS_WITH(folder.read("mine.json"),
                    Contains("mine.json: extends: found 3, expected a string"));
  folder.with("list.json", json::array()).with("mine.json", {{"extends", "list"}});
  CHECK_THROWS_WITH(folder.read("mine.json"), Contains("list.json: expected an object"));
  folder.with("mine.json", {{"extends", "mine"}});
  CHECK_THROWS_WITH(folder.read("mine.json"), Contains("mine.json: extends: found a circle: ") &&
                                                  Contains("mine.json -> ") &&
                                                  !Contains("common.json"));
  folder.with("a.json", {{"extends", "./b"}}).with("b.json", {{"extends", "a"}});
  folder.with("mine.json", {{"extends", "a"}});
  CHECK_THROWS_WITH(
      folder.read("mine.json"),
      Contains("b.json: extends: found a circle: " + (folder.scratch / "a.json") + " -> ") &&
          !Contains("mine.json"));
}

}  // namespace
}  // namespace minibert
