// check_predictions.py, which knows nothing of our code, makes the figures of the shipped records
// again, and those of each kind of columns as our code makes them.
#include <catch2/catch.hpp>
#include <filesystem>

#include "core/rng.h"
#include "record/run_record.h"
#include "score/entity_score.h"
#include "score/label_score.h"
#include "score/label_set_score.h"
#include "support/scratch.h"
#include "support/shell.h"

namespace minibert {
namespace {

using Texts = std::vector<std::string>;

ShellResult check(const std::string& records) {
  return shell("/usr/bin/python3 tests/compare/check_predictions.py " + records);
}

// Saves the run and checks it.
ShellResult check(const RunRecord& record) {
  const testing::Scratch scratch;
  save_record(record, scratch / "a.h5");
  return check(scratch / "a.h5");
}

constexpr size_t kExamples = 200;

RunRecord empty_run() {
  RunRecord record;
  record.status = "finished";
  record.predictions.emplace();
  for (size_t i = 0; i < kExamples; ++i) record.predictions->id.push_back(std::to_string(i));
  return record;
}

template <class Make>
auto column(Make make) {
  std::vector<decltype(make())> values;
  for (size_t i = 0; i < kExamples; ++i) values.push_back(make());
  return values;
}

TEST_CASE("the shipped records of every task have the figures of their predictions") {
  int experiments = 0;
  for (const auto& experiment : std::filesystem::directory_iterator("results")) {
    const auto folder = experiment.path() / "quick-2-core";
    if (!std::filesystem::exists(folder)) continue;
    std::string paths;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (entry.path().extension() == ".h5" && load_record(entry.path(), Load::all).predictions)
        paths += " " + single_quoted(entry.path());
    if (paths.empty()) continue;  // pretraining, which keeps none
    ++experiments;
    const ShellResult result = check(paths);
    INFO(result.output);
    CHECK(result.status == 0);
    CHECK(contains(result.output, "-s1.h5: "));
  }
  CHECK(experiments >= 15);
}

TEST_CASE("labels, numbers and tags score the same in both programs") {
  Rng rng(11, "test/check");
  RunRecord record = empty_run();
  Predictions& p = *record.predictions;
  SECTION("labels") {
    const Texts labels = {"긍정", "부정", "중립", "없음"};
    p.texts["gold"] = column([&] { return labels[rng.below(3)]; });
    p.texts["prediction"] = column([&] { return labels[1 + rng.below(3)]; });
    p.numbers["correct"] = column([&] { return rng.uniform(); });
    const Confusion confusion = confusion_of(p.texts["gold"], p.texts["prediction"]);
    double sum = 0;
    for (const double value : p.numbers["correct"]) sum += value;
    record.summary = {{"accuracy", accuracy(confusion)},
                      {"macro_f1", macro_f1(confusion)},
                      {"matthews", matthews(confusion)},
                      {"correct", sum / kExamples}};
  }
  SECTION("sets of labels") {
    const Texts sets = {"", "기쁨", "기쁨|슬픔", "슬픔|화남", "화남"};
    p.texts["gold"] = column([&] { return sets[rng.below(sets.size())]; });
    p.texts["prediction"] = column([&] { return sets[rng.below(sets.size())]; });
    CountsByType sums;
    double shared = 0;
    for (size_t i = 0; i < p.id.size(); ++i) {
      const CountsByType one = label_set_counts(p.texts["gold"][i], p.texts["prediction"][i]);
      for (const auto& [label, counts] : one) sums[label].add(counts);
      shared += jaccard(one);
    }
    std::vector<EntityCounts> by_label;
    for (const auto& [label, counts] : sums) by_label.push_back(counts);
    record.summary = {{"label_micro_f1", micro_f1(by_label)},
                      {"label_macro_f1", entity_macro_f1(by_label)},
                      {"jaccard", shared / kExamples}};
  }
  SECTION("numbers") {
    p.numbers["gold"] = column([&] { return static_cast<double>(rng.below(6)); });
    p.numbers["prediction"] = column([&] { return 5 * rng.uniform(); });
    record.summary = {{"pearson", pearson(p.numbers["gold"], p.numbers["prediction"])},
                      {"spearman", spearman(p.numbers["gold"], p.numbers["prediction"])}};
  }
  SECTION("tags") {
    const Texts tags = {"O", "O", "B-PS", "I-PS", "I-PS", "B-LC", "I-LC", "B-OG"};
    const auto sentence = [&] {
      std::string text;
      for (int i = 0; i < 12; ++i) text += (i == 0 ? "" : " ") + tags[rng.below(tags.size())];
      return text;
    };
    p.texts["gold"] = column(sentence);
    p.texts["prediction"] = column([&, i = size_t{0}]() mutable {
      const std::string right = p.texts["gold"][i++];
      return rng.below(2) == 0 ? right : sentence();
    });
    record.summary = {
        {"entity_macro_f1", entity_macro_f1(p.texts["gold"], p.texts["prediction"])},
        {"character_macro_f1", character_macro_f1(p.texts["gold"], p.texts["prediction"])}};
    CHECK(record.summary["entity_macro_f1"] > 0.3);
  }
  const ShellResult result = check(record);
  INFO(result.output);
  CHECK(result.status == 0);
  for (const auto& [name, value] : record.summary)
    CHECK(contains(result.output, "a.h5: " + name + ": stored "));
  record.summary.begin()->second += 1e-6;
  const ShellResult other = check(record);
  CHECK(other.status == 1);
  CHECK(contains(other.output, " DIFFERS\n"));
}

TEST_CASE("the best of several right answers counts") {
  RunRecord record = empty_run();
  Predictions& p = *record.predictions;
  p.texts["gold"] = column([] { return std::string("서울\n서울특별시"); });
  p.texts["prediction"] = column([] { return std::string("서울특별시"); });
  p.numbers["exact_match"] = column([] { return 1.0; });
  record.summary = {{"exact_match", 100}};
  CHECK(check(record).status == 0);
  p.numbers["exact_match"][7] = 0;
  const ShellResult result = check(record);
  CHECK(result.status == 1);
  CHECK(contains(result.output,
                 "column exact_match, largest difference: stored 0.0, from "
                 "predictions 1.0 DIFFERS"));
}

TEST_CASE("a record without figures to check is no success") {
  RunRecord record = empty_run();
  const ShellResult without = check(record);
  CHECK(without.status == 1);
  CHECK(contains(without.output, "a.h5: no figure to check (predictions: id)"));
  CHECK(check("README.md").status == 1);
  CHECK(check("").status == 2);
}

}  // namespace
}  // namespace minibert
