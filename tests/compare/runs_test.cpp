// Where stored runs are found, and which of them stand in a row.
#include "compare/runs.h"

#include <catch2/catch.hpp>
#include <filesystem>

#include "compare/compare.h"
#include "compare/sample_runs.h"
#include "compare/sides.h"
#include "support/message.h"

namespace minibert {
namespace {

using testing::add_two_arms;
using testing::Experiment;
using testing::finished_run;
using testing::message_of;

// Everybody's run of one arm and seed in one folder; the last one was the first to start.
void add_class(Experiment& e) {
  for (const int student : {1, 2, 3}) {
    RunRecord record = finished_run("bert", 1, {1, 0}, {1, 0.25});
    record.started = "2026-11-20T22:0" + std::to_string(4 - student) + ":00Z";
    record.summary["f1"] = 10 * student;
    save_record(record,
                e.paths.emplace_back(e.scratch / ("학생" + std::to_string(student) + ".h5")));
  }
}

std::vector<std::string> labels_of(const Sides& sides) {
  std::vector<std::string> out;
  for (const Side& side : sides.all) out.push_back(side.names.label);
  return out;
}

TEST_CASE("each of several people's runs is a row by its file") {
  Experiment e;
  add_class(e);
  for (const bool found : {true, false}) {
    const Sides sides = load_sides(e.paths, {.runs_were_found = found, .group_by = {"file"}});
    CHECK(labels_of(sides) == std::vector<std::string>{"file=학생3", "file=학생2", "file=학생1"});
    CHECK(sides.all.at(1).summaries.at(0).at("f1") == 20);
    CHECK(sides.all.at(2).summaries.at(0).at("f1") == 10);
  }
  CHECK_THAT(message_of([&] { load_sides(e.paths, {}); }),
             Catch::Contains("both are seed 1 of arm 'bert'") &&
                 Catch::EndsWith("; --group-by file makes a row of each"));
}

TEST_CASE("rows by folder or file are of one folder or file, whatever others have its name") {
  Experiment e;
  const auto add = [&](const std::string& folder) {
    for (const int64_t seed : {1, 2}) {
      e.paths.push_back(e.scratch / (folder + "/bert-s" + std::to_string(seed) + ".h5"));
      std::filesystem::create_directories(e.scratch / folder);
      save_record(finished_run("bert", seed, {1, 0}, {1, 0.25}), e.paths.back());
    }
  };
  SECTION("of experiments' folders") {
    add("학생1/quick");
    add("학생2/quick");
    CHECK(labels_of(load_sides(e.paths, {.group_by = {"folder"}})) ==
          std::vector<std::string>{"folder=학생1", "folder=학생2"});
  }
  SECTION("of folders in one folder") {
    add("class/학생1");
    add("class/학생2");
    const std::string all = std::filesystem::path(e.scratch / "class").lexically_normal().string();
    const Sides folders = load_sides(e.paths, {.group_by = {"folder"}});
    CHECK(labels_of(folders) ==
          std::vector<std::string>{"folder=" + all + "/학생1", "folder=" + all + "/학생2"});
    CHECK(folders.all.at(1).names.seeds == std::vector<int64_t>{1, 2});
    const Sides files = load_sides(e.paths, {.group_by = {"file"}});
    REQUIRE(files.all.size() == 4);
    CHECK(files.all[3].names.label == "file=" + all + "/학생2/bert-s2");
  }
}

TEST_CASE("one's own runs are found, apart from shipped ones of the same experiment") {
  Experiment e;
  const std::string results = e.scratch / "results", name = "korquad_lstm_vs_bert";
  add_two_arms(e);
  const std::vector<std::string> shipped = e.paths;
  std::vector<std::vector<std::string>> own;
  for (const std::string& experiment : {name, std::string("nsmc")}) {
    RunRecord record = finished_run("bert", 1, {1, 0}, {1, 0.25});
    record.experiment = experiment;
    own.push_back({record_path(results + "/own", experiment, "quick", "bert", 1)});
    save_record(record, own.back()[0]);
  }
  CHECK(find_runs(results, "", "") ==
        std::vector<std::vector<std::string>>{shipped, own[0], own[1]});
  CHECK(find_runs(results, name, "") == std::vector<std::vector<std::string>>{shipped, own[0]});
  CHECK(find_runs(results, "nsmc", "quick") == std::vector<std::vector<std::string>>{own[1]});
  CHECK(message_of([&] { find_runs(results, "own", ""); }) ==
        results + ": no runs of experiment 'own'; it has korquad_lstm_vs_bert, nsmc");
  // A profile is its folder's name.
  std::filesystem::rename(results + "/" + name + "/quick", results + "/" + name + "/quick-2-core");
  CHECK(find_runs(results, name, "quick") == std::vector<std::vector<std::string>>{own[0]});
  CHECK(find_runs(results, name, "quick-2-core").at(0).size() == shipped.size());
  CHECK(message_of([&] { find_runs(results, "", "quik"); }) ==
        results +
            ": no runs with profile 'quik'; it has quick, quick-2-core (did you mean 'quick'?)");
}

TEST_CASE("a record or a folder in the place of an experiment's name is told from it") {
  Experiment e;
  const std::string results = e.scratch / "results";
  add_two_arms(e);
  const std::string record = e.paths.front(), folder = results + "/korquad_lstm_vs_bert/quick";
  const auto refused = [&](const std::string& path) {
    return message_of([&] { find_runs(results, path, ""); });
  };
  const std::string way = ", expected an experiment's name; records are compared by --runs ";
  CHECK(refused(record) == "EXPERIMENT: found " + record + way + record);
  CHECK(refused(folder) == "EXPERIMENT: found " + folder + way + folder + "/*.h5");
}

}  // namespace
}  // namespace minibert
