// The program itself: runs, kills, resumes, refuses.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "core/files.h"
#include "experiment/runner.h"
#include "experiment/tiny.h"
#include "record/run_record.h"
#include "support/shell.h"
#include "task/all/export_run.h"
#include "task/weights.h"
#include "text/tokenizer.h"

using namespace minibert;
using namespace minibert::testing;
using Catch::Matchers::Contains;

TEST_CASE("a run ends in a finished record with everything a comparison needs") {
  const TinyRun tiny("bert");
  const ShellResult result = tiny.run("a");
  INFO(result.output);
  REQUIRE(result.status == 0);
  const RunRecord record = load_record(tiny.record("a"));
  CHECK(record.status == "finished");
  CHECK(record.summary.at("questions") == 73);
  CHECK(record.summary.at("parameters") > 10000);
  for (const char* name :
       {"exact_match", "f1", "start_accuracy", "end_accuracy", "course_start_accuracy",
        "ms_per_question", "tokens_per_second", "wall_seconds"})
    CHECK(record.summary.count(name) == 1);
  CHECK(record.metrics.at("dev/start_accuracy").value.size() == 2);
  for (const char* name : {"train/loss", "train/learning_rate", "train/tokens_per_second"})
    CHECK(record.metrics.count(name) == 1);
  REQUIRE(record.predictions);
  CHECK(record.predictions->id.size() == 73);
  CHECK(record.data.at("id") == "sample");
  CHECK(record.config.at("model").at("vocab_size") == 1500);
  CHECK(!record.resume);
  CHECK_FALSE(record.weights.empty());
  CHECK_FALSE(record.tokenizer_model.empty());
  CHECK_THAT(result.output, Contains("data: sample"));
  CHECK(record.environment.at("threads") == 1);

  SECTION("and the same command leaves it as it is") {
    const auto before = std::filesystem::last_write_time(tiny.record("a"));
    const ShellResult again = tiny.run("a");
    CHECK(again.status == 0);
    CHECK_THAT(again.output, Contains("finished before, kept"));
    CHECK(std::filesystem::last_write_time(tiny.record("a")) == before);
  }
  SECTION("and another configuration sets it aside, naming the difference") {
    const ShellResult other = tiny.run("a", "--set arms[0].train.epochs=3");
    CHECK(other.status == 0);
    CHECK_THAT(other.output,
               Contains("was a run of another configuration") && Contains("epochs: 3, was 2"));
    CHECK(load_record(tiny.record("a")).metrics.at("dev/start_accuracy").value.size() == 3);
    CHECK(weights_sha256(load_record(tiny.record("a") + "." + record.started + ".old").weights) ==
          weights_sha256(record.weights));
  }
}

TEST_CASE("the same configuration gives the same weights, bit for bit") {
  const std::string arm = GENERATE("lstm", "bert", "pretrain");
  const TinyRun tiny(arm);
  REQUIRE(tiny.run("a").status == 0);
  REQUIRE(shell(tiny.command("b")).status == 0);  // in other memory
  CHECK(tiny.weights("a") == tiny.weights("b"));
  REQUIRE(tiny.run("c", "--seeds 2").status == 0);
  const std::string other = record_path(tiny.folder / "c", "tiny", "quick", arm, 2);
  CHECK(weights_sha256(load_record(other).weights) != tiny.weights("a"));
}

