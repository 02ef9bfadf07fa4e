// `minibert evaluate` of a pretraining run: the course's own figures, and a text of one's own.
#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/files.h"
#include "record/run_record.h"
#include "support/program.h"
#include "support/scratch.h"

namespace minibert {
namespace {

using nlohmann::json;
using testing::kShippedModel;
using testing::run_program;
using testing::Scratch;

// The shipped model after a run on the sample that leaves its weights as they are, for a record of what
// it predicts there.
struct TinyRun {
  TinyRun() {
    const json experiment = {{"task", "pretrain"},
                             {"data", {"sample"}},
                             {"tokenizer", {{"run", kShippedModel}}},
                             {"seeds", {1}},
                             {"instances", {{"sequence_length", 96}, {"limit", 32}}},
                             {"arms",
                              {{{"name", "same"},
                                {"init_from", kShippedModel},
                                {"train", {{"epochs", 1}, {"optimizer", {{"lr", 0}}}}}}}},
                             {"profiles", {{"quick", json::object()}}}};
    testing::write_bytes(scratch / "tiny.json", experiment.dump());
    const auto result =
        run_program("run " + scratch / "tiny.json" +
                    " --profile quick --threads 1 --precision fp32 --no-fetch --quiet --results " +
                    scratch.path());
    INFO(result.err);
    REQUIRE(result.status == 0);
  }
  json evaluate(const std::string& more = "") const {
    const auto result = run_program("evaluate --run " + record + " --json" + more);
    INFO(result.err);
    REQUIRE(result.status == 0);
    return json::parse(result.out);
  }
  Scratch scratch;
  std::string record = scratch / "tiny/quick/same-s1.h5";
};

}  // namespace

TEST_CASE(
    "the course's figures stand beside ours when asked for, and follow from the predictions") {
  const TinyRun run;
  const json ours = run.evaluate();
  json both = run.evaluate(" --course-metrics");
  for (const auto& [name, value] : ours.items()) CHECK_FALSE(name.starts_with("course_"));
  const RunRecord record = load_record(run.record);
  const auto& numbers = record.predictions.value().numbers;
  const std::vector<double>&targets = numbers.at("targets"), &mlm = numbers.at("mlm_loss"),
        &nsp = numbers.at("nsp_loss");
  REQUIRE(ours.at("instances") == targets.size());
  double mlm_sum = 0, nsp_sum = 0;
  for (size_t i = 0; i < targets.size(); ++i) {
    mlm_sum += targets[i] * mlm[i];
    // The softmax of a softmax: of p against 1 - p.
    nsp_sum += std::log(1 + std::exp(1 - 2 * std::exp(-nsp[i])));
  }
  // Every instance is padded to the longest, and the mean is over all positions.
  const auto instances = static_cast<double>(targets.size());
  const double longest = record.data.at("statistics").at("dev").at("longest");
  CHECK(both.at("course_mlm_loss").get<double>() ==
        Approx(20 * mlm_sum / (instances * longest)).epsilon(1e-5));
  CHECK(both.at("course_nsp_loss").get<double>() == Approx(nsp_sum / instances).epsilon(1e-5));
  both.erase("course_mlm_loss");
  both.erase("course_nsp_loss");
  CHECK(both == ours);
}

TEST_CASE("a text of one's own is measured in place of the run's data") {
  const TinyRun run;
  const std::string same = run.scratch / "same.txt", other = run.scratch / "other.txt";
  testing::write_bytes(same, read_file("experiments/sample/corpus-dev.txt"));
  std::string text;
  for (int i = 0; i < 40; ++i) text += "서울은 대한민국의 수도이다.\n한강이 서울을 지난다.\n\n";
  testing::write_bytes(other, text);
  const json own = run.evaluate(" --course-metrics");
  CHECK(run.evaluate(" --course-metrics --text " + same) == own);
  const json found = run.evaluate(" --text " + other),
             both = run.evaluate(" --text " + same + " " + other);
  // Simpler sentences, which recur.
  CHECK(found.at("mlm_loss") < 0.8 * own.at("mlm_loss").get<double>());
  CHECK(both.at("instances").get<double>() ==
        own.at("instances").get<double>() + found.at("instances").get<double>());
  CHECK_FALSE(found.contains("course_mlm_loss"));
  testing::check_refused("evaluate --run " + run.record + " --data sample --text " + same,
                         "found --data and --text, expected one of them or none");
}

}  // namespace minibert
