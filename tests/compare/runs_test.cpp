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

TEST_CASE(
    "other people's runs of one arm and seed are told as such, and an arm's row has the first") {
  Experiment e;
  add_class(e);
  const Sides sides = load_sides(e.paths, {.skip_damaged = true});
  REQUIRE(sides.all.size() == 1);
  REQUIRE(sides.all[0].summaries.size() == 1);
  CHECK(sides.all[0].summaries[0].at("f1") == 30);
  CHECK(sides.warnings ==
        std::vector<std::string>{
            e.paths[1] + " (and 1 more): another run of arm 'bert', seed 1, than " + e.paths[2] +
            "; a row of the arm has only the one that started first, "
            "--group-by file makes a row of each"});
  // Nor does anything else count the others, such as what is compared at equal budgets.
  std::vector<std::string> warnings;
  std::vector<StoredRun> runs = load_finished(e.paths, true, warnings);
  CHECK(runs.size() == 3);
  CHECK(grouped(runs, {}).size() == 1);
  REQUIRE(runs.size() == 1);
  CHECK(runs[0].path == e.paths[2]);
}

TEST_CASE("each of several people's runs is a row by its file") {
  Experiment e;
  add_class(e);
  for (const bool found : {true, false}) {
    const Sides sides = load_sides(e.paths, {.skip_damaged = found, .group_by = {"file"}});
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
  // Shipped folders of other names than their profiles stay beside an own one of the profile's name.
  std::filesystem::rename(results + "/" + name + "/quick", results + "/" + name + "/quick-2-core");
  const auto quick = find_runs(results, name, "quick");
  REQUIRE(quick.size() == 2);
  CHECK(quick[0].size() == shipped.size());
  CHECK(quick[1] == own[0]);
  CHECK(message_of([&] { find_runs(results, name, "quick-2-core"); }) ==
        results + ": no runs of experiment '" + name +
            "' with profile 'quick-2-core'; it has quick; a folder's records are compared by "
            "--runs " +
            results + "/" + name + "/quick-2-core/*.h5");
}

TEST_CASE("a record or a folder in the place of an experiment's name is told from it") {
  Experiment e;
  const std::string results = e.scratch / "results";
  add_two_arms(e);
  const std::string record = e.paths.front(), name = "korquad_lstm_vs_bert";
  const auto refused = [&](const std::string& path) {
    return message_of([&] { find_runs(results, path, ""); });
  };
  CHECK(refused(record) == "EXPERIMENT: found the file " + record +
                               ", expected an experiment's name; records are compared by --runs " +
                               record);
  const std::string begin = "EXPERIMENT: found the folder " + results + "/" + name;
  const std::string end = ", expected an experiment's name: " + name;
  CHECK(refused(results + "/" + name) == begin + end);
  CHECK(refused(results + "/" + name + "/") == begin + "/" + end);
  CHECK(refused(results + "/" + name + "/quick") ==
        begin +
            "/quick, expected an experiment's name; a folder's records are compared by --runs " +
            results + "/" + name + "/quick/*.h5");
  CHECK(refused(e.scratch / ".") ==
        "EXPERIMENT: found the folder " + e.scratch / "." + ", expected an experiment's name");
}

TEST_CASE("of a profile are the records that name it, whatever else lies beside them") {
  Experiment e;
  const std::string results = e.scratch / "results";
  e.scratch.write("results/e/all/broken.h5", "no record");
  for (const char* profile : {"full", "quick"}) {
    RunRecord record = finished_run("bert", 1, {1, 0}, {1, 0.25});
    record.profile = profile;
    save_record(record, results + "/e/all/" + profile + ".h5");
  }
  const auto of = [&](const std::string& folder, const std::string& profile) {
    const std::string place = results + "/e/" + folder + "/";
    return std::vector<std::vector<std::string>>{{place + "broken.h5", place + profile + ".h5"}};
  };
  CHECK(find_runs(results, "e", "full") == of("all", "full"));
  CHECK(find_runs(results, "e", "quick") == of("all", "quick"));
  const std::string has = "with profile 'quik'; it has full, quick (did you mean 'quick'?)";
  CHECK(message_of([&] { find_runs(results, "e", "quik"); }) ==
        results + ": no runs of experiment 'e' " + has);
  CHECK(message_of([&] { find_runs(results, "", "quik"); }) == results + ": no runs " + has);
  // Also in a folder that is called like one of them.
  std::filesystem::rename(results + "/e/all", results + "/e/quick");
  CHECK(find_runs(results, "e", "full") == of("quick", "full"));
  CHECK(find_runs(results, "e", "quick") == of("quick", "quick"));
}

}  // namespace
}  // namespace minibert
