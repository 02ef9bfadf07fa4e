#include "compare/learning_curve.h"

#include <catch2/catch.hpp>

#include "compare/sample_runs.h"
#include "support/message.h"

namespace minibert {
namespace {

using testing::Experiment;
using testing::finished_run;
using testing::kMeasures;
using testing::message_of;

// Logged at 4, 8, 10, 14, 18, 20; evaluated at 10 and 20.
RunRecord trained(const std::string& arm, int64_t seed, double better) {
  RunRecord record = finished_run(arm, seed, {1, 0}, {1, 0});
  record.metrics["train/mlm_accuracy"] = {{4, 8, 10, 14, 18, 20}, {0.1, 0.2, 0.4, 0.5, 0.5, 0.5}};
  record.metrics["dev/mlm_accuracy"] = {{10, 20}, {0.3 + better, 0.4 + better}};
  record.metrics["dev/loss_per_byte"] = {{10, 20}, {1.5, 1.25}};
  return record;
}

std::string curves(const Experiment& e, const std::vector<std::string>& figures,
                   Format format = Format::markdown) {
  std::vector<std::string> warnings;
  const std::string out =
      render_learning_curves(e.paths, {}, kMeasures, figures, format, SIZE_MAX, &warnings);
  for (const std::string& warning : warnings) WARN(warning);
  return out;
}

TEST_CASE(
    "a learning curve is a row an evaluation, with training weighed by steps since the last") {
  Experiment e;
  e.add(trained("bert", 1, 0));
  CHECK(curves(e, {"mlm_accuracy", "loss_per_byte"}) ==
        "**korquad_lstm_vs_bert, profile quick**\n\n"
        "| arm  | runs | evaluation | step | train MLM acc | dev MLM acc | dev loss_per_byte |\n"
        "| ---- | ---: | ---------: | ---: | ------------: | ----------: | ----------------: |\n"
        "| bert |    1 |          1 |   10 |        0.2000 |      0.3000 |            1.5000 |\n"
        "| bert |    1 |          2 |   20 |        0.5000 |      0.4000 |            1.2500 |\n");
}

TEST_CASE("the curve of several runs is their mean, of those that had not stopped") {
  Experiment e;
  e.add(trained("bert", 1, 0));
  e.add(trained("bert", 2, 0.1));
  RunRecord longer = trained("bert", 3, 0.2);
  for (const char* name : {"dev/mlm_accuracy", "dev/loss_per_byte"}) {
    longer.metrics[name].step = {10, 24, 30};
    longer.metrics[name].value.push_back(0.9);
  }
  e.add(longer);
  const std::string table = curves(e, {"mlm_accuracy"}, Format::table);
  CHECK_THAT(table, Catch::Contains("0.4000 ± 0.1000"));
  CHECK_THAT(table, Catch::Contains("3           2  20-24"));
  CHECK_THAT(table, Catch::Contains("1           3     30") && Catch::Contains("0.9000"));
}

TEST_CASE("a curve that no run has, or a format without tables, is refused") {
  Experiment e;
  e.add(trained("bert", 1, 0));
  CHECK(
      message_of([&] { curves(e, {"mlm_acuracy"}); }) ==
      "--curves: no run measured \"mlm_acuracy\" while it trained, did you mean \"mlm_accuracy\"?");
  CHECK_THAT(message_of([&] { curves(e, {"mlm_accuracy"}, Format::json); }),
             Catch::Contains("table or markdown"));
  RunRecord failed = trained("bert", 2, 0);
  failed.status = "failed";
  Experiment other;
  other.add(failed);
  std::vector<std::string> warnings, figures = {"mlm_accuracy"};
  CHECK(render_learning_curves(other.paths, {}, kMeasures, figures, Format::table, SIZE_MAX,
                               &warnings)
            .empty());
  CHECK(warnings.size() == 1);
}

}  // namespace
}  // namespace minibert
