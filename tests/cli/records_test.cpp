// `minibert inspect` and `minibert compare` as a user runs them: data to stdout, talk to stderr,
// exit status 0, 1 or 2.
#include <sys/wait.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/files.h"
#include "record/run_record.h"
#include "support/edited_record.h"
#include "support/program.h"
#include "support/sample_record.h"
#include "support/scratch.h"

namespace minibert {
namespace {

using Catch::Matchers::Contains;
using nlohmann::json;
using testing::check_refused;
using testing::ProgramResult;
using testing::run_program;
using testing::sample_record;
using testing::Scratch;
using testing::write_bytes;

RunRecord finished(const std::string& arm, double f1) {
  RunRecord record = sample_record();
  record.status = "finished";
  record.finished = "2026-11-20T22:40:00Z";
  record.arm = arm;
  if (arm == "lstm") record.started = "2026-11-20T22:01:00Z";  // before the other
  record.predictions->numbers["f1"] = {f1, f1, f1};
  record.summary["f1"] = 100 * f1;
  return record;
}

TEST_CASE("a command that these tests start comes out as one that a user starts") {
  const Scratch scratch;
  save_record(sample_record(), scratch / "a.h5");
  const auto started = [&](const std::string& program, const std::string& arguments) {
    const std::string to = " >" + scratch / "out" + " 2>" + scratch / "err";
    const int status = std::system(
        ("cd " + scratch.path() + " && echo '나라 [MASK]' | " + program + " " + arguments + to)
            .c_str());
    return std::tuple(status, read_file(scratch / "out"), read_file(scratch / "err"));
  };
  const std::string model = std::filesystem::absolute(testing::kShippedModel);
  for (const std::string& arguments :
       {std::string("inspect a.h5"), std::string("inspect none.h5"),
        std::string("--no-such-option"), "fill-mask --run " + model}) {
    INFO(arguments);
    CHECK(started(testing::warm_program(), arguments) == started(testing::program(), arguments));
  }
}

TEST_CASE("output that cannot be written is a failure") {
  const Scratch scratch;
  const std::string path = scratch / "a.h5";
  save_record(sample_record(), path);
  for (const std::string& command : {"inspect " + path, "inspect --json " + path,
                                     std::string("data list"), std::string("--help")}) {
    INFO(command);
    const std::string program = std::getenv("MINIBERT_PROGRAM");
    const int status =
        std::system((program + " " + command + " >/dev/full 2>" + scratch / "err").c_str());
    REQUIRE(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 1);
    CHECK(read_file(scratch / "err").starts_with("minibert: standard output: cannot be written"));
  }
}

TEST_CASE("a line break in what a user gives breaks no message") {
  for (const char* command : {"run", "data stats", "watch", "inspect"}) {
    const ProgramResult refused = run_program(std::string(command) + " 'no\nsuch'");
    INFO(refused.err);
    CHECK(refused.status != 0);
    CHECK_THAT(refused.err, Catch::Contains("no such"));
    CHECK(std::ranges::count(refused.err, '\n') == 1);
  }
}

TEST_CASE("verify says which records are good, and fails when one is not") {
  const Scratch scratch;
  RunRecord record = sample_record();
  record.metrics.at("train/loss").value.back() = 7;
  save_record(record, scratch / "good.h5");
  write_bytes(scratch / "bad.h5", "text");
  const ProgramResult good = run_program("verify " + scratch / "good.h5");
  CHECK(good.status == 0);
  CHECK_THAT(
      good.out,
      Catch::Matchers::StartsWith(scratch / "good.h5" + ": ok, a run that is running\n") &&
          Catch::Matchers::Contains("weights " + weights_sha256(record.weights).substr(0, 12)));
  const ProgramResult both =
      run_program("verify --json " + scratch / "good.h5" + " " + scratch / "bad.h5");
  CHECK(both.status == 1);
  CHECK(both.err == "minibert: 1 of 2 records cannot be trusted\n");
  const json all = json::parse(both.out);
  CHECK(all[0]["ok"] == true);
  CHECK(all[0]["weights_sha256"] == weights_sha256(record.weights));
  CHECK(all[1]["problems"] == json({"not an HDF5 file"}));
}

TEST_CASE("nothing is exported over a stored run, or under another format's name") {
  const Scratch scratch;
  const std::string record = scratch / "a.h5";
  std::filesystem::copy_file(testing::kShippedModel, record);
  const std::string run = std::string(" --run ") + testing::kShippedModel + " --out ";
  for (const std::string& command :
       {"export --format csv" + run + record, "export --format safetensors" + run + record,
        "tokenizer train experiments/sample/corpus.txt --out " + record})
    check_refused(command, "a.h5: is a stored run, expected another file");
  check_refused("export" + run + scratch / "a.onnx",
                "a.onnx: found no --format (default: mbq), expected --format onnx");
  CHECK(read_file(record) == read_file(testing::kShippedModel));
}

TEST_CASE("no database is written over a stored run, one that it is made of or another") {
  const Scratch scratch;
  std::filesystem::create_directories(scratch / "r/e/quick");
  const std::string read = scratch / "r/e/quick/a-s1.h5", other = scratch / "other.h5";
  save_record(finished("a", 0.5), read);
  save_record(finished("b", 0.5), other);
  const std::string bytes = read_file(read), other_bytes = read_file(other);
  const std::string command = "export --format sqlite --out ";
  check_refused(command + read + " --run " + read,
                "a-s1.h5: is the record itself, expected another file");
  check_refused(command + read + " --results " + scratch / "r",
                "a-s1.h5: is a stored run, expected another file");
  check_refused(command + other + " --run " + read,
                "other.h5: is a stored run, expected another file");
  CHECK(read_file(read) == bytes);
  CHECK(read_file(other) == other_bytes);
}

TEST_CASE("a record's copy keeps what it holds, and leaves out its weights where that is asked") {
  const Scratch scratch;
  const std::string path = scratch / "a.h5";
  const RunRecord record = finished("lstm", 0.5);
  save_record(record, path);
  const std::string bytes = read_file(path);
  const auto copied = [&](const std::string& from, const std::string& to, const std::string& how) {
    const ProgramResult done =
        run_program("export --format record --run " + from + " --out " + to + how);
    INFO(done.err);
    REQUIRE(done.status == 0);
    CHECK_THAT(done.out, Catch::Contains("KB"));
    return load_record(to);
  };
  CHECK(weights_sha256(copied(path, scratch / "whole.h5", "").weights) ==
        weights_sha256(record.weights));
  const RunRecord small = copied(path, scratch / "small.h5", " --no-weights");
  CHECK(small.weights.empty());
  CHECK(small.dropped_weights == weights_sha256(record.weights));
  CHECK(small.summary == record.summary);
  CHECK(small.predictions->numbers == record.predictions->numbers);
  // Once more changes nothing: the sum is still that of the weights that there were.
  CHECK(copied(scratch / "small.h5", scratch / "again.h5", " --no-weights").dropped_weights ==
        small.dropped_weights);
  CHECK(read_file(path) == bytes);
  const std::string command = "export --format record --run " + path + " --out ";
  check_refused(command + path, "a.h5: is the record itself, expected another file");
  check_refused(command + scratch / "small.h5", "small.h5: is a stored run, expected another file");
  check_refused("export --run " + path + " --no-weights --out " + scratch / "a.mbq",
                "--no-weights: found with --format mbq, expected with record alone");
}

TEST_CASE("a record with parts that its copy would lose is refused, and they are named") {
  const Scratch scratch;
  const std::string path = scratch / "a.h5";
  save_record(finished("lstm", 0.5), path);
  testing::unseal(path);
  testing::edit_record(path,
                       "f.attrs['note'] = 'mine'; f['weights/answer'].attrs['unit'] = 'none'; "
                       "f['notes/first'] = [1, 2]");
  const std::string command = "export --format record --run " + path + " --out " + scratch / "b.h5";
  const std::string message =
      "minibert: " + path + ": holds parts that a record does not have, which would be lost: ";
  const ProgramResult refused = run_program(command);
  CHECK(refused.status == 1);
  CHECK(refused.err == message + "/ attribute note, /weights/answer attribute unit, /notes\n");
  // Parts that belong to the weights may go with them.
  CHECK(run_program(command + " --no-weights").err == message + "/ attribute note, /notes\n");
  CHECK_FALSE(std::filesystem::exists(scratch / "b.h5"));
  CHECK_FALSE(std::filesystem::exists(scratch / "b.h5.tmp"));
}

TEST_CASE("a record of an older version, with neither seal nor checksums, can be copied") {
  const Scratch scratch;
  const std::string path = scratch / "a.h5";
  const RunRecord record = finished("lstm", 0.5);
  save_record(record, path);
  testing::unseal(path);
  testing::edit_record(path, "del f['depends']; del f['config'].attrs['sha256']");
  const ProgramResult whole =
      run_program("export --format record --run " + path + " --out " + scratch / "b.h5");
  INFO(whole.err);
  CHECK(whole.status == 0);
  CHECK(load_record(scratch / "b.h5").config == record.config);
}

TEST_CASE("a run that has not finished has no copy") {
  const Scratch scratch;
  RunRecord record = sample_record();
  record.status = "interrupted";
  save_record(record, scratch / "a.h5");
  const ProgramResult refused = run_program("export --format record --run " + scratch / "a.h5" +
                                            " --out " + scratch / "b.h5");
  CHECK(refused.status == 1);
  CHECK_THAT(refused.err, Catch::Contains("the run is interrupted, expected a finished one"));
  CHECK_FALSE(std::filesystem::exists(scratch / "b.h5"));
}

TEST_CASE("inspect prints a record's parts") {
  const Scratch scratch;
  const std::string path = scratch / "a.h5";
  const RunRecord record = sample_record();
  save_record(record, path);

  const ProgramResult overview = run_program("inspect " + path);
  CHECK(overview.status == 0);
  CHECK(overview.err.empty());
  for (const char* part :
       {"korquad_lstm_vs_bert/bert", "running", "quick", "2026-11-20T22:31:05Z", "sample",
        "exact_match", "33.125", "dev/f1", "train/loss", "10 bytes", "data.splits.dev", "32",
        "environment.device", "cpu", "resume state", "yes"}) {
    INFO(part);
    CHECK(overview.out.find(part) != std::string::npos);
  }

  const auto all = json::parse(run_program("inspect --json " + path).out);
  CHECK(all["status"] == "running");
  CHECK(all["seed"] == 7);
  CHECK(all["summary"]["f1"] == 41.5);
  CHECK(all["metrics"]["dev/f1"] == json({{"count", 1}, {"last", 41.5}, {"step", 20}}));
  CHECK(all["resume"] == true);
  CHECK(all["predictions"] == 3);
  CHECK(all["data"] == record.data);

  CHECK(json::parse(run_program("inspect --config " + path).out) == record.config);
  CHECK(
      json::parse(run_program("inspect --predictions " + path).out) ==
      json({{"6548850-0-0", "세종"}, {"6548850-0-1", ""}, {"6532051-1-0", "훈민정음(訓民正音)"}}));

  const ProgramResult weights = run_program("inspect --weights " + path);
  CHECK(weights.out.find("encoder.word_embedding.weight     2×3") != std::string::npos);
  CHECK(weights.out.find("9 values in 4 tensors, SHA-256 " + weights_sha256(record.weights)) !=
        std::string::npos);
  const auto tensors = json::parse(run_program("inspect --weights --json " + path).out);
  CHECK(tensors["sha256"] == weights_sha256(record.weights));
  CHECK(tensors["tensors"][1] == json({{"name", "classifier.bias"},
                                       {"shape", {2}},
                                       {"mean", 0.0},
                                       {"std", 0.5},
                                       {"min", -0.5},
                                       {"max", 0.5}}));
}

TEST_CASE("inspect prints predictions in their order, of an id that comes again the last") {
  const Scratch scratch;
  RunRecord record = sample_record();
  record.predictions->id = {"b", "a", "b"};
  save_record(record, scratch / "a.h5");
  CHECK(run_program("inspect --predictions " + scratch / "a.h5").out ==
        "{\"b\":\"훈민정음(訓民正音)\",\"a\":\"\"}\n");
}

TEST_CASE("a model file is no stored run, and a question's wrong name is answered with the way") {
  CHECK(
      run_program("inspect wasm_demo/models/everyday-1m.mbq").err ==
      "minibert: wasm_demo/models/everyday-1m.mbq: a model file (.mbq or safetensors), expected a "
      "stored run\n");
  CHECK_THAT(
      run_program(std::string("query --runs ") + testing::kShippedModel +
                  " 'SELECT accurcy FROM runs'")
          .err,
      Contains("no such column: accurcy (`minibert query --schema` lists tables and columns)"));
}

TEST_CASE("a file's name that is no UTF-8 breaks no JSON and no table") {
  const Scratch scratch;
  // 가 and 나 as Korean Windows has them, in code page 949.
  const std::string first = scratch / "\xb0\xa1.h5", second = scratch / "\xb3\xaa.h5";
  const auto measured = [](const std::string& arm) {
    RunRecord record = finished(arm, 0.5);
    record.metrics.at("train/loss").value.back() = 7;  // the sample's is no number
    record.metrics["dev/f1"] = {{10, 20}, {30, 40}};
    record.metrics["spent/tokens"] = {{10, 20}, {1000, 2000}};
    record.summary["steps"] = 20;
    return record;
  };
  save_record(measured("lstm"), first);
  save_record(measured("bert"), second);
  RunRecord stopped = measured("bert");
  stopped.seed = 8;
  stopped.status = "interrupted";
  const std::string left_out = scratch / "\xb4\xd9.h5";
  save_record(stopped, left_out);
  const auto asked = [](const std::string& command) {
    const ProgramResult result = run_program(command);
    INFO(command << "\n" << result.err);
    REQUIRE(result.status == 0);
    return json::parse(result.out);
  };
  const std::string unreadable = "\ufffd\ufffd.h5";
  CHECK(asked("verify --json " + first)[0]["file"] == scratch / unreadable);
  CHECK(asked("inspect --json " + first + " " + second)["first"] == scratch / unreadable);
  CHECK(asked("query --format json 'SELECT path FROM runs' --runs " + first)[0]["path"] ==
        scratch / unreadable);
  const std::string runs = " --runs " + first + "," + second + "," + left_out;
  CHECK(asked("compare --json" + runs)[0]["warnings"][0] ==
        scratch / unreadable + ": interrupted, left out");
  const ProgramResult table = run_program("query 'SELECT path FROM runs' --runs " + first);
  CHECK(table.status == 0);
  CHECK(table.out == "path\n" + scratch / "\\xb0\\xa1.h5" + "\n");
}

TEST_CASE("verify calls nothing wrong that is no record") {
  const ProgramResult model = run_program("verify wasm_demo/models/everyday-1m.mbq");
  CHECK(model.status == 2);
  CHECK(model.out.empty());
  CHECK_THAT(model.err,
             Contains("everyday-1m.mbq: a model file (.mbq or safetensors), expected records"));
  const ProgramResult folder = run_program("verify results/speedrun/full-2-core");
  CHECK(folder.status == 2);
  CHECK(folder.err ==
        "minibert: results/speedrun/full-2-core: is a folder, expected records: "
        "results/speedrun/full-2-core/*.h5\n");
}

TEST_CASE("inspect says in one line what is wrong") {
  const Scratch scratch;
  const std::string path = scratch / "a.h5";
  RunRecord record = sample_record();
  record.predictions.reset();
  save_record(record, path);
  const ProgramResult without = run_program("inspect --predictions " + path);
  CHECK(without.status == 1);
  CHECK(without.out.empty());
  CHECK(without.err == "minibert: " + path + ": running run without predictions\n");
  record.weights.clear();
  record.dropped_weights = std::string(64, 'a');
  save_record(record, path);
  for (const std::string json : {"", " --json"}) {
    const ProgramResult unweighted = run_program("inspect --weights " + path + json);
    CHECK(unweighted.status == 1);
    CHECK(unweighted.out.empty());
    CHECK(unweighted.err == "minibert: " + path +
                                ": running run without weights, whose SHA-256 was " +
                                record.dropped_weights + "\n");
  }

  write_bytes(scratch / "text.h5", "안녕\n");
  const ProgramResult text = run_program("inspect " + scratch / "text.h5");
  CHECK(text.status == 1);
  CHECK(text.err == "minibert: " + scratch / "text.h5" + ": not an HDF5 file\n");
  CHECK(run_program("inspect").status == 2);
  CHECK(run_program("inspect --config --weights " + path).status == 2);
}

TEST_CASE("compare prints the table from stored files alone") {
  const Scratch scratch;
  const std::string results = scratch / "results";
  const auto save = [&](const RunRecord& record) {
    const std::string path =
        record_path(results, record.experiment, record.profile, record.arm, record.seed);
    save_record(record, path);
    return path;
  };
  const std::string lstm = save(finished("lstm", 0.25));
  const std::string bert = save(finished("bert", 0.5));
  RunRecord unfinished = finished("bert", 0.5);
  unfinished.seed = 8;
  unfinished.status = "interrupted";
  const std::string interrupted = save(unfinished);

  const ProgramResult table =
      run_program("compare --name korquad_lstm_vs_bert --profile quick --results " + results);
  CHECK(table.status == 0);
  CHECK(table.err == "warning: " + interrupted + ": interrupted, left out\n");
  CHECK(run_program("compare --runs " + interrupted).err ==
        table.err + "minibert: no finished run to compare among 1\n");
  CHECK(table.out.starts_with("korquad_lstm_vs_bert, profile quick, data sample\n\narm "));
  CHECK(run_program("compare speedrun --profile full-2-core")
            .out.starts_with("speedrun, profile full (full-2-core), data "));
  // All examples differ alike, so how far others would is not known.
  CHECK_THAT(table.out, Catch::Matchers::Contains("bert - lstm  +25.00\n") &&
                            !Catch::Matchers::Contains("[+25.00"));
  CHECK(run_program("compare --results " + results).out == table.out);
  CHECK(run_program("compare --runs " + bert + "," + lstm).out == table.out);

  const std::string as_json = run_program("compare --json --results " + results).out;
  CHECK(json::parse(as_json).at(0)["differences"][0]["intervals"]["f1"]["difference"] == 25.0);
  CHECK(run_program("compare --format json --results " + results).out == as_json);
  CHECK(run_program("compare --format markdown --results " + results).out.find("| ---- |") !=
        std::string::npos);
  CHECK_THAT(run_program("compare --format csv --results " + results).err,
             Catch::Matchers::Contains("--format: 'csv', expected table, json or markdown"));

  const auto rows = [&](const std::string& options) {
    const ProgramResult result = run_program("compare --json --results " + results + " " + options);
    std::vector<std::string> labels;
    if (result.status != 0) return std::vector{result.err};
    const json compared = json::parse(result.out);
    for (const auto& arm : compared.at(0).at("arms")) labels.push_back(arm.at("label"));
    return labels;
  };
  CHECK(rows("--sort f1") == std::vector<std::string>{"bert", "lstm"});
  CHECK(rows("--group-by arm,environment.threads") ==
        std::vector<std::string>{"lstm, environment.threads=2", "bert, environment.threads=2"});
  write_bytes(scratch / "ids",
              "\xef\xbb\xbf"
              "6548850-0-1\r\n\n6532051-1-0\n");
  const auto left = json::parse(
      run_program("compare --json --results " + results + " --leave-out " + scratch / "ids").out);
  CHECK(left.at(0)["examples"] == 1);
  CHECK(left.at(0)["left_out"] == 2);
  write_bytes(scratch / "ids", "\n");
  CHECK(rows("--leave-out " + scratch / "ids") ==
        std::vector<std::string>{"minibert: " + scratch / "ids: no ids, expected one a line\n"});
}

TEST_CASE("a damaged record among those of an experiment is left out with a warning") {
  const Scratch scratch;
  const std::string folder = scratch / "r/e/quick";
  std::filesystem::create_directories(folder);
  for (const char* arm : {"a", "b"}) {
    RunRecord record = finished(arm, 0.5);
    record.experiment = "e";
    save_record(record, folder + "/" + arm + "-s1.h5");
  }
  std::filesystem::resize_file(folder + "/b-s1.h5",
                               std::filesystem::file_size(folder + "/b-s1.h5") / 2);
  const ProgramResult found = run_program("compare --results " + scratch / "r");
  CHECK(found.status == 0);
  CHECK_THAT(found.err,
             Catch::Matchers::Contains("b-s1.h5: ") && Catch::Matchers::Contains("; left out"));
  CHECK_THAT(found.out, Catch::Matchers::Contains("\na "));
  // One that was named is an error.
  CHECK(run_program("compare --runs " + folder + "/a-s1.h5," + folder + "/b-s1.h5").status == 1);
}

TEST_CASE("a key or figure that only some experiments have is asked of these") {
  const Scratch scratch;
  const std::string results = scratch / "r";
  for (const char* name : {"first", "second"}) {
    RunRecord record = finished("bert", 0.5);
    record.experiment = name;
    if (record.experiment == "second") {
      record.config["only_here"] = 3;
      record.summary["own_figure"] = 1;
    }
    const std::string path = record_path(results, name, "quick", "bert", record.seed);
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    save_record(record, path);
  }
  const auto tables = [&](const std::string& options) {
    const ProgramResult result = run_program("compare --json --results " + results + options);
    INFO(result.err);
    CHECK(result.status == 0);
    return json::parse(result.out).size();
  };
  CHECK(tables(" --sort own_figure") == 2);
  CHECK(tables(" --group-by only_here") == 1);
  CHECK(run_program("compare --sort none --results " + results).status == 2);
  CHECK(run_program("compare --group-by none --results " + results).status == 2);
}

TEST_CASE("a record's page of the report is made though another record is damaged") {
  const Scratch scratch;
  const std::string folder = scratch / "r/e/quick";
  std::filesystem::create_directories(folder);
  RunRecord record = finished("a", 0.5);
  record.experiment = "e";
  save_record(record, folder + "/a-s1.h5");
  write_bytes(folder + "/b-s1.h5", "text");
  const ProgramResult made = run_program("report --results " + scratch / "r");
  INFO(made.err);
  CHECK(made.status == 0);
  CHECK(made.out == scratch / "r/e/report.html" + "\n");
  CHECK_THAT(made.err, Catch::Contains("b-s1.h5: "));
  const std::string bytes = read_file(folder + "/a-s1.h5");
  testing::check_refused("report --runs " + folder + "/a-s1.h5 --out " + folder + "/a-s1.h5",
                         "a-s1.h5: is the record itself, expected another file");
  CHECK(read_file(folder + "/a-s1.h5") == bytes);
}

TEST_CASE("a report without its packages says what installs them") {
  const Scratch scratch;
  save_record(finished("a", 0.5), scratch / "a.h5");
  std::filesystem::create_directory(scratch / "assets");
  write_bytes(scratch / "assets/report.html", "/*{vega}*/");
  const ProgramResult refused =
      run_program("report --runs " + scratch / "a.h5" + " --assets " + scratch / "assets");
  CHECK(refused.status == 1);
  CHECK_THAT(refused.err, Catch::Contains("vega.min.js: cannot be read: ") &&
                              Catch::EndsWith(" (`make report` installs it)\n"));
}

TEST_CASE("a page of the report lies with the runs, whatever experiment they name") {
  const Scratch scratch;
  const std::string results = scratch / "r";
  for (const char* folder : {"r/shown/quick", "r/moved/quick", "elsewhere"}) {
    std::filesystem::create_directories(scratch / folder);
    save_record(finished("a", 0.5), scratch / folder + "/a-s1.h5");  // all of one experiment
  }
  const auto pages = [&](const std::string& arguments) {
    const ProgramResult made = run_program("report --results " + results + arguments);
    INFO(made.err);
    CHECK(made.status == 0);
    return made.out;
  };
  CHECK(pages("") == results + "/moved/report.html\n" + results + "/shown/report.html\n");
  write_bytes(results + "/shown/report.html", "another experiment's");
  CHECK(pages(" moved") == results + "/moved/report.html\n");
  CHECK(pages(" --runs " + results + "/moved/quick/a-s1.h5") == results + "/moved/report.html\n");
  CHECK(pages(" --runs " + scratch / "elsewhere/a-s1.h5") == scratch / "elsewhere/report.html\n");
  CHECK(read_file(results + "/shown/report.html") == "another experiment's");
  const std::string both =
      " --runs " + results + "/moved/quick/a-s1.h5," + results + "/shown/quick/a-s1.h5";
  testing::check_refused("report --results " + results + both, "expected --out");
  CHECK(pages(both + " --out " + scratch / "both.html") == scratch / "both.html\n");
  std::filesystem::create_directories(results + "/own/shown/quick");
  save_record(finished("a", 0.5), results + "/own/shown/quick/a-s1.h5");
  CHECK(pages(" shown") == results + "/own/shown/report.html\n" + results + "/shown/report.html\n");
}

TEST_CASE("runs are watched beside a record that cannot be read") {
  const Scratch scratch;
  std::filesystem::create_directories(scratch / "r/e/quick");
  for (const char* name : {"a-s1", "b-s1"})
    write_bytes(scratch / "r/e/quick/" + name + ".progress.jsonl",
                "{\"step\":10,\"steps\":40,\"epoch\":1,\"epochs\":2}\n");
  const std::string damaged = scratch / "r/e/quick/a-s1.h5";
  write_bytes(damaged, "text");
  const ProgramResult watched = run_program("watch e --results " + scratch / "r");
  INFO(watched.err);
  CHECK(watched.status == 0);
  CHECK_THAT(watched.out, Catch::StartsWith(damaged + ": not an HDF5 file\n") &&
                              Catch::Contains("b-s1.h5  stopped  epoch 1/2  step 10/40"));
  const ProgramResult named = run_program("watch " + damaged);
  CHECK(named.status == 1);
  CHECK(named.err == "minibert: " + damaged + ": not an HDF5 file\n");
}

TEST_CASE("what is wrong with the command line is said in one line") {
  testing::check_refused("compare --no-such-option", "--no-such-option");
  testing::check_refused("evaluate --run a.h5 --limit -1", "Value -1 not in range 1 to 1000000000");
}

TEST_CASE("compare refuses what it cannot compare") {
  const Scratch scratch;
  const ProgramResult none = run_program("compare --results " + scratch / "none");
  CHECK(none.status == 2);
  CHECK(none.err ==
        "minibert: " + scratch / "none" + ": no such folder of results; an experiment makes it\n");
  const ProgramResult format = run_program("compare --format xml --results " + scratch / "none");
  CHECK(format.status == 2);
  CHECK(format.err == "minibert: --format: 'xml', expected table, json or markdown\n");
  CHECK(run_program("compare --runs " + scratch / "none.h5").status == 1);
  CHECK(run_program("compare --runs a.h5 --name b").status == 2);
}

}  // namespace
}  // namespace minibert
