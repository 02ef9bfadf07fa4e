// One run made by two processes: the same curve as by one, and one clear line where something is wrong.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "experiment/tiny.h"
#include "record/run_record.h"

using namespace minibert;
using namespace minibert::testing;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;

namespace {

constexpr char kFloat32[] = " --precision fp32";
constexpr char kNoDropout[] = " --set arms[0].model.dropout=0";

// bash that finds a free port and starts `commands`, one a rank; process IDs in $p0, $p1, …
std::string start(const std::vector<std::string>& commands) {
  std::string text =
      "port=$(python3 -c 'import socket; s = socket.socket(); s.bind((\"\", 0)); "
      "print(s.getsockname()[1])'); export MASTER_ADDR=127.0.0.1 MASTER_PORT=$port "
      "MINIBERT_TIMEOUT=20 WORLD_SIZE=" +
      std::to_string(commands.size()) + "; ";
  for (size_t rank = 0; rank < commands.size(); ++rank) {
    const std::string number = std::to_string(rank);
    text += "RANK=" + number + " LOCAL_RANK=" + number + " " + commands[rank] + " & p" + number +
            "=$!; ";
  }
  return text;
}

std::string wait(size_t processes) {
  std::string text;
  for (size_t rank = 0; rank < processes; ++rank)
    text +=
        "wait $p" + std::to_string(rank) + "; echo rank " + std::to_string(rank) + " status $?; ";
  return text;
}

ShellResult run(const std::vector<std::string>& commands) {
  return shell(start(commands) + wait(commands.size()));
}

void check_good(const ShellResult& result) {
  INFO(result.output);
  REQUIRE(contains(result.output, "rank 0 status 0"));
  REQUIRE(contains(result.output, "rank 1 status 0"));
}

// The same losses at the same steps; weights whose difference is small beside them. (A gradient that is
// zero but for rounding moves a weight by the learning rate, one way or the other, so single weights may
// differ.)
void check_same_curve(const TinyRun& tiny, const std::string& left, const std::string& right) {
  const RunRecord a = load_record(tiny.record(left)), b = load_record(tiny.record(right));
  CHECK(a.status == "finished");
  CHECK(b.status == "finished");
  for (const auto& [name, series] : a.metrics) {
    if (name == "train/tokens_per_second") continue;  // decided by time
    INFO(name);
    const MetricSeries& other = b.metrics.at(name);
    CHECK(other.step == series.step);
    REQUIRE(other.value.size() == series.value.size());
    if (name.find("loss") == std::string::npos) continue;
    for (size_t i = 0; i < series.value.size(); ++i)
      CHECK(other.value[i] == Approx(series.value[i]).epsilon(1e-3));
  }
  double squares = 0, difference = 0;
  REQUIRE(a.weights.size() == b.weights.size());
  for (size_t i = 0; i < a.weights.size(); ++i)
    for (size_t j = 0; j < a.weights[i].values.size(); ++j) {
      const double one = a.weights[i].values[j], other = b.weights[i].values[j];
      squares += one * one, difference += (one - other) * (one - other);
    }
  CHECK(std::sqrt(difference / squares) < 0.02);
}

}  // namespace

TEST_CASE("two processes, and one in parts, give the curve of one") {
  const std::string arm = GENERATE("bert", "pretrain");
  const TinyRun tiny(arm);
  const std::string same = std::string(kFloat32) + kNoDropout;
  REQUIRE(tiny.run("one", same).status == 0);
  const std::string both = tiny.command("two", same);
  check_good(run({both, both}));
  check_same_curve(tiny, "one", "two");
  // More parts than a batch has examples: some are empty.
  const ShellResult parts =
      tiny.run("parts", same + " --set arms[0].train.gradient_accumulation=20");
  INFO(parts.output);
  REQUIRE(parts.status == 0);
  check_same_curve(tiny, "one", "parts");
}

