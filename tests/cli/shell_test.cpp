// Arguments, and what a shell and man know of the program: completion and the manual page, which it writes itself.
#include "support/shell.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <iostream>
#include <sstream>

#include "core/files.h"
#include "support/program.h"
#include "support/scratch.h"

namespace minibert {
namespace {

namespace fs = std::filesystem;
using Catch::Matchers::Contains;
using Catch::Matchers::VectorContains;
using testing::check_refused;
using testing::run_program;
using testing::Scratch;
using Words = std::vector<std::string>;

Words written_lines(const std::string& text) {
  std::istringstream in(text);
  Words out;
  for (std::string line; std::getline(in, line);)
    if (!line.empty()) out.push_back(line);
  return out;
}

std::string written(const Scratch& scratch, const std::string& shell_name) {
  const auto made = run_program("completion " + shell_name);
  REQUIRE(made.status == 0);
  const std::string path = scratch / shell_name;
  write_bytes(path, made.out);
  return single_quoted(path);
}

// Whether the program is there; the test is told to be skipped where it is not.
bool installed(const std::string& program) {
  if (shell("command -v " + program).status == 0) return true;
  std::cout << "skipped: " << Catch::getResultCapture().getCurrentTestName() << ": no " << program
            << "\n";
  return false;
}

// What bash offers for the last of these words; `between` are the words as readline cuts them.
Words offered_by_bash(const std::string& script, const std::string& between) {
  const auto asked =
      shell("bash --norc --noprofile -c 'source " + script + "; COMP_WORDS=(" + between +
            "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _minibert; printf \"%s\\n\" "
            "\"${COMPREPLY[@]}\"'");
  INFO(asked.output);
  REQUIRE(asked.status == 0);
  return written_lines(asked.output);
}

// The same of zsh, whose functions of completion are stood in for.
Words offered_by_zsh(const std::string& script, const std::string& between) {
  const auto asked = shell(
      "zsh -f -c 'compdef() { :; }; compadd() { print -l -- ${@:#-*}; }; _files() { print FILES; "
      "}; "
      "_describe() { print -l -- ${(P)@[-1]}; }; source " +
      script + "; words=(" + between + "); CURRENT=$#words; _minibert'");
  INFO(asked.output);
  REQUIRE(asked.status == 0);
  return written_lines(asked.output);
}

// "  export   write a run's model …" of --help.
Words commands_of_help() {
  Words out;
  bool in_commands = false;
  for (const std::string& line : written_lines(run_program("--help").out)) {
    if (in_commands && line.starts_with("  ") && line[2] != ' ')
      out.push_back(line.substr(2, line.find(' ', 2) - 2));
    in_commands = in_commands || line.starts_with("Subcommands:");
  }
  return out;
}

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

TEST_CASE("bash completes commands, options, values and files of the program") {
  const Scratch scratch;
  const std::string script = written(scratch, "bash");
  CHECK(offered_by_bash(script, "minibert exp") == Words{"export"});
  CHECK(offered_by_bash(script, "minibert data over") == Words{"overlap"});
  CHECK(offered_by_bash(script, "minibert export --form") == Words{"--format"});
  CHECK(offered_by_bash(script, "minibert export --format s") == Words{"safetensors", "sqlite"});
  CHECK(offered_by_bash(script, "minibert export --format = s") == Words{"safetensors", "sqlite"});
  CHECK(offered_by_bash(script, "minibert export --run README.k") == Words{"README.ko.md"});
  CHECK(offered_by_bash(script, "minibert inspect README.k") == Words{"README.ko.md"});
  CHECK(offered_by_bash(script, "minibert run kowiki_mini") == Words{"kowiki_mini_bert"});
  CHECK(offered_by_bash(script, "minibert answer --n-best R").empty());
  CHECK_THAT(offered_by_bash(script, "minibert run --"), VectorContains(std::string("--profile")));
}

TEST_CASE("completion has every command that --help lists, with its options") {
  const Scratch scratch;
  const std::string script = written(scratch, "bash");
  const Words commands = commands_of_help();
  REQUIRE(commands.size() > 20);
  CHECK(offered_by_bash(script, "minibert \"\"") == commands);
  for (const std::string command : {"export", "tokenizer train", "compare"}) {
    CAPTURE(command);
    const std::string help = run_program(command + " --help").out;
    const Words options = offered_by_bash(script, "minibert " + command + " --");
    CHECK(options.size() > 3);
    for (const std::string& option : options) CHECK_THAT(help, Contains(option));
  }
}

TEST_CASE("zsh completes the same") {
  if (!installed("zsh")) return;
  const Scratch scratch;
  const std::string script = written(scratch, "zsh");
  CHECK(shell("zsh -n " + script).status == 0);
  const Words commands = offered_by_zsh(script, "minibert exp");
  CHECK(commands.size() == commands_of_help().size());
  CHECK_THAT(commands, VectorContains(std::string("completion:print a script by which a shell "
                                                  "completes commands, options and files")));
  CHECK(offered_by_zsh(script, "minibert import --format \"\"") == Words{"huggingface", "keras"});
  CHECK(offered_by_zsh(script, "minibert inspect \"\"") == Words{"FILES"});
}

TEST_CASE("the manual page has every command, and groff finds nothing wrong with it") {
  const auto page = run_program("manual");
  REQUIRE(page.status == 0);
  CHECK(page.out.starts_with(".\\\" Written by"));
  for (const std::string& command : commands_of_help()) {
    std::string escaped;
    for (const char c : command) escaped += c == '-' ? std::string("\\-") : std::string(1, c);
    CHECK_THAT(page.out, Contains("\n.SS minibert " + escaped));
  }
  if (!installed("groff")) return;
  const Scratch scratch;
  write_bytes(scratch / "minibert.1", page.out);
  const auto set =
      shell("groff -ww -man -Tutf8 " + single_quoted(scratch / "minibert.1") + " 2>&1 >/dev/null");
  CHECK(set.status == 0);
  CHECK(set.output == "");
}

TEST_CASE("an installed program brings its completion and its manual page") {
  const Scratch scratch;
  const std::string prefix = scratch / "prefix";
  const auto done = shell(std::string("cmake --install ") + MINIBERT_BUILD + "/lib/cli --prefix " +
                          single_quoted(prefix));
  INFO(done.output);
  REQUIRE(done.status == 0);
  CHECK(shell("cd / && " + single_quoted(prefix + "/bin/minibert") + " --help").status == 0);
  CHECK(read_file(prefix + "/share/bash-completion/completions/minibert") ==
        run_program("completion bash").out);
  CHECK(read_file(prefix + "/share/zsh/site-functions/_minibert") ==
        run_program("completion zsh").out);
  CHECK(read_file(prefix + "/share/man/man1/minibert.1") == run_program("manual").out);
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
  there("run korquad_lstm_vs_bert --profile quick --arms majority --threads 1 --no-fetch --quiet");
  CHECK_THAT(there("compare"), Contains("majority"));
  CHECK_THAT(there("data list"), Contains("sample"));
  // So are the shipped records and models, where there are none of the name.
  const std::string shipped = "results/kowiki_everyday/full/mini_bert_1m_soup-s1.h5";
  CHECK_THAT(there("inspect " + shipped), Contains("mini_bert_1m_soup"));
  there("fill-mask --run wasm_demo/models/everyday-1m.mbq '나는 ___에 간다.'");
  there("compare --runs " + shipped);
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

}  // namespace minibert
