// `minibert export --format ro-crate`: runs to pass on.
#include <catch2/catch.hpp>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/files.h"
#include "core/sha256.h"
#include "support/edited_record.h"
#include "support/program.h"
#include "support/sample_record.h"
#include "support/scratch.h"
#include "support/shell.h"

namespace minibert {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::check_refused;
using testing::run_program;
using testing::Scratch;
using testing::write_bytes;

constexpr char kCrateRun[] = "results/nsmc_sentiment/full-1-core/bert_1m_everyday-s1.h5";

// The entities by their @id.
std::map<std::string, json> entities_of(const json& crate) {
  std::map<std::string, json> out;
  for (const json& one : crate.at("@graph")) CHECK(out.emplace(one.at("@id"), one).second);
  return out;
}

}  // namespace

TEST_CASE("a crate holds the record, its experiment and a database, each with size and sum") {
  const Scratch scratch;
  const std::string folder = scratch / "crate";
  const auto made = run_program(std::string("export --format ro-crate --run ") + kCrateRun +
                                " --out " + single_quoted(folder));
  INFO(made.err);
  REQUIRE(made.status == 0);
  const json crate = read_json(folder + "/ro-crate-metadata.json");
  const auto entities = entities_of(crate);
  std::set<std::string> told;
  for (const auto& [id, one] : entities) {
    if (one.at("@type") != "File") continue;
    CAPTURE(id);
    told.insert(id);
    CHECK(std::to_string(fs::file_size(folder + "/" + id)) == one.at("contentSize"));
    CHECK(sha256_file(folder + "/" + id) == one.at("sha256"));
  }
  const std::string record = "nsmc_sentiment/full-1-core/bert_1m_everyday-s1.h5";
  CHECK(told.contains(record));
  CHECK(told.contains("experiments/nsmc_sentiment.json"));
  CHECK(told.contains("runs.db"));
  CHECK(read_file(folder + "/" + record) == read_file(kCrateRun));
  size_t there = 0;
  for (const auto& one : fs::recursive_directory_iterator(folder)) there += one.is_regular_file();
  CHECK(there == told.size() + 1);

  // Every entity that one names is there, but for the specification.
  for (const auto& [id, one] : entities)
    for (const auto& [key, value] : one.items())
      for (const json& to : value.is_array() ? value : json::array({value}))
        if (to.is_object() && to.at("@id") != "https://w3id.org/ro/crate/1.1") {
          CAPTURE(id, key);
          CHECK(entities.contains(to.at("@id").get<std::string>()));
        }
  const json& action = entities.at("#run-" + record);
  CHECK(action.at("startTime") == "2026-11-25T23:26:20Z");
  CHECK(entities.at(action.at("instrument").at("@id").get<std::string>()).at("version") ==
        "0.2.0 (9021b7e) with local changes");
  const json& data = entities.at(action.at("object")[0].at("@id").get<std::string>());
  CHECK(data.at("license") == "CC0 1.0");
  CHECK(data.at("identifier") == "nsmc");
  CHECK_FALSE(data.at("citation").get<std::string>().empty());
  CHECK(entities.at("./").at("datePublished") == "2026-11-25");
  CHECK_FALSE((crate.dump().find("author") != std::string::npos));
  CHECK(run_program("verify " + single_quoted(folder + "/" + record)).status == 0);
}

TEST_CASE("a crate of a folder of results keeps the records' places") {
  const Scratch scratch;
  fs::create_directories(scratch / "runs/odd name/quick");
  fs::copy_file(kCrateRun, scratch / "runs/odd name/quick/a-s1.h5");
  const std::string folder = scratch / "crate";
  REQUIRE(run_program("export --format ro-crate --results " + single_quoted(scratch / "runs") +
                      " --out " + single_quoted(folder))
              .status == 0);
  CHECK(fs::exists(folder + "/odd name/quick/a-s1.h5"));
  CHECK(entities_of(read_json(folder + "/ro-crate-metadata.json"))
            .contains("odd%20name/quick/a-s1.h5"));
}