TEST_CASE("models kept on the way are those of their steps, and make a series") {
  const TinyRun tiny("pretrain");
  const ShellResult kept = tiny.run("a", "--keep-at 0,500,1000");
  INFO(kept.output);
  REQUIRE(kept.status == 0);
  const std::string record = tiny.record("a");
  REQUIRE(tiny.run("b").status == 0);
  CHECK(tiny.weights("a") == tiny.weights("b"));  // nothing of the training is another
  // A run that is finished makes none any more, and says so.
  CHECK_THAT(tiny.run("b", "--keep-at 500,1000").output,
             Contains("seed 1: --keep-at: the finished run kept no model at 500, 1000"));
  CHECK_FALSE(std::filesystem::exists(kept_model(tiny.record("b"), 500)));
  CHECK_THAT(tiny.run("a", "--keep-at 500,1000").output, !Contains("kept no model"));
  for (const int share : {0, 500, 1000}) CHECK(std::filesystem::exists(kept_model(record, share)));
  CHECK_FALSE(std::filesystem::exists(kept_model(record, 10)));
  // The last is the record's own, but for what a summary says of it.
  const std::string series = tiny.folder / "a.mbqs";
  REQUIRE(
      shell(warm_program() + " export --format mbqs --run " + record + " --out " + series).status ==
      0);
  const std::string text = " --json '나라 [MASK]'";
  const auto guesses = [&](const std::string& run) {
    const ShellResult found = shell(warm_program() + " fill-mask --run " + run + text);
    INFO(found.output);
    REQUIRE(found.status == 0);
    return nlohmann::json::parse(found.output).at("masks").dump();
  };
  std::set<std::string> different;
  for (const int share : {0, 500, 1000}) {
    const std::string at = guesses(kept_model(record, share));
    CHECK(guesses(series + "@" + std::to_string(share)) == at);
    different.insert(at);
  }
  CHECK(different.size() == 3);
  CHECK(guesses(series) == guesses(series + "@1000"));
  const ShellResult none = shell(warm_program() + " fill-mask --run " + series + "@7" + text);
  CHECK(none.status == 2);
  CHECK_THAT(none.output, Contains("found @7, expected one of 0, 500, 1000"));
  CHECK_THAT(
      shell(warm_program() + " export --format mbqs --run " + tiny.record("b") + " --out " + series)
          .output,
      Contains("no models there, expected those of `minibert run --keep-at`"));
  // Where a mean of weights is what is evaluated and stored, it is what is kept.
  REQUIRE(tiny.run("mean", "--keep-at 1000 --set arms[0].train.average_from=0.2").status == 0);
  const std::string exported = tiny.folder / "mean.mbq";
  REQUIRE(shell(warm_program() + " export --run " + tiny.record("mean") + " --out " + exported)
              .status == 0);
  CHECK(guesses(kept_model(tiny.record("mean"), 1000)) == guesses(exported));
  CHECK(guesses(exported) != guesses(kept_model(record, 1000)));
}

TEST_CASE("two shares of one step are both kept, and one that cannot be written is told") {
  const TinyRun tiny("pretrain");
  REQUIRE(tiny.run("a", "--keep-at 500,501").status == 0);
  for (const int share : {500, 501})
    CHECK(std::filesystem::exists(kept_model(tiny.record("a"), share)));
  const auto folder = std::filesystem::path(kept_model(tiny.record("b"), 500)).parent_path();
  std::filesystem::create_directories(folder.parent_path());
  write_file_atomically(folder, "a file where the folder is to be");
  const ShellResult told = tiny.run("b", "--keep-at 500");
  INFO(told.output);
  CHECK(told.status == 0);
  CHECK_THAT(told.output, Contains("; the run goes on without this model"));
}

TEST_CASE("a record names the precision that its model computed in, not what was asked for") {
  const TinyRun tiny("lstm");  // whose products are in fp32 alone
  REQUIRE(tiny.run("a", "--precision bf16").status == 0);
  RunRecord record = load_record(tiny.record("a"));
  CHECK(record.config.at("precision") == "fp32");
  CHECK(record.environment.at("precision") == "fp32");
  CHECK(record.environment.at("precision_why") == "the model has no products in bf16");

  SECTION("so that it is the same run whatever is asked for") {
    CHECK_THAT(tiny.run("a", "--precision fp32").output, Contains("finished before, kept"));
  }
  SECTION("and a record of before, which names what was asked for, is kept") {
    record.config["precision"] = "bf16";
    save_record(record, tiny.record("a"));
    CHECK_THAT(tiny.run("a", "--precision bf16").output, Contains("finished before, kept"));
  }
}

