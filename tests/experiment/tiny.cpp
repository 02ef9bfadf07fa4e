#include "experiment/tiny.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "record/run_record.h"

namespace minibert::testing {

std::string tiny_experiment(const std::string& arm) {
  using nlohmann::json;
  json experiment = {{"name", "tiny"},
                     {"data", {"sample"}},
                     {"tokenizer", {{"data", {"sample"}}, {"vocab_size", 1500}}},
                     {"seeds", {1}},
                     {"profiles", {{"quick", json::object()}}}};
  json model = {{"kind", "bert"}, {"d_model", 32},  {"n_heads", 2},         {"d_ff", 64},
                {"n_layers", 1},  {"dropout", 0.1}, {"max_positions", 192}, {"embedding_size", 16}};
  json train = {{"epochs", 2}, {"batch_size", 16}, {"log_every", 5}};
  if (arm == "pretrain") {
    experiment["task"] = "pretrain";
    experiment["instances"] = {{"sequence_length", 64}, {"dev_limit", 20}};
    model["mlm_bias"] = true;
    train["schedule"] = "cosine";
    train["warmup"] = 0.1;
    train["clip_norm"] = 1.0;
    train["epochs"] = 4;
    train["optimizer"] = {{"type", "adamw"}, {"weight_decay", 0.01}};
  } else {
    experiment["task"] = "korquad";
    experiment["features"] = {{"max_length", 192}, {"max_question", 32}, {"stride", 64}};
    train["patience"] = 5;
    train["monitor"] = "start_end_accuracy";
  }
  if (arm == "lstm") model = {{"kind", "lstm_qa"}, {"d_model", 16}};
  experiment["arms"] = {{{"name", arm}, {"model", model}, {"train", train}}};
  return experiment.dump(1);
}

TinyRun::TinyRun(const std::string& arm) : arm(arm) {
  folder.write("tiny.json", tiny_experiment(arm));
}

namespace {

std::string arguments(const TinyRun& tiny, const std::string& results, const std::string& more) {
  return " run " + single_quoted(tiny.folder / "tiny.json") +
         " --profile quick --threads 1 --no-fetch --results " +
         single_quoted(tiny.folder / results) + " " + more;
}

}  // namespace

std::string TinyRun::command(const std::string& results, const std::string& more) const {
  return program() + arguments(*this, results, more);
}

ShellResult TinyRun::run(const std::string& results, const std::string& more) const {
  return shell(warm_program() + arguments(*this, results, more));
}

std::string TinyRun::record(const std::string& results) const {
  return record_path(folder / results, "tiny", "quick", arm, 1);
}

std::string TinyRun::weights(const std::string& results) const {
  return weights_sha256(load_record(record(results)).weights);
}

int kill_repeatedly(const TinyRun& tiny, const std::string& results,
                    const std::vector<double>& delays, const std::string& more) {
  int killed = 0;
  const std::string record = single_quoted(tiny.record(results));
  for (const double delay : delays) {
    const ShellResult result =
        shell("old=$(stat -c %i " + record + " 2>/dev/null || true); " +
              tiny.command(results, "--checkpoint-seconds 0 --quiet " + more) +
              " >/dev/null 2>&1 & pid=$!; "
              "for i in $(seq 6000); do now=$(stat -c %i " +
              record +
              " 2>/dev/null || true); "
              "[ -n \"$now\" ] && [ \"$now\" != \"$old\" ] && break; "
              "kill -0 $pid 2>/dev/null || break; sleep 0.01; done; sleep " +
              std::to_string(delay) + "; kill -9 $pid 2>/dev/null; wait $pid 2>/dev/null; true");
    INFO(result.output);
    const RunRecord after = load_record(tiny.record(results));
    CHECK((after.status == "running" || after.status == "finished"));
    if (after.status == "running") {
      REQUIRE(after.resume);
      ++killed;
    }
  }
  return killed;
}

void check_same_run(const TinyRun& tiny, const std::string& left, const std::string& right) {
  const RunRecord a = load_record(tiny.record(left));
  const RunRecord b = load_record(tiny.record(right));
  CHECK(a.status == "finished");
  CHECK(weights_sha256(a.weights) == weights_sha256(b.weights));
  REQUIRE(a.metrics.size() == b.metrics.size());
  for (const auto& [name, series] : a.metrics) {
    INFO(name);
    if (name == "train/tokens_per_second" || name == "spent/seconds") continue;  // by time
    CHECK(b.metrics.at(name).step == series.step);
    CHECK(b.metrics.at(name).value == series.value);
  }
}

}  // namespace minibert::testing
