// The report page's data, and its assembly.
#include <catch2/catch.hpp>
#include <filesystem>

#include "compare/compare.h"
#include "core/files.h"
#include "core/sha256.h"
#include "core/text.h"
#include "report/report_axes.h"
#include "report/report_data.h"
#include "report/report_examples.h"
#include "report/report_page.h"
#include "support/message.h"
#include "support/sample_record.h"
#include "support/scratch.h"

namespace minibert {
namespace {

using nlohmann::json;
using testing::message_of;
using testing::sample_record;
using testing::Scratch;
using testing::write_bytes;

constexpr Measure kMeasures[] = {
    {"parameters", "parameters", -1, Better::neither},
    {.name = "exact_match",
     .heading = "EM",
     .decimals = 2,
     .better = Better::higher,
     .resampled = Resampled::mean,
     .scale = 100,
     .right = true,
     .probability = "score"},
    {"f1", "F1", 2, Better::higher, Resampled::mean, 100},
};

RunRecord finished(const std::string& arm, int64_t seed, double score) {
  RunRecord record = sample_record();
  record.status = "finished";
  record.finished = "2026-11-20T22:41:05Z";
  record.arm = arm;
  record.seed = seed;
  record.config["arms"] = {
      {{"name", arm}, {"train", {{"epochs", 5}, {"optimizer", {{"lr", 0.1}}}}}}};
  record.config["model"] = {{"d_model", arm == "lstm" ? 8 : 16}};
  record.predictions->numbers["f1"] = {score, score, score};
  MetricSeries& loss = record.metrics["train/loss"];
  loss = {};
  for (int i = 0; i < 1000; ++i) {
    loss.step.push_back(10 * (i + 1));
    loss.value.push_back(i);
  }
  return record;
}

std::string saved(const Scratch& scratch, const RunRecord& record) {
  std::filesystem::create_directories(scratch / record.profile);
  const std::string path =
      scratch / record.profile + "/" + record.arm + "-s" + std::to_string(record.seed) + ".h5";
  save_record(record, path);
  return path;
}

TEST_CASE("the report holds every run with its curves, settings and examples") {
  const Scratch scratch;
  const json data = report_data(
      {saved(scratch, finished("lstm", 1, 0.25)), saved(scratch, finished("bert", 1, 0.5)),
       saved(scratch, finished("bert", 2, 1))},
      kMeasures);
  CHECK(data["title"] == "korquad_lstm_vs_bert");
  CHECK(data["measures"][1] == json({{"name", "exact_match"},
                                     {"heading", "EM"},
                                     {"decimals", 2},
                                     {"in_table", true},
                                     {"right", true},
                                     {"probability", "score"},
                                     {"better", 1}}));
  REQUIRE(data["runs"].size() == 3);
  const json& run = data["runs"][0];
  CHECK(run["id"] == "lstm · 1");
  CHECK(run["label"] == "lstm");
  CHECK(run["axes"]["epoch"] == json({{0, 20, 10000}, {0, 1, 2}}));
  CHECK(run["config"]["model.d_model"] == 8);
  CHECK(run["config"]["train.optimizer.lr"] == 0.1);
  CHECK(run["provenance"]["environment.cpu"] == "x86");
  CHECK(run["metrics"]["dev/f1"] == json({{20}, {41.5}}));
  CHECK_FALSE(run["metrics"].contains("dev/never"));
  // Thinned: means of stretches at their last steps.
  const json& loss = run["metrics"]["train/loss"];
  REQUIRE(loss[0].size() == kMostPoints);
  CHECK(loss[0].back() == 10000);
  CHECK(loss[1][0] == 2.5);
  CHECK(loss[0][0] == 60);
  REQUIRE(data["differences"].size() == 1);
  CHECK(data["differences"][0]["examples"] == 3);
  CHECK(data["differences"][0]["intervals"]["f1"]["difference"].get<double>() ==
        Approx(data["differences"][0]["arm"] == "bert" ? 50 : -50));
  const json& examples = data["examples"];
  REQUIRE(examples["sets"].size() == 1);
  CHECK(examples["sets"][0]["gold"][1] == "1443년");
  // Every run by itself, so that the page can leave any out.
  REQUIRE(examples["runs"].size() == 3);
  CHECK(examples["runs"][2]["run"] == 2);
  CHECK(examples["runs"][2]["set"] == 0);
  CHECK(examples["runs"][0]["prediction"][0] == "세종");
  CHECK(examples["runs"][2]["numbers"] ==
        json({{"exact_match", {0, 0, 1}}, {"score", {0.75, 0.125, 0.5}}}));
}

TEST_CASE("the report holds arms with intervals, answers to questions, and arms at equal budgets") {
  const Scratch scratch;
  std::vector<std::string> paths;
  for (const char* arm : {"lstm", "bert"}) {
    RunRecord record = finished(arm, 1, std::string(arm) == "bert" ? 1 : 0);
    if (record.arm == "bert") {  // examples that differ alike would say nothing of others
      record.predictions->numbers["f1"] = {1, 0.5, 0.75};
      record.summary["f1"] = 75;
    }
    record.metrics["spent/flops"] = {{20}, {std::string(arm) == "bert" ? 3e9 : 2e9}};
    record.metrics["spent/tokens"] = {{20}, {500}};
    paths.push_back(saved(scratch, record));
  }
  const json data = report_data(paths, kMeasures, {}, [](const std::string&) {
    return std::vector<Question>{{"bert", "lstm"}};
  });
  REQUIRE(data["answers"].size() == 1);
  CHECK(data["answers"][0]["arm"] == "bert");
  CHECK(data["answers"][0]["baseline"] == "lstm");
  CHECK(data["answers"][0]["single"] == json({"bert", "lstm"}));
  CHECK_THAT(data["answers"][0]["text"].get<std::string>(),
             Catch::StartsWith("bert and lstm are not told apart in EM: "));
  CHECK_THAT(data["answers"][0]["korean"].get<std::string>(),
             Catch::StartsWith("bert의 EM이 lstm보다 높다고도 낮다고도 할 수 없습니다: "));
  CHECK(data["headings"]["parameters"] == "매개변수");
  CHECK(data["language"] == "");
  REQUIRE(data["arms"].size() == 2);
  CHECK(data["arms"][1]["arm"] == "bert");
  CHECK(data["arms"][1]["floor"] == false);
  CHECK(data["arms"][1]["intervals"]["f1"]["value"] == 75);
  CHECK(data["arms"][1]["intervals"]["f1"]["low"] < 75);
  CHECK(data["equal"]["flops"].empty());  // BERT was measured first when it had spent more
  REQUIRE(data["equal"]["tokens"].size() == 1);
  CHECK(data["equal"]["tokens"][0]["limit"] == 500);
  CHECK(data["equal"]["tokens"][0]["arms"][1]["figures"]["f1"] == 41.5);
  CHECK_FALSE(data["runs"][0]["metrics"].contains("spent/flops"));
  CHECK(data["runs"][0]["axes"].contains("flops"));
}

TEST_CASE("an unfinished run stands on every axis as far as it came") {
  const Scratch scratch;
  RunRecord record = finished("bert", 1, 1);
  record.status = "interrupted";
  record.finished.clear();
  record.summary.clear();
  record.resume->numbers = {{"step", 10000}, {"seconds", 40}, {"tokens", 5000}};
  const json axes = report_data({saved(scratch, record)}, kMeasures)["runs"][0]["axes"];
  CHECK(axes["seconds"] == json({{0, 10000}, {0, 40}}));
  CHECK(axes["tokens"] == json({{0, 10000}, {0, 5000}}));
  CHECK(axes["epoch"] == json({{0, 20, 10000}, {0, 1, 2}}));
}

TEST_CASE("profiles are compared apart, and a damaged record is a warning") {
  const Scratch scratch;
  RunRecord full = finished("bert", 1, 1);
  full.profile = "full";
  full.predictions->id = {"a", "b", "c"};
  write_bytes(scratch / "broken.h5", "no record");
  const json data = report_data(
      {saved(scratch, finished("lstm", 1, 0.25)), saved(scratch, finished("bert", 1, 0.5)),
       saved(scratch, full), scratch / "broken.h5"},
      kMeasures);
  REQUIRE(data["runs"].size() == 3);
  CHECK(data["runs"][2]["label"] == "full/bert");
  REQUIRE(data["differences"].size() == 1);
  CHECK(data["differences"][0]["baseline"].get<std::string>().starts_with("quick/"));
  CHECK(data["examples"]["sets"].size() == 2);
  CHECK_THAT(data["warnings"].dump(), Catch::Contains("broken.h5"));
  CHECK_THAT(message_of([&] { report_data({scratch / "broken.h5"}, kMeasures); }),
             Catch::StartsWith("no run can be read: "));
}

// The examples of `runs` runs with the same long answers, the last one of another arm.
json examples_of(size_t runs, size_t answers, const std::string& answer,
                 std::vector<std::string>* warnings) {
  RunRecord record = finished("bert", 1, 1);
  Predictions& predictions = *record.predictions;
  predictions = {};
  for (size_t i = 0; i < answers; ++i) {
    predictions.id.push_back(std::to_string(i));
    predictions.texts["gold"].push_back(answer + std::to_string(i));
    predictions.texts["prediction"].push_back(answer);
    predictions.numbers["f1"].push_back(0.123456);
  }
  std::vector<LabelledRun> all;
  for (size_t i = 0; i < runs; ++i) all.push_back({i + 1 < runs ? "bert" : "lstm", &record});
  return report_examples(all, kMeasures, {}, warnings);
}

TEST_CASE("texts beyond what fits are left out, of an arm's first run last") {
  std::vector<std::string> warnings;
  // 600,000 bytes a run come to 180,000 in the page.
  const json examples = examples_of(9, 1000, std::string(600, 'a'), &warnings);
  std::vector<bool> with_texts;
  for (const json& run : examples["runs"]) with_texts.push_back(run.contains("prediction"));
  CHECK(with_texts == std::vector<bool>{true, true, true, true, true, false, false, false, true});
  CHECK_THAT(joined(warnings), Catch::Contains("those of 3 of 9 runs are left out"));
  CHECK(examples["runs"][7]["numbers"]["f1"][999] == 0.123);
}

TEST_CASE("runs of one profile from two folders are not seeds of one arm") {
  const Scratch scratch;
  const RunRecord record = finished("bert", 1, 1);
  for (const char* folder : {"quick", "shipped"}) {
    std::filesystem::create_directories(scratch / folder);
    save_record(record, scratch / folder + "/bert-s1.h5");
  }
  const json data =
      report_data({scratch / "quick/bert-s1.h5", scratch / "shipped/bert-s1.h5"}, kMeasures);
  CHECK(data["runs"][0]["label"] == "quick/bert");
  CHECK(data["runs"][1]["label"] == "shipped/bert");
  CHECK(data["warnings"].empty());
}

TEST_CASE("runs that name one experiment from folders of one name are not seeds of one arm") {
  const Scratch scratch;
  std::vector<std::string> paths;
  for (const char* folder : {"shown/quick", "moved/quick"}) {
    std::filesystem::create_directories(scratch / folder);
    for (const char* arm : {"lstm", "bert"}) {
      paths.push_back(scratch / folder + "/" + arm + "-s1.h5");
      save_record(finished(arm, 1, std::string(arm) == "bert" ? 1 : 0.5), paths.back());
    }
  }
  const json data = report_data(paths, kMeasures);
  std::vector<std::string> ids;
  for (const json& run : data["runs"]) ids.push_back(run["id"]);
  CHECK(ids == std::vector<std::string>{"shown/quick/lstm · 1", "shown/quick/bert · 1",
                                        "moved/quick/lstm · 1", "moved/quick/bert · 1"});
  CHECK(data["differences"].size() == 2);
  CHECK(data["warnings"].empty());
  // The same folder by another way to it is that folder.
  std::filesystem::create_directory_symlink("shown", scratch / "link");
  const json same = report_data({paths[0], scratch / "link/quick/bert-s1.h5"}, kMeasures);
  CHECK(same["runs"][1]["label"] == "bert");
  CHECK(same["differences"].size() == 1);
}

TEST_CASE("runs of two experiments in one folder are not seeds of one arm") {
  const Scratch scratch;
  RunRecord record = finished("bert", 1, 1);
  save_record(record, scratch / "a.h5");
  record.experiment = "other";
  save_record(record, scratch / "b.h5");
  const json data = report_data({scratch / "a.h5", scratch / "b.h5"}, kMeasures);
  CHECK(data["runs"][0]["label"] == "korquad_lstm_vs_bert/bert");
  CHECK(data["runs"][1]["label"] == "other/bert");
}

TEST_CASE("runs of two profiles in one folder are not seeds of one arm") {
  const Scratch scratch;
  std::vector<std::string> paths;
  for (const std::string profile : {"full", "quick"})
    for (const char* arm : {"lstm", "bert"}) {
      RunRecord record = finished(arm, 1, std::string(arm) == "bert" ? 1 : 0.5);
      record.profile = profile;
      paths.push_back(scratch / (profile + "-" + arm + ".h5"));
      save_record(record, paths.back());
    }
  const json data = report_data(paths, kMeasures);
  std::vector<std::string> ids, pairs;
  for (const json& run : data["runs"]) ids.push_back(run["id"]);
  CHECK(ids == std::vector<std::string>{"full/lstm · 1", "full/bert · 1", "quick/lstm · 1",
                                        "quick/bert · 1"});
  for (const json& one : data["differences"])
    pairs.push_back(one["arm"].get<std::string>() + " - " + one["baseline"].get<std::string>());
  CHECK(pairs == std::vector<std::string>{"full/bert - full/lstm", "quick/bert - quick/lstm"});
  CHECK(data["warnings"].empty());
}

TEST_CASE("two runs of one arm and seed in a folder are refused by both paths") {
  const Scratch scratch;
  const std::string lstm = saved(scratch, finished("lstm", 1, 0.25)),
                    copy = scratch / "quick/lstm-s1 (copy).h5";
  std::filesystem::copy_file(lstm, copy);
  CHECK(message_of([&] {
          report_data({lstm, copy}, kMeasures);
        }) == lstm + " and " + copy +
                  ": both are seed 1 of arm 'lstm', expected one of them in a folder");
}

TEST_CASE("a comparison that is there is not made again") {
  const Scratch scratch;
  const std::vector<std::string> paths = {saved(scratch, finished("lstm", 1, 0.25)),
                                          saved(scratch, finished("bert", 1, 0.5))};
  Comparison made = compare_runs(paths, kMeasures);
  const json all = report_data(paths, kMeasures);
  CHECK(report_data(paths, kMeasures, {}, {}, &made) == all);
  made.differences.clear();
  CHECK(report_data(paths, kMeasures, {}, {}, &made)["differences"].empty());
}

TEST_CASE("examples stand with the texts of the very files that the run saw, or with none") {
  const Scratch scratch;
  const std::string questions =
      R"({"data": [{"title": "세종", "paragraphs": [{"context": "세종대왕은 1443년에", "qas": [)"
      R"({"id": "6548850-0-0", "question": "누구인가?", "answers": [{"text": "세종대왕", "answer_start": 0}]}]}]}]})";
  std::filesystem::create_directories(scratch / "f");
  write_bytes(scratch / "f/q.json", questions);
  write_bytes(scratch / "datasets.json",
              R"({"version": 1, "datasets": [{"id": "mine", "title": "t", "folder": "f", )"
              R"("licence": "l", "citation": "c", "files": [{"name": "q.json", "kind": "korquad", )"
              R"("split": "test", "bytes": )" +
                  std::to_string(questions.size()) + R"(, "sha256": ")" + sha256_hex(questions) +
                  R"("}]}]})");
  const DataPlaces places{scratch / "datasets.json", scratch.path()};
  RunRecord record = finished("bert", 1, 1);
  record.data = {{"id", "mine"},
                 {"files", {{{"name", "q.json"}, {"sha256", sha256_hex(questions)}}}}};
  const std::string path = saved(scratch, record);
  const json data = report_data({path}, kMeasures, places);
  CAPTURE(data["warnings"].dump());
  REQUIRE(data["examples"]["sets"][0].contains("text"));
  CHECK(data["examples"]["sets"][0]["text"] == json({"누구인가?", "", ""}));
  record.data["files"][0]["sha256"] = std::string(64, '0');
  save_record(record, path);
  const json other = report_data({path}, kMeasures, places);
  CHECK_FALSE(other["examples"]["sets"][0].contains("text"));
  CHECK_THAT(other["warnings"].dump(),
             Catch::Contains("q.json: has changed since the runs read it"));
}

TEST_CASE("the page holds its parts, and data in it as gzip in base64") {
  const Scratch scratch;
  std::filesystem::create_directories(scratch / "node_modules/vega/build");
  write_bytes(scratch / "report.html", "<p>/*{a.css}*/</p><script>/*{data}*/</script>/*{vega}*/!");
  write_bytes(scratch / "a.css", "red");
  write_bytes(scratch / "node_modules/vega/build/vega.min.js", "v()");
  const std::string page = report_page({{"text", "</script><!--"}}, scratch.path());
  CHECK_THAT(page, Catch::StartsWith("<p>red</p><script>H4sI") && Catch::EndsWith("</script>v()!"));
  CHECK(page.find("<!--") == std::string::npos);
  write_bytes(scratch / "report.html", "/*{vega-lite}*/");
  CHECK_THAT(message_of([&] { report_page({}, scratch.path()); }),
             Catch::Contains("node_modules/vega-lite/build/vega-lite.min.js: cannot be read"));
}

}  // namespace
}  // namespace minibert