TEST_CASE("a damaged record at a run's place is kept, until --force replaces it") {
  const TinyRun tiny("lstm");
  REQUIRE(tiny.run("a").status == 0);
  std::filesystem::resize_file(tiny.record("a"), std::filesystem::file_size(tiny.record("a")) / 2);
  const ShellResult refused = tiny.run("a");
  CHECK(refused.status == 1);
  CHECK_THAT(refused.output, Contains("move it away, or replace it with --force"));
  CHECK(tiny.run("a", "--force").status == 0);
  CHECK(load_record(tiny.record("a")).status == "finished");
}

TEST_CASE("protocol course stops on the reported split, as the course did") {
  const TinyRun tiny("bert");
  REQUIRE(tiny.run("a", "--set protocol=course").status == 0);
  const RunRecord record = load_record(tiny.record("a"));
  CHECK(record.config.at("protocol") == "course");
  const auto& dev = record.metrics.at("dev/start_accuracy").value;
  CHECK(*std::max_element(dev.begin(), dev.end()) == Approx(record.summary.at("start_accuracy")));
}

TEST_CASE("evaluations come from the record alone") {
  const TinyRun tiny("bert");
  REQUIRE(tiny.run("a").status == 0);
  const std::string record = single_quoted(tiny.record("a"));
  const ShellResult evaluated = shell(
      warm_program() + " evaluate --run " + record + " --data sample --json --precision " +
      load_record(tiny.record("a")).config.at("precision").get<std::string>() + " 2>/dev/null");
  REQUIRE(evaluated.status == 0);
  const auto metrics = nlohmann::json::parse(evaluated.output);
  const RunRecord stored = load_record(tiny.record("a"));
  CHECK(metrics.at("f1").get<double>() == Approx(stored.summary.at("f1")));
  CHECK(metrics.at("exact_match").get<double>() == Approx(stored.summary.at("exact_match")));
}

TEST_CASE("bad arguments end with status 2 and one line") {
  struct Case {
    const char* name;
    std::string arguments;
    const char* expected;
  };
  const Case cases[] = {
      {"unknown experiment", "run korquad_lstm_vs_brt", "did you mean \"korquad_lstm_vs_bert\"?"},
      {"unknown arm", "run korquad_lstm_vs_bert --profile quick --arms lstn",
       "there is no \"lstn\" in experiments/korquad_lstm_vs_bert.json, expected some of"},
      {"an arm that the profile leaves out", "run korquad_lstm_vs_bert --profile quick --arms bert",
       "there is no \"bert\" in experiments/korquad_lstm_vs_bert.json, expected some of"},
      {"unknown device", "run korquad_lstm_vs_bert --profile quick --device tpu", "tpu"},
      {"a seed below zero", "run korquad_lstm_vs_bert --profile quick --list --seeds -1",
       "--seeds"},
      {"a seed that no record holds",
       "run korquad_lstm_vs_bert --profile quick --list --seeds 18446744073709551615", "--seeds"},
      {"a seed twice", "run korquad_lstm_vs_bert --profile quick --list --seeds 1,2,1",
       "--seeds: 1 is listed twice"},
      {"no number of seconds",
       "run korquad_lstm_vs_bert --profile quick --list --checkpoint-seconds nan",
       "--checkpoint-seconds: found nan"},
      {"a coverage that SentencePiece does not train with",
       "run learning --profile full --list --set tokenizer.character_coverage=0.97",
       "tokenizer.character_coverage: found 0.97, expected a number from 0.98 to 1"},
      {"no such record", "predict --run nowhere.h5 --context a --question b", "nowhere.h5"},
      {"empty question", "predict --run nowhere.h5 --context a --question ' '",
       "--question: is blank"},
  };
  for (const Case& one : cases) {
    INFO(one.name);
    const ShellResult result = shell(warm_program() + " " + one.arguments);
    INFO(result.output);
    CHECK(result.status != 0);
    CHECK_THAT(result.output, Contains(one.expected));
  }
}