TEST_CASE("a crate leaves out what it finds and cannot read, and a named one is an error") {
  const Scratch scratch;
  fs::create_directories(scratch / "runs/e/quick");
  fs::copy_file(kCrateRun, scratch / "runs/e/quick/a-s1.h5");
  const std::string foreign = scratch / "runs/e/quick/b-s1.h5";
  write_bytes(foreign, "not a record");
  const std::string folder = scratch / "crate";
  const std::string command =
      "export --format ro-crate --results " + single_quoted(scratch / "runs") + " --out ";
  const auto made = run_program(command + single_quoted(folder));
  CHECK(made.status == 0);
  CHECK(made.err == "warning: " + foreign + ": not an HDF5 file; left out\n");
  CHECK(fs::exists(folder + "/e/quick/a-s1.h5"));
  CHECK_FALSE(fs::exists(folder + "/e/quick/b-s1.h5"));
  const auto entities = entities_of(read_json(folder + "/ro-crate-metadata.json"));
  CHECK(entities.contains("e/quick/a-s1.h5"));
  CHECK_FALSE(entities.contains("e/quick/b-s1.h5"));
  fs::remove(scratch / "runs/e/quick/a-s1.h5");
  CHECK(run_program(command + single_quoted(scratch / "none")).status == 1);
  CHECK_FALSE(fs::exists(scratch / "none"));
}

TEST_CASE("a crate holds a record whose predictions cannot be read, and with one named nothing") {
  const Scratch scratch;
  const std::string record = scratch / "runs/e/quick/a-s1.h5";
  fs::create_directories(fs::path(record).parent_path());
  save_record(testing::sample_record(), record);
  testing::unseal(record);
  testing::edit_record(record, "del f['predictions/f1']; f['predictions/f1'] = [0.5]");
  const std::string folder = scratch / "crate";
  const auto made =
      run_program("export --format ro-crate --results " + single_quoted(scratch / "runs") +
                  " --out " + single_quoted(folder));
  CHECK(made.status == 0);
  CHECK(made.err == "warning: " + record +
                        ": /predictions/f1: 1 values, expected one for each of 3 ids; its "
                        "predictions are left out\n");
  CHECK(read_file(folder + "/e/quick/a-s1.h5") == read_file(record));
  const auto refused = run_program("export --format ro-crate --run " + single_quoted(record) +
                                   " --out " + single_quoted(scratch / "none"));
  CHECK(refused.status == 1);
  CHECK_THAT(refused.err, Catch::StartsWith("minibert: " + record + ": /predictions/f1: "));
  CHECK_FALSE(fs::exists(scratch / "none"));
}

TEST_CASE("a crate tells files of one's own apart by their sums") {
  const Scratch scratch;
  fs::create_directories(scratch / "runs/e/quick");
  for (const auto& [run, digit] : std::map<std::string, char>{{"a", '1'}, {"b", '2'}, {"c", '1'}}) {
    RunRecord record = testing::sample_record();
    record.data = {{"id", "own"},
                   {"files", {{{"name", "train.tsv"}, {"sha256", std::string(64, digit)}}}}};
    save_record(record, scratch / "runs/e/quick/" + run + "-s1.h5");
  }
  const std::string folder = scratch / "crate";
  REQUIRE(run_program("export --format ro-crate --results " + single_quoted(scratch / "runs") +
                      " --out " + single_quoted(folder))
              .status == 0);
  const auto entities = entities_of(read_json(folder + "/ro-crate-metadata.json"));
  const auto data_of = [&](const std::string& run) {
    return entities.at("#run-e/quick/" + run + "-s1.h5").at("object")[0].at("@id");
  };
  CHECK(data_of("a") != data_of("b"));
  CHECK(data_of("a") == data_of("c"));
  CHECK(entities.contains(data_of("b").get<std::string>()));
}

TEST_CASE("a crate is refused where it would lose something, and writes nothing then") {
  const Scratch scratch;
  const std::string run = std::string(" --run ") + kCrateRun;
  fs::create_directories(scratch / "full");
  write_bytes(scratch / "full/x", "x");
  check_refused("export --format ro-crate --out " + single_quoted(scratch / "full") + run,
                "found something there, expected a new or an empty folder");
  write_bytes(scratch / "broken.h5", "not a record");
  CHECK(run_program("export --format ro-crate --out " + single_quoted(scratch / "new") + " --run " +
                    single_quoted(scratch / "broken.h5"))
            .status == 1);
  CHECK_FALSE(fs::exists(scratch / "new"));
}

}  // namespace minibert