TEST_CASE(
    "with every other optimizer, schedule, mean and mask two processes give the curve of one") {
  const TinyRun tiny("pretrain");
  const std::string same =
      std::string(kFloat32) + kNoDropout +
      " --set arms[0].train.schedule=trapezoid --set arms[0].train.average_from=0.5"
      " --set 'arms[0].train.optimizer={\"type\": \"muon\", \"weight_decay\": 0.1, "
      "\"cautious_decay\": true}'"
      " --set 'arms[0].train.phases=[{\"epochs\": 4, \"n_seq\": 64, \"batch_size\": 16, "
      "\"mask_probability\": 0.3, \"mask_probability_end\": 0.1}]'";
  REQUIRE(tiny.run("one", same).status == 0);
  const std::string both = tiny.command("two", same);
  check_good(run({both, both}));
  check_same_curve(tiny, "one", "two");
  const RunRecord one = load_record(tiny.record("one")), two = load_record(tiny.record("two"));
  CHECK(one.selected_by == two.selected_by);
  CHECK(one.summary.at("flops") == two.summary.at("flops"));
  CHECK_THAT(one.selected_by, Contains("mean of the last "));
  // By a clock that only the first process reads: both mask alike, or their parts would not fit.
  const std::string timed =
      tiny.command("timed", same +
                                " --set arms[0].train.phases[0].epochs=100000 "
                                "--set arms[0].train.max_minutes=0.03");
  check_good(run({timed, timed}));
  CHECK(load_record(tiny.record("timed")).ended_by == "max_minutes");
}

TEST_CASE("parts of a batch have the same dropout, whichever process makes them") {
  const TinyRun tiny("pretrain");
  const std::string two = tiny.command("two", kFloat32);
  check_good(run({two, two}));
  REQUIRE(tiny.run("parts", std::string(kFloat32) + " --set arms[0].train.gradient_accumulation=2")
              .status == 0);
  check_same_curve(tiny, "two", "parts");
}

TEST_CASE("of the same weights two processes measure and store what one does, bit for bit") {
  // Three batches of questions; of instances one, so that the second process measures nothing.
  const TinyRun tiny(GENERATE("bert", "pretrain"));
  // Nothing is learnt, so that the weights are the same.
  const std::string same =
      std::string(kFloat32) + " --weights half --set 'arms[0].train.optimizer={\"lr\": 0}'";
  REQUIRE(tiny.run("one", same).status == 0);
  const std::string both = tiny.command("two", same);
  check_good(run({both, both}));
  const RunRecord one = load_record(tiny.record("one")), two = load_record(tiny.record("two"));
  CHECK(tiny.weights("one") == tiny.weights("two"));
  int dev = 0;
  for (const auto& [name, series] : one.metrics) {
    if (!name.starts_with("dev/")) continue;
    INFO(name);
    CHECK(two.metrics.at(name).value == series.value);
    ++dev;
  }
  CHECK(dev > 2);
  for (const auto& [name, value] : one.summary) {
    if (name.find("seconds") != std::string::npos || name == "tokens_per_second" ||
        name == "ms_per_question")
      continue;  // decided by time
    INFO(name);
    if (name == "flops") {  // a part is padded to its own longest row
      CHECK(two.summary.at(name) <= value);
      CHECK(two.summary.at(name) > value / 2);
      continue;
    }
    CHECK(two.summary.at(name) == value);
  }
  REQUIRE((one.predictions && two.predictions));
  CHECK(one.predictions->id.size() >= 20);
  CHECK(one.predictions->id == two.predictions->id);
  CHECK(one.predictions->texts == two.predictions->texts);
  CHECK(one.predictions->numbers == two.predictions->numbers);
}

TEST_CASE("a lost process ends the others, which name it, and two go on from there") {
  const TinyRun tiny("pretrain");
  const std::string more = std::string(kFloat32) + kNoDropout + " --checkpoint-seconds 0";
  const std::string both = tiny.command("a", more), record = single_quoted(tiny.record("a"));
  const ShellResult killed = shell(
      start({both, both}) + "until [ -e " + record + " ]; do sleep 0.02; done; " +
      "kill -9 $p1; SECONDS=0; wait $p0; echo rank 0 status $?; [ $SECONDS -lt 30 ] && echo soon");
  INFO(killed.output);
  CHECK_THAT(killed.output, Contains("rank 0 status 1") && Contains("soon") &&
                                Contains("minibert: rank 1 (") && Contains(") is lost"));
  const RunRecord left = load_record(tiny.record("a"));
  CHECK(left.status == "failed");
  REQUIRE(left.resume);
  const ShellResult on = run({both, both});
  check_good(on);
  CHECK_THAT(on.output, Contains("goes on from step"));
  REQUIRE(tiny.run("whole", more).status == 0);
  check_same_curve(tiny, "whole", "a");
}

TEST_CASE("Ctrl-C in one of two processes saves the run, and one goes on alone") {
  const TinyRun tiny("pretrain");
  const std::string more = std::string(kFloat32) + kNoDropout + " --checkpoint-seconds 0";
  const std::string both = tiny.command("a", more), record = single_quoted(tiny.record("a"));
  const ShellResult stopped = shell(start({both, both}) + "until [ -e " + record +
                                    " ]; do sleep 0.02; done; kill -INT $p1; " + wait(2));
  INFO(stopped.output);
  CHECK_THAT(stopped.output, Contains("rank 0 status 1") && Contains("rank 1 status 1") &&
                                 Contains("the same command goes on from there"));
  CHECK(load_record(tiny.record("a")).status == "interrupted");  // which rank 0 was not asked for
  const ShellResult on = tiny.run("a", more);
  INFO(on.output);
  CHECK(on.status == 0);
  CHECK_THAT(on.output, Contains("goes on from step"));
  REQUIRE(tiny.run("whole", more).status == 0);
  check_same_curve(tiny, "whole", "a");
}