TEST_CASE("masks that were chosen with the instances take no masking rate of a phase") {
  const TinyRun tiny("pretrain");
  const ShellResult result =
      tiny.run("a",
               "--set instances.masking=static --set "
               R"('arms[0].train.phases=[{"epochs": 1, "n_seq": 64, "single_piece_share": 0.5}]')");
  CHECK(result.status == 2);
  CHECK_THAT(result.output,
             Contains("arms[0].train.phases: found mask_probability or single_piece_share"));
}

TEST_CASE("a stored run is made again from its record with the same weights") {
  const TinyRun tiny("bert");
  REQUIRE(tiny.run("a").status == 0);
  const ShellResult result =
      shell(warm_program() + " reproduce --json --quiet --run " + single_quoted(tiny.record("a")) +
            " --results " + single_quoted(tiny.folder / "again") + " 2>/dev/null");
  INFO(result.output);
  REQUIRE(result.status == 0);
  const auto report = nlohmann::json::parse(result.output);
  CHECK(report.at("alike") == true);
  CHECK(report.at("parts").front().at("part") == "inputs");
  CHECK(report.at("parts").back().at("part") == "weights");
  for (const auto& part : report.at("parts")) {
    INFO(part.dump());
    CHECK(part.at("likeness") == "equal");
  }

  SECTION("what is not as recorded is said before, and a figure that differs is exit status 1") {
    RunRecord record = load_record(tiny.record("a"));
    record.environment["threads"] = 3;
    record.summary["f1"] += 1;
    save_record(record, tiny.record("a"));
    const ShellResult other = shell(warm_program() + " reproduce --quiet --threads 1 --run " +
                                    single_quoted(tiny.record("a")) + " --results " +
                                    single_quoted(tiny.folder / "again"));
    CHECK(other.status == 1);
    CHECK_THAT(other.output, Contains("not as recorded: threads: stored 3, here 1") &&
                                 Contains("different  figure f1: stored ") &&
                                 Contains("equal      metric dev/start_accuracy\n") &&
                                 Contains("the new run differs from its record"));
  }
  SECTION("once more it is made again, and never over the stored run") {
    const std::string again = " --results " + single_quoted(tiny.folder / "again");
    RunRecord made = load_record(tiny.record("again"));
    made.summary["f1"] += 1;
    save_record(made, tiny.record("again"));
    const ShellResult second = shell(warm_program() + " reproduce --quiet --run " +
                                     single_quoted(tiny.record("a")) + again);
    CHECK(second.status == 0);
    CHECK_THAT(second.output, Contains("was reproduced before, kept as "));
    const ShellResult over =
        shell(warm_program() + " reproduce --run " + single_quoted(tiny.record("a")) +
              " --results " + single_quoted(tiny.folder / "a"));
    CHECK(over.status == 2);
    CHECK_THAT(over.output, Contains("--results: found the folder that "));
  }
  SECTION("a figure that the record does not have is told before anything is trained") {
    RunRecord record = load_record(tiny.record("a"));
    record.summary.erase("start_accuracy");
    save_record(record, tiny.record("a"));
    const ShellResult other = shell(warm_program() + " reproduce --figure start_accuracy --run " +
                                    single_quoted(tiny.record("a")) + " --results " +
                                    single_quoted(tiny.folder / "never"));
    CHECK(other.status == 2);
    CHECK_THAT(other.output, Contains("--figure: found \"start_accuracy\", expected one of: ") &&
                                 !Contains("epoch"));
    CHECK_FALSE(std::filesystem::exists(tiny.folder / "never"));
  }
  SECTION("from other inputs nothing is trained") {
    RunRecord record = load_record(tiny.record("a"));
    record.data["files"][0]["sha256"] = "00";
    save_record(record, tiny.record("a"));
    const ShellResult other =
        shell(warm_program() + " reproduce --quiet --run " + single_quoted(tiny.record("a")) +
              " --results " + single_quoted(tiny.folder / "never"));
    CHECK(other.status == 1);
    CHECK_THAT(other.output, Contains("nothing was trained: inputs differ from those of the stored "
                                      "run: data file ") &&
                                 Contains("stored 00, here "));
    CHECK_FALSE(std::filesystem::exists(tiny.record("never")));
  }
}

