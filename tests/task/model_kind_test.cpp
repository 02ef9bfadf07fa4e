// A kind of model that nothing of lib knows: what is asked of it, and that it trains, is recorded and put to
// use as any other.
#include <catch2/catch.hpp>

#include "experiment/runner.h"
#include "experiment/stored_model.h"
#include "support/scratch.h"
#include "task/all/registry.h"
#include "task/gru.h"

namespace minibert {

// Kinds that lack one thing each.
namespace nameless {
struct Kind {
  int64_t vocab_size;
};
}  // namespace nameless

namespace lacking {
struct Kind {
  static constexpr const char* kKind = "lacking";
  int64_t vocab_size;
};
void read_keys(ConfigReader&, Kind*);
void write_keys(const Kind&, nlohmann::json*);
int64_t max_positions(const Kind&);
bool set_segments(Kind*, int64_t);
// no make_encoder
}  // namespace lacking

namespace {

using testing::GruConfig;

static_assert(IsModelKind<BertConfig> && IsModelKind<LstmConfig> && IsModelKind<BagConfig>);
static_assert(IsModelKind<GruConfig>);
static_assert(!IsModelKind<nameless::Kind>);
static_assert(!IsModelKind<lacking::Kind>);
// What lacks something is no model's configuration: code that takes it for one does not compile.
static_assert(std::is_constructible_v<ModelConfig, GruConfig>);
static_assert(!std::is_constructible_v<ModelConfig, lacking::Kind>);

nlohmann::json experiment_on_sample() {
  return {{"name", "own_kind"},
          {"task", "korquad"},
          {"data", {"sample"}},
          {"tokenizer", {{"data", {"sample"}}, {"vocab_size", 1500}}},
          {"seeds", {1}},
          {"features", {{"max_length", 96}, {"overlap", true}}},
          {"arms",
           {{{"name", "gru"},
             {"model", {{"kind", "gru"}, {"d_model", 12}}},
             {"train", {{"epochs", 1}, {"batch_size", 16}}}}}}};
}

}  // namespace

TEST_CASE("an unknown kind of model is refused with the nearest name, never taken for another") {
  const nlohmann::json given = {{"kind", "berd"}};
  ConfigReader reader(given, "one.json", "model");
  CHECK_THROWS_WITH(read_model_config(reader, 1500),
                    Catch::Contains("kind: found \"berd\", expected one of: bert, lstm, lstm_qa, "
                                    "bag (did you mean \"bert\"?)"));
}

TEST_CASE("a kind of model of a program's own is trained, recorded and measured again") {
  const nlohmann::json file = experiment_on_sample();
  CHECK_THROWS_WITH(experiment_from_json(file, "own.json", "quick"),
                    Catch::Contains("kind: found \"gru\""));
  const AddedModelKind gru(model_kind<GruConfig>());
  const testing::Scratch scratch;
  RunOptions options;
  options.results = scratch / "results";
  options.threads = 1;
  options.fetch = false;
  RunListener listener;
  const RunOutcome outcome =
      run_experiment(experiment_from_json(file, "own.json", "quick"), options, listener);
  CAPTURE(outcome.failures.empty() ? "" : outcome.failures.front());
  REQUIRE(outcome.failures.empty());
  const std::string path = outcome.records.at(0);
  const RunRecord record = load_record(path);
  CHECK(record.config.at("model").at("kind") == "gru");
  CHECK(record.config.at("model").at("segments") == 4);  // with "overlap"
  StoredModel stored(path, {}, {});
  CHECK(stored.evaluate().metrics.at("f1") == Approx(record.summary.at("f1")));
}

}  // namespace minibert