TEST_CASE(
    "processes that would make different runs are refused, naming the rank and what differs") {
  const TinyRun tiny("pretrain");
  const ShellResult result =
      run({tiny.command("a"), tiny.command("a", "--set arms[0].train.optimizer.lr=0.5")});
  INFO(result.output);
  CHECK_THAT(
      result.output,
      Contains("rank 0 status 2") && Contains("rank 1 status 2") &&
          Contains("minibert: rank 1 would train another run: runs.0.arms.0.train.optimizer.lr: "
                   "0.5, rank 0 has 0.0005"));
  CHECK_FALSE(std::filesystem::exists(tiny.record("a")));
}

TEST_CASE(
    "a process with another program or other data is refused, naming the rank and what differs") {
  const TinyRun tiny("pretrain");
  const auto refused = [](const ShellResult& result, const std::string& what) {
    INFO(result.output);
    CHECK_THAT(result.output, Contains("rank 0 status 2") && Contains("rank 1 status 2") &&
                                  Contains("minibert: rank 1 would train another run: " + what));
  };
  const std::string copy = tiny.folder / "minibert";
  std::filesystem::copy_file(std::getenv("MINIBERT_PROGRAM"), copy);
  REQUIRE(shell("printf x >> " + single_quoted(copy)).status == 0);
  const std::string own = tiny.command("a");
  refused(run({own, single_quoted(copy) + own.substr(program().size())}), "program: \"");

  // The same experiment in two folders, whose text differs.
  auto experiment = nlohmann::json::parse(tiny_experiment("pretrain"));
  experiment["data"] = {{"files", {"mine.txt"}}, {"dev", {"mine.txt"}}};
  tiny.folder.write("tiny.json", experiment.dump());
  std::vector<std::string> commands;
  for (const std::string name : {"first", "second"}) {
    const std::filesystem::path place = tiny.folder / name;
    std::filesystem::create_directory(place);
    std::filesystem::create_directory_symlink(std::filesystem::absolute("experiments"),
                                              place / "experiments");
    std::string text;
    for (int i = 0; i < 60; ++i) text += "한강이 서울을 지난다.\n서울은 대한민국의 수도이다.\n\n";
    tiny.folder.write(name + "/mine.txt", text + name + "\n");
    commands.push_back("env -C " + single_quoted(place.string()) + " " + tiny.command("a"));
  }
  refused(run(commands), "data");
  CHECK_FALSE(std::filesystem::exists(tiny.record("a")));
}

TEST_CASE("a network interface that is not there ends with status 2 and one line") {
  const TinyRun tiny("pretrain");
  const std::string one = "env GLOO_SOCKET_IFNAME=nowhere0 " + tiny.command("a", "--quiet");
  const ShellResult result = run({one, one});
  INFO(result.output);
  CHECK_THAT(result.output,
             Contains("rank 0 status 2") && Contains("rank 1 status 2") &&
                 Contains("minibert: GLOO_SOCKET_IFNAME: found \"nowhere0\", expected a network "
                          "interface of this machine\n"));
}

TEST_CASE("a network interface that is not there is told before another process is waited for") {
  const TinyRun tiny("pretrain");
  const ShellResult result = shell(
      "GLOO_SOCKET_IFNAME=nowhere0 WORLD_SIZE=2 RANK=1 LOCAL_RANK=1 MASTER_ADDR=127.0.0.1 "
      "MASTER_PORT=1 " +
      tiny.command("a", "--quiet"));
  CHECK(result.status == 2);
  CHECK_THAT(result.output, EndsWith("minibert: GLOO_SOCKET_IFNAME: found \"nowhere0\", expected a "
                                     "network interface of this machine\n"));
}

TEST_CASE("a wrong RANK ends with status 2 and one line") {
  const TinyRun tiny("pretrain");
  const ShellResult result = shell("WORLD_SIZE=2 RANK=2 " + tiny.command("a"));
  CHECK(result.status == 2);
  CHECK(result.output ==
        "minibert: RANK: found \"2\", expected a whole number from 0 to 1 (WORLD_SIZE is 2)\n");
}