TEST_CASE("weights are rounded to float16 on request, take half the room, and are made again so") {
  const TinyRun tiny("bert");
  REQUIRE(tiny.run("whole").status == 0);
  REQUIRE(tiny.run("half", "--weights half").status == 0);
  const RunRecord whole = load_record(tiny.record("whole")),
                  half = load_record(tiny.record("half"));
  CHECK_FALSE(are_half(whole.weights));
  CHECK(are_half(half.weights));
  for (size_t i = 0; i < whole.weights.size(); ++i)
    for (size_t k = 0; k < whole.weights[i].values.size(); ++k)
      REQUIRE(half.weights[i].values[k] ==
              Approx(whole.weights[i].values[k]).epsilon(0x1p-11).margin(0x1p-25));
  const auto size = [&](RunRecord record) {
    record.diff.clear();  // of the source tree, which may be longer than all else
    const std::string path = tiny.folder / "size.h5";
    save_record(record, path);
    return static_cast<double>(std::filesystem::file_size(path) - record.tokenizer_model.size());
  };
  CHECK(size(half) < 0.75 * size(whole));
  const ShellResult again =
      shell(warm_program() + " reproduce --quiet --run " + single_quoted(tiny.record("half")) +
            " --results " + single_quoted(tiny.folder / "again"));
  INFO(again.output);
  CHECK(again.status == 0);
  CHECK_THAT(again.output, Contains("equal      weights"));
}

TEST_CASE("a run from another tokenizer or other start weights is set aside, not mixed") {
  const TinyRun tiny("bert");
  REQUIRE(tiny.run("a").status == 0);
  REQUIRE(tiny.run("other", "--set tokenizer.character_coverage=0.98").status == 0);
  const std::string start = tiny.folder / "start.h5";
  std::filesystem::copy_file(tiny.record("a"), start);
  nlohmann::json next = nlohmann::json::parse(tiny_experiment("bert"));
  next["tokenizer"] = {{"run", start}};
  next["arms"][0]["init_from"] = start;
  next["arms"][0].erase("model");
  tiny.folder.write("tiny.json", next.dump());
  REQUIRE(tiny.run("b").status == 0);

  SECTION("other start weights") {
    RunRecord record = load_record(start);
    record.weights[0].values[0] += 1;
    save_record(record, start);
    const ShellResult result = tiny.run("b");
    INFO(result.output);
    CHECK(result.status == 0);
    CHECK_THAT(result.output, Contains("was a run from other inputs (start weights: stored "));
  }
  SECTION("another tokenizer, however often: every run that is set aside stays") {
    RunRecord record = load_record(tiny.record("b"));
    record.started = "2026-01-01T00:00:00Z";
    save_record(record, tiny.record("b"));
    std::filesystem::copy_file(tiny.record("b"), tiny.record("b") + "." + record.started + ".old");
    std::filesystem::copy_file(tiny.record("other"), start,
                               std::filesystem::copy_options::overwrite_existing);
    const ShellResult result = tiny.run("b");
    INFO(result.output);
    CHECK_THAT(result.output,
               Contains("kept as " + tiny.record("b") + "." + record.started + "-2.old"));
  }
}

