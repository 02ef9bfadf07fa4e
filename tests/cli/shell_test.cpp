// Arguments of a shell, the installed program, and commands from folders of one's own.
#include "support/shell.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <utility>
#include <vector>

#include "core/characters.h"
#include "core/files.h"
#include "support/program.h"
#include "support/scratch.h"

namespace minibert {
namespace {

namespace fs = std::filesystem;
using Catch::Matchers::Contains;
using testing::check_refused;
using testing::run_program;
using testing::Scratch;
using testing::write_bytes;

}  // namespace

TEST_CASE("what stands behind an option's argument is not taken for another argument of it") {
  const std::string unknown = "unknown experiment \"nowhere\"";
  for (const char* options : {"--arms bag", "--seeds 1", "--set 'seeds=[1]'", "--keep-at 50"})
    check_refused(std::string("run ") + options + " nowhere", unknown);
  const auto compared = run_program("compare --figures accuracy kobest_copa");
  INFO(compared.err);
  CHECK(compared.status == 0);
  CHECK_THAT(compared.out, Contains("bert_1m_everyday"));
  const std::string runs = "results/kobest_copa/quick-2-core/";
  const std::string two = runs + "bag-s1.h5", other = runs + "majority-s1.h5";
  const auto asked = run_program("query --runs " + two + "," + other + " 'SELECT arm FROM runs'");
  INFO(asked.err);
  CHECK(asked.out == "arm\nbag\nmajority\n");
  // As a shell writes out *.h5.
  CHECK(run_program("compare --runs " + two + " " + other).status == 0);
}

TEST_CASE("a word that is no command is named with the nearest") {
  check_refused("compair korquad_cloze", "unknown command \"compair\", did you mean \"compare\"?");
  check_refused("data lst", "unknown command \"lst\", did you mean \"list\"?");
  check_refused("completion", "unknown command \"completion\", expected one of: attention compare");
  check_refused("--colour", "A subcommand is required");
}

TEST_CASE("an installed program runs from any folder") {
  const Scratch scratch;
  const std::string prefix = scratch / "prefix";
  const auto done = shell(std::string("cmake --install ") + MINIBERT_BUILD + "/lib/cli --prefix " +
                          single_quoted(prefix));
  INFO(done.output);
  REQUIRE(done.status == 0);
  CHECK(shell("cd / && " + single_quoted(prefix + "/bin/minibert") + " --help").status == 0);
}

TEST_CASE(
    "from a folder of one's own the program finds what it ships, and leaves all it makes there") {
  const Scratch scratch;
  std::string table = "문장,라벨\n";
  for (int i = 0; i < 60; ++i)
    table += std::string(i % 2 == 0 ? "재미있어요 " : "지루해요 ") + std::to_string(i) + "," +
             (i % 2 == 0 ? "긍정" : "부정") + "\n";
  write_bytes(scratch / "mine.csv", table);
  const auto there = [&](const std::string& arguments) {
    const auto found = shell("cd " + single_quoted(scratch.path()) + " && " + testing::program() +
                             " " + arguments);
    INFO(arguments << "\n" << found.output);
    REQUIRE(found.status == 0);
    return found.output;
  };
  CHECK_THAT(there("new mine.csv"), Contains("written: mine.json; to train it: "));
  there("run mine --profile quick --arms bag --threads 1 --no-fetch --quiet");
  CHECK(fs::exists(scratch / "results/mine/quick/bag-s1.h5"));
  there("evaluate --run results/mine/quick/bag-s1.h5 --data mine.csv");
  // It names the file that it extends and finds it from any folder.
  fs::create_directories(scratch / "further/down");
  for (const char* file : {"mine.json", "mine.csv"})
    fs::copy(scratch / file, scratch / "further/down" + "/" + file);
  CHECK_THAT(there("run further/down/mine.json --list --profile quick"), Contains("bag"));
  there("run korquad_lstm_vs_bert --profile quick --arms majority --threads 1 --no-fetch --quiet");
  CHECK_THAT(there("compare"), Contains("majority"));
  CHECK_THAT(there("data list"), Contains("sample"));
  // So are the shipped records and models, where there are none of the name.
  const std::string shipped = "results/kowiki_everyday/full/mini_bert_1m_soup-s1.h5";
  CHECK_THAT(there("inspect " + shipped), Contains("mini_bert_1m_soup"));
  there("fill-mask --run wasm_demo/models/everyday-1m.mbq '나는 ___에 간다.'");
  there("compare --runs " + shipped);
  there("tokenizer encode --model " + shipped + " mine.csv");
  there("data stats mine.csv --tokenizer " + shipped);
  there("data instances sample --show 1 --tokenizer " + shipped);
  // A page would lie beside the record.
  const auto page = shell("cd " + single_quoted(scratch.path()) + " && " + testing::program() +
                          " report --runs " + shipped);
  CHECK(page.status == 2);
  CHECK_THAT(page.output, Contains("which the program ships, expected --out with it"));
  there("report --runs " + shipped + " --out page.html");
  // Beside results of one's own, of which there are some here, an experiment that only the program has.
  CHECK_THAT(there("compare speedrun"), Contains("speedrun"));
  there("report speedrun --out speedrun.html");
  CHECK_THAT(there("compare korquad_lstm_vs_bert"), Contains("majority"));
  const auto folder = shell("cd " + single_quoted(scratch.path()) + " && " + testing::program() +
                            " compare results/speedrun");
  CHECK(folder.status == 2);
  CHECK_THAT(folder.output, Contains("expected an experiment's name"));
}

TEST_CASE(
    "an experiment is named after its file in any script, and what trains it can be run there") {
  const Scratch scratch;
  std::string table = "문장,라벨\n";
  for (int i = 0; i < 60; ++i)
    table += std::string(i % 2 == 0 ? "재미있어요 " : "지루해요 ") + std::to_string(i) + "," +
             (i % 2 == 0 ? "긍정" : "부정") + "\n";
  const auto made = [&](const std::string& arguments) {
    const auto found = shell("cd " + single_quoted(scratch.path()) + " && " + testing::program() +
                             " new " + arguments);
    INFO(arguments << "\n" << found.output);
    REQUIRE(found.status == 0);
    return found.output;
  };
  for (const auto& [file, name] :
       {std::pair("후기모음.csv", "후기모음"),
        std::pair("16_리뷰_날짜6가지.csv", "16_리뷰_날짜6가지"),
        std::pair("리뷰 (최종).csv", "리뷰_최종"),
        std::pair("리뷰-최종 2.v1.csv", "리뷰-최종_2_v1"), std::pair("(!).csv", "mine")}) {
    write_bytes(scratch / file, table);
    const std::string told = made(single_quoted(file));
    CHECK_THAT(told, Contains("written: " + std::string(name) + ".json; to train it: ") &&
                         Contains(" run " + std::string(name) + ".json\n"));
  }
  // A folder of that name has no Makefile of minibert's.
  fs::create_directories(scratch / "experiments");
  CHECK_THAT(made("후기모음.csv --name '1학기 시험'"),
             Contains(" run 'experiments/1학기 시험.json'\n") && !Contains("make "));
  fs::copy("experiments/base", scratch / "experiments/base");
  fs::copy("experiments/datasets.json", scratch / "experiments/datasets.json");
  write_bytes(scratch / "Makefile", "");
  CHECK_THAT(made("후기모음.csv --name '2학기 시험'"),
             Contains("to train it: make experiment NAME='2학기 시험'\n"));
  CHECK_THAT(made("후기모음.csv"), Contains("to train it: make experiment NAME=후기모음\n"));
}

TEST_CASE("a file name that is not UTF-8 works or is refused in one line, in every command") {
  const Scratch scratch;
  std::string table = "text,label,accept\n";
  for (int i = 0; i < 60; ++i)
    table += std::to_string(i) + " 나는 [MASK]에 간다.," + (i % 2 == 0 ? "a" : "b") + ",집\n";
  const std::string experiment =
      R"({"extends": "base/finetune", "task": "classification", "data": {"train": "good.csv"},
          "features": {"max_length": 32}, "arms": [{"name": "bag", "train": {"epochs": 1}}],
          "profiles": {"quick": {"seeds": [1]}}})";
  for (const char* name : {"good.csv", "\xff.csv"}) write_bytes(scratch / name, table);
  for (const char* name : {"good.json", "\xff.json"}) write_bytes(scratch / name, experiment);
  fs::create_directory(scratch / "\xff");
  for (const auto& [file, name] :
       {std::pair("results/kobest_copa/quick-2-core/bag-s1.h5", "\xff_bag.h5"),
        std::pair("wasm_demo/models/everyday-1m.mbq", "\xff.mbq"),
        std::pair("experiments/sample/corpus.txt", "\xff.txt"),
        std::pair(testing::kShippedModel, "\xff_bert.h5"),
        std::pair(testing::kShippedAnswers, "\xff_answers.h5")})
    fs::copy(file, scratch / name);
  const std::string quick = " --arms bag --no-fetch --threads 1 --quiet --profile quick";
  const std::string trained = "\xff/good/quick/bag-s1.h5";
  // Arguments, and what the line says that refuses them; empty: they work.
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"new \xff.csv --out new.json", "expected a name in UTF-8"},
      {"new good.csv --test \xff.csv --out new.json", "expected a name in UTF-8"},
      {"new good.csv --out \xff_new.json", "expected letters, digits"},
      {"run \xff.json" + quick, "expected letters, digits"},
      {"run good.json --set data.train=\xff.csv" + quick, "expected UTF-8"},
      {"run good.json --results \xff --data \xff" + quick, ""},
      {"compare --results \xff --json", ""},
      {"compare --runs \xff_bag.h5 --leave-out \xff.txt", ""},
      {"inspect \xff_bag.h5 --json", ""},
      {"inspect \xff_bag.h5 " + trained, ""},
      {"verify \xff_bag.h5 --json", ""},
      {"query --runs \xff_bag.h5 --format json 'SELECT path FROM runs'", ""},
      {"report --runs \xff_bag.h5 --out \xff.html", ""},
      {"watch \xff_bag.h5", ""},
      {"reproduce " + trained + " --results \xff_again --quiet --json", ""},
      {"export --run \xff_bert.h5 --no-check --out \xff_out.mbq --json", ""},
      {"export --run \xff_bag.h5 --format sqlite --out \xff.sqlite", ""},
      {"import \xff --format huggingface --out \xff_import.h5", "\\xff/config.json"},
      {"fill-mask --run \xff.mbq --in \xff.csv --out \xff_out.csv", ""},
      {"predict --run " + trained + " --in \xff.csv --out \xff_out.jsonl", ""},
      {"predict --run \xff_answers.h5 --context @\xff.txt --question 무엇 --json", ""},
      {"evaluate --run " + trained + " --data \xff.csv --json", ""},
      {"evaluate --run \xff_bert.h5 --text \xff.txt --limit 5 --json", ""},
      {"evaluate --run \xff_bert.h5 --cloze \xff.csv --limit 5 --json", ""},
      {"embed --run \xff_bert.h5 나 --json", ""},
      {"attention --run \xff_bert.h5 나 --json", ""},
      {"nsp --run \xff_bert.h5 나 너 --json", ""},
      {"data stats \xff.csv --json", ""},
      {"data instances --text \xff.txt --tokenizer \xff_bert.h5 --out \xff_out.h5", ""},
      {"data make-cloze \xff.txt --out \xff_out.json", ""},
      {"data make-sentences \xff.txt --out \xff_out.txt", ""},
      {"tokenizer train \xff.txt --vocab-size 1500 --out \xff.model", ""},
      {"tokenizer encode --model \xff.model \xff.txt --json", ""},
      {"tokenizer show --model \xff.model --json", ""},
  };
  for (const auto& [arguments, refusal] : rows) {
    const auto found = shell("cd " + single_quoted(scratch.path()) + " && " +
                             testing::warm_program() + " " + arguments + " >out 2>err");
    const std::string out = scratch.read("out"), err = scratch.read("err");
    INFO(arguments << "\n" << out.substr(0, 500) << "\n" << err);
    CHECK((found.status == 0) == refusal.empty());
    if (contains(arguments, "--json") || contains(arguments, "format json")) CHECK(is_utf8(out));
    if (refusal.empty()) continue;
    const std::string last = err.substr(std::min(err.rfind("minibert: "), err.size()));
    CHECK_THAT(last, Contains(refusal));
    CHECK(std::ranges::count(last, '\n') == 1);
    CHECK(is_utf8(last));
  }
  // A line of --help begins with two blanks and a command's name.
  const std::string help = run_program("--help").out;
  size_t commands = 0;
  for (size_t at = help.find("Subcommands:\n");
       (at = help.find("\n  ", at)) != std::string::npos;) {
    at += 3;
    const std::string command = help.substr(at, help.find(' ', at) - at);
    INFO(command);
    if (command.empty()) continue;  // a description's next line
    ++commands;
    CHECK(std::ranges::any_of(
        rows, [&](const auto& row) { return row.first.starts_with(command + " "); }));
  }
  CHECK(commands > 15);
}

}  // namespace minibert
