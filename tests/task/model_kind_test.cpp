// A kind of model that nothing of lib knows: what is asked of it, and that it trains, is recorded and put to
// use as any other.
#include <catch2/catch.hpp>

#include "experiment/keys_document.h"
#include "experiment/runner.h"
#include "experiment/stored_model.h"
#include "support/scratch.h"
#include "support/shell.h"
#include "task/all/registry.h"
#include "task/gru.h"

namespace minibert {

// A kind that lacks one of the functions which are asked of it.
enum class Lacks {
  read_keys,
  write_keys,
  max_positions,
  set_segments,
  key_section,
  make_encoder,
  none
};

template <Lacks kLacks>
struct LackingKind {
  static constexpr const char* kKind = "lacking";
  int64_t vocab_size = 0;
  friend void read_keys(ConfigReader&, LackingKind*) requires(kLacks != Lacks::read_keys) {}
  friend void write_keys(const LackingKind&,
                         nlohmann::json*) requires(kLacks != Lacks::write_keys) {}
  friend int64_t max_positions(const LackingKind&) requires(kLacks != Lacks::max_positions) {
    return 0;
  }
  friend bool set_segments(LackingKind*, int64_t) requires(kLacks != Lacks::set_segments) {
    return false;
  }
  friend KeySection key_section(const LackingKind&) requires(kLacks != Lacks::key_section) {
    return {};
  }
  friend std::shared_ptr<Encoder> make_encoder(const LackingKind&) requires(kLacks !=
                                                                            Lacks::make_encoder) {
    return nullptr;
  }
};

struct NamelessKind : LackingKind<Lacks::none> {
  int kKind;
};

// Requires what puts a kind to use: a model's configuration, and a row of the table.
template <class Kind>
concept Compiles = std::is_constructible_v<ModelConfig, Kind> && requires {
  model_kind<Kind>();
};

namespace {

using testing::GruConfig;

static_assert(Compiles<BertConfig> && Compiles<LstmConfig> && Compiles<BagConfig>);
static_assert(Compiles<GruConfig> && Compiles<LackingKind<Lacks::none>>);
// Whatever is forgotten, it is no kind of model: code that takes it for one does not compile.
static_assert(!Compiles<NamelessKind>);
static_assert(!Compiles<LackingKind<Lacks::read_keys>>);
static_assert(!Compiles<LackingKind<Lacks::write_keys>>);
static_assert(!Compiles<LackingKind<Lacks::max_positions>>);
static_assert(!Compiles<LackingKind<Lacks::set_segments>>);
static_assert(!Compiles<LackingKind<Lacks::key_section>>);
static_assert(!Compiles<LackingKind<Lacks::make_encoder>>);

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
  CHECK_FALSE(contains(keys_document(), "GRU"));
  const AddedModelKind gru(model_kind<GruConfig>());
  CHECK(contains(keys_document(), "## `arms[].model`: GRU\n\n`\"kind\": \"gru\"`\n"));
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