TEST_CASE("the runs of an experiment are listed, and one of them runs by its number") {
  const TinyRun tiny("lstm");
  const ShellResult list =
      tiny.run("a", "--seeds 1,2 --set arms[0].train.epochs=1 --list 2>/dev/null");
  const std::string second = record_path(tiny.folder / "a", "tiny", "quick", "lstm", 2);
  CHECK(list.output == "1\tlstm\t1\t" + tiny.record("a") + "\n2\tlstm\t2\t" + second + "\n");
  const ShellResult one = tiny.run("a", "--seeds 1,2 --set arms[0].train.epochs=1 --only 2");
  INFO(one.output);
  CHECK(one.status == 0);
  CHECK(std::filesystem::exists(second));
  CHECK_FALSE(std::filesystem::exists(tiny.record("a")));
  const ShellResult sweep =
      tiny.run("a", R"(--set 'sweep={"arms[lstm].model.d_model": [8, 16]}' --list 2>/dev/null)");
  CHECK_THAT(sweep.output, Contains("1\tlstm-d_model8\t1\t") && Contains("2\tlstm-d_model16\t1\t"));
  const ShellResult none = tiny.run("a", "--seeds 1,2 --only 3");
  CHECK(none.status == 2);
  CHECK_THAT(none.output, Contains("--only: found 3, expected 1 to 2"));
}

TEST_CASE("a signal ends a run at once while its data is prepared") {
  const TinyRun tiny("bert");
  const std::string log = single_quoted(tiny.folder / "log");
  // A tokenizer that takes many seconds to train; being killed, it never gets into the cache.
  const std::string command =
      tiny.command("a", R"(--set 'tokenizer.data=["kowiki-small"]' --set tokenizer.type=unigram)"
                        " --set tokenizer.vocab_size=8007");
  const ShellResult result =
      shell(command + " 2>" + log + " & pid=$!; until grep -q ^device " + log +
            "; do sleep 0.02; done; kill -TERM $pid; wait $pid; echo status $?; cat " + log);
  INFO(result.output);
  CHECK_THAT(result.output, Contains("minibert: interrupted") && Contains("status 1\n"));
  CHECK_FALSE(std::filesystem::exists(tiny.record("a")));
}

TEST_CASE("an arm starts from any record with the same encoder and tokenizer") {
  const TinyRun tiny("bert");
  REQUIRE(tiny.run("a").status == 0);
  const RunRecord first = load_record(tiny.record("a"));
  nlohmann::json next = nlohmann::json::parse(tiny_experiment("bert"));
  next["tokenizer"] = {{"run", tiny.record("a")}};
  next["arms"][0]["init_from"] = tiny.record("a");
  next["arms"][0].erase("model");
  // Without a step that changes anything all weights are those of the start, the head's as well.
  next["arms"][0]["train"]["optimizer"] = {{"lr", 0}};
  tiny.folder.write("tiny.json", next.dump());
  const ShellResult result = tiny.run("b");
  INFO(result.output);
  REQUIRE(result.status == 0);
  CHECK(weights_sha256(load_record(tiny.record("b")).weights) == weights_sha256(first.weights));

  SECTION("but not from one with another tokenizer, and the other arms go on") {
    next["tokenizer"] = {{"data", {"sample"}}, {"vocab_size", 1200}};
    next["arms"].push_back({{"name", "lstm"},
                            {"model", {{"kind", "lstm"}, {"d_model", 8}}},
                            {"train", {{"epochs", 1}}}});
    tiny.folder.write("tiny.json", next.dump());
    const ShellResult other = tiny.run("c");
    CHECK(other.status == 1);
    CHECK_THAT(other.output,
               Contains("was trained with another tokenizer") && Contains("lstm seed 1: finished"));
  }
  SECTION("nor from one that is not there, and the other arms go on") {
    next["arms"][0]["init_from"] = "nowhere.h5";
    next["arms"].push_back({{"name", "lstm"},
                            {"model", {{"kind", "lstm"}, {"d_model", 8}}},
                            {"train", {{"epochs", 1}}}});
    tiny.folder.write("tiny.json", next.dump());
    const ShellResult other = tiny.run("d");
    CHECK(other.status == 1);
    const size_t told =
        other.output.find(tiny.arm + " starts from nowhere.h5, which is not here: train it first");
    CHECK(told < other.output.find("seed 1"));  // before anything trains
    CHECK_THAT(other.output,
               Contains("nowhere.h5: no such file") && Contains("lstm seed 1: finished"));
  }
}

