// What the report page is given, and how it is put together.
#include <catch2/catch.hpp>

#include "core/files.h"
#include "record/message.h"
#include "record/sample_record.h"
#include "record/scratch.h"
#include "report/report_data.h"
#include "report/report_page.h"

namespace minibert {
namespace {

using nlohmann::json;
using testing::message_of;
using testing::sample_record;
using testing::Scratch;
using testing::write_bytes;

constexpr Measure kMeasures[] = {
    {"parameters", "parameters", -1, Better::neither},
    {"exact_match", "EM", 2, Better::higher, Resampled::mean, 100},
    {"f1", "F1", 2, Better::higher, Resampled::mean, 100},
};

std::string saved(const Scratch& scratch, const std::string& arm, int64_t seed, double score) {
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
  const std::string path = scratch / (arm + "-s" + std::to_string(seed) + ".h5");
  save_record(record, path);
  return path;
}

TEST_CASE("the report holds every run with its curves, settings and examples") {
  const Scratch scratch;
  const json data = report_data({saved(scratch, "lstm", 1, 0.25), saved(scratch, "bert", 1, 0.5),
                                 saved(scratch, "bert", 2, 1)},
                                kMeasures);
  CHECK(data["title"] == "korquad_lstm_vs_bert");
  CHECK(data["measures"] == json({"exact_match", "f1"}));
  REQUIRE(data["runs"].size() == 3);
  const json& run = data["runs"][0];
  CHECK(run["id"] == "quick/lstm-s1");
  CHECK(run["label"] == "lstm");
  CHECK(run["epochs"] == 5);
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
  REQUIRE(data["examples"].size() == 2);
  CHECK(data["examples"][0]["label"] == "bert");
  CHECK(data["examples"][0]["numbers"]["f1"] == json({0.75, 0.75, 0.75}));
  CHECK(data["examples"][0]["texts"]["gold"][1] == "1443년");
  REQUIRE(data["differences"].size() == 1);
  CHECK(data["differences"][0]["intervals"]["f1"]["difference"].get<double>() ==
        Approx(data["differences"][0]["arm"] == "bert" ? 50 : -50));
}

TEST_CASE("the page holds its parts, and text in it cannot end its script") {
  const Scratch scratch;
  std::filesystem::create_directories(scratch / "node_modules/vega/build");
  write_bytes(scratch / "report.html", "<p>/*{a.css}*/</p><script>/*{data}*/</script>/*{vega}*/!");
  write_bytes(scratch / "a.css", "red");
  write_bytes(scratch / "node_modules/vega/build/vega.min.js", "v()");
  CHECK(report_page({{"text", "</script><!--"}}, scratch.path()) ==
        "<p>red</p><script>{\"text\":\"\\u003c/script>\\u003c!--\"}</script>v()!");
  write_bytes(scratch / "report.html", "/*{vega-lite}*/");
  CHECK_THAT(message_of([&] { report_page({}, scratch.path()); }),
             Catch::Contains("node_modules/vega-lite/build/vega-lite.min.js: cannot be read"));
}

}  // namespace
}  // namespace minibert
