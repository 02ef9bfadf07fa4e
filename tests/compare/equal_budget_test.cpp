// Arms at equal budgets, from records whose evaluations stand at known steps.
#include "compare/equal_budget.h"

#include <catch2/catch.hpp>

#include "compare/sample_runs.h"

namespace minibert {
namespace {

using testing::Experiment;
using testing::finished_run;

// Evaluated at steps 10, 20, 30 with these F1; a step costs `flops` and a second each.
RunRecord measured(const std::string& arm, int64_t seed, double flops,
                   const std::vector<double>& f1) {
  RunRecord record = finished_run(arm, seed, {1, 0}, {1, 0});
  for (size_t i = 0; i < f1.size(); ++i) {
    const auto step = static_cast<int64_t>(10 * (i + 1));
    for (const auto& [name, value] :
         std::map<std::string, double>{{"dev/f1", f1[i]},
                                       {"spent/flops", flops * static_cast<double>(step)},
                                       {"spent/seconds", static_cast<double>(step)},
                                       {"spent/tokens", 100.0 * static_cast<double>(step)}}) {
      record.metrics[name].step.push_back(step);
      record.metrics[name].value.push_back(value);
    }
  }
  record.summary["steps"] = static_cast<double>(10 * f1.size());
  return record;
}

// A record as they were before costs stood in them.
RunRecord older(RunRecord record, double seconds) {
  std::erase_if(record.metrics, [](const auto& item) { return item.first.starts_with("spent/"); });
  record.summary["train_seconds"] = seconds;
  record.summary["tokens_per_second"] = 100;
  return record;
}

}  // namespace

TEST_CASE(
    "at equal budgets every run stands with its last evaluation at or before the least total") {
  Experiment e;
  e.add(measured("lstm", 1, 1, {10, 20, 30}));    // 30 in all, the least
  e.add(measured("bert", 1, 1.5, {40, 50, 60}));  // 30 at step 20
  e.add(measured("bert", 2, 2, {41, 51, 61}));    // 20 at step 10, 40 at step 20
  const EqualBudget equal = compare_at_equal(e.paths, Budget::flops, {});
  CHECK(equal.limit == 30);
  CHECK(equal.limit_of == e.paths[0]);
  REQUIRE(equal.arms.size() == 2);
  CHECK(equal.arms[0].label == "lstm");
  CHECK(equal.arms[0].figures.at("f1").mean == 30);
  CHECK(equal.arms[1].steps == std::vector<int64_t>{20, 10});
  CHECK(equal.arms[1].figures.at("f1").mean == Approx((50 + 41) / 2.0));
  CHECK(equal.arms[1].figures.at("f1").runs == 2);
  CHECK(equal.arms[1].spent.mean == 25);
  CHECK(equal.notes.empty());

  const EqualBudget by_time = compare_at_equal(e.paths, Budget::seconds, {});
  CHECK(by_time.limit == 30);
  CHECK(by_time.arms[1].figures.at("f1").mean == Approx(60.5));
}

TEST_CASE("a teacher's operations count where arms are compared at equal operations") {
  Experiment e;
  RunRecord taught = measured("bert", 1, 1, {40, 50, 60});
  taught.metrics["spent/teacher_flops"] = {{10, 20, 30}, {10, 20, 30}};
  e.add(measured("lstm", 1, 1, {10, 20, 30}));
  e.add(taught);
  const EqualBudget equal = compare_at_equal(e.paths, Budget::flops, {});
  CHECK(equal.arms[1].steps == std::vector<int64_t>{10});  // 20 with the teacher's; 40 at step 20
}

TEST_CASE(
    "older records tell seconds and tokens by estimate, and say that they hold no operations") {
  Experiment e;
  e.add(older(measured("lstm", 1, 1, {10, 20, 30}), 15));  // half a second a step, 1,500 tokens
  e.add(measured("bert", 1, 1, {40, 50, 60}));
  const EqualBudget seconds = compare_at_equal(e.paths, Budget::seconds, {});
  CHECK(seconds.limit == 15);
  CHECK(seconds.arms[1].steps == std::vector<int64_t>{10});
  REQUIRE(seconds.notes.size() == 1);
  CHECK(seconds.notes[0].find("estimated by logged speeds") != std::string::npos);

  const EqualBudget tokens = compare_at_equal(e.paths, Budget::tokens, {});
  CHECK(tokens.limit == 1500);
  CHECK(tokens.arms[1].steps == std::vector<int64_t>{10});

  const EqualBudget flops = compare_at_equal(e.paths, Budget::flops, {});
  REQUIRE(flops.arms.size() == 1);
  CHECK(flops.arms[0].label == "bert");
  REQUIRE(flops.notes.size() == 1);
  CHECK(flops.notes[0] ==
        e.paths[0] + ": this record does not hold floating-point operations, left out");
}

TEST_CASE("a run whose first evaluation came after the limit is told and left out") {
  Experiment e;
  e.add(measured("lstm", 1, 1, {10}));
  e.add(measured("bert", 1, 2, {40, 50}));
  const EqualBudget equal = compare_at_equal(e.paths, Budget::flops, {});
  REQUIRE(equal.arms.size() == 1);
  REQUIRE(equal.notes.size() == 1);
  CHECK(equal.notes[0] == e.paths[1] + ": its first evaluation came after the limit, left out");
}

}  // namespace minibert