TEST_CASE("a run whose place a shipped record has is kept beside, and the record stays") {
  const TinyRun tiny("lstm");
  REQUIRE(tiny.run("a").status == 0);
  const std::string shipped = tiny.record("a"),
                    own = record_path(tiny.folder / "a/own", "tiny", "quick", tiny.arm, 1);
  // The program asks git whether a record is shipped: here that of a repository made for the purpose.
  const std::string folder = single_quoted(tiny.folder.path());
  REQUIRE(shell("git -C " + folder + " init -q && git -C " + folder + " add -f a").status == 0);
  const std::string command = "GIT_DIR=" + single_quoted(tiny.folder / ".git") +
                              " GIT_WORK_TREE=" + folder + " " +
                              tiny.command("a", "--set arms[0].train.epochs=1 ");
  const auto before = std::filesystem::last_write_time(shipped);
  const ShellResult result = shell(command);
  INFO(result.output);
  CHECK(result.status == 0);
  CHECK_THAT(result.output, Contains(shipped + ": the shipped run is of another configuration (") &&
                                Contains("the new run is kept as " + own));
  CHECK(std::filesystem::last_write_time(shipped) == before);
  REQUIRE(std::filesystem::exists(own));
  CHECK(load_record(own).status == "finished");
  const ShellResult again = shell(command);
  CHECK_THAT(again.output, Contains("finished before, kept (" + own + ")"));
  // Nor does --force write over it.
  CHECK_THAT(shell(command + "--force").output, Contains("the new run is kept as " + own));
  CHECK(std::filesystem::last_write_time(shipped) == before);
}

TEST_CASE("without git a record that names a commit is a shipped one") {
  const std::string path = "nowhere/bert-s1.h5";
  RunRecord record;
  record.environment["git"]["commit"] = "276fb99bb56a8b5df2f779ff840e19c94feb91a6";
  CHECK(is_shipped(record, path, ""));
  // Where there is git, it alone decides.
  CHECK_FALSE(is_shipped(record, path, "276fb99bb56a8b5df2f779ff840e19c94feb91a6"));
  record.environment["git"]["commit"] = "";  // as a run says that was made there
  CHECK_FALSE(is_shipped(record, path, ""));
  record.environment = nlohmann::json::object();
  CHECK_FALSE(is_shipped(record, path, ""));
}

TEST_CASE("threads that wait for each other sleep, unless the user says otherwise") {
  const TinyRun tiny("bert");
  const auto spins = [&](const std::string& given) {  // what a training's OpenMP has been told
    return shell("env -u GOMP_SPINCOUNT -u OMP_WAIT_POLICY " + given + " " +
                 tiny.command("a", "--quiet --set arms[bert].train.epochs=500") +
                 " >/dev/null 2>&1 & pid=$!; for i in $(seq 1000); do [ -e " +
                 single_quoted(tiny.record("a")) +
                 " ] && break; sleep 0.01; done; tr '\\0' '\\n' </proc/$pid/environ | "
                 "grep GOMP_SPINCOUNT; kill -9 $pid; wait $pid 2>/dev/null; rm -r " +
                 single_quoted(tiny.record("a")))
        .output;
  };
  CHECK(spins("") == "GOMP_SPINCOUNT=1000\n");
  CHECK(spins("GOMP_SPINCOUNT=7") == "GOMP_SPINCOUNT=7\n");
  CHECK(spins("OMP_WAIT_POLICY=active") == "");
}
