// Korean output: tables, verdicts and errors with --language ko, or on a terminal with a Korean locale.
#include <catch2/catch.hpp>
#include <filesystem>
#include <sstream>

#include "core/files.h"
#include "support/program.h"
#include "support/scratch.h"
#include "support/shell.h"

namespace minibert {
namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using testing::run_program;
using testing::Scratch;
using testing::write_bytes;

const std::string kStored = "results/kobest_wic/quick-2-core/";
const std::string kRuns = "--runs " + kStored + "bag-s1.h5," + kStored + "bert_1m_everyday-s1.h5";
const std::string kAnswers =
    "results/korquad_after_cloze/quick-2-core/bert_1m_everyday_cloze-s1.h5";

bool has_hangul(const std::string& text) {
  for (size_t at = 0; at + 2 < text.size(); ++at)
    if (static_cast<unsigned char>(text[at]) >= 0xea &&
        static_cast<unsigned char>(text[at]) <= 0xed)
      return true;
  return false;
}

}  // namespace

TEST_CASE("tables of stored runs and their note are in Korean when that is asked for") {
  const auto english = run_program("compare " + kRuns);
  REQUIRE(english.status == 0);
  CHECK_FALSE(has_hangul(english.out));
  CHECK(run_program("compare " + kRuns, "").out == english.out);
  for (const std::string& arguments :
       {"--language ko compare " + kRuns, "compare " + kRuns + " --language ko"}) {
    const auto korean = run_program(arguments);
    INFO(korean.err);
    REQUIRE(korean.status == 0);
    CHECK_THAT(korean.out, StartsWith("kobest_wic, 프로필 quick, 데이터 kobest-wic\n\n모델 "));
    CHECK_THAT(korean.out, Contains(" 실행 ") && Contains(" 매개변수 ") && Contains(" 정확도 "));
    CHECK_THAT(korean.out, Contains("\n\n차이 ") && Contains(" 95 % 신뢰구간 "));
    CHECK_THAT(korean.out,
               Contains("\n95 % 신뢰구간은 문항이 달라질 경우를 가정해 구했습니다(문항 1,260개") &&
                   !Contains("example") && !Contains("interval"));
    // The figures stay: a row of them has as many and the same words in both.
    const auto figures = [](const std::string& text) {
      std::vector<std::string> words;
      std::istringstream lines(text);
      for (std::string line, word; std::getline(lines, line);)
        if (line.starts_with("bag ") || line.starts_with("bert_"))
          for (std::istringstream in(line); in >> word;) words.push_back(word);
      return words;
    };
    CHECK(figures(korean.out).size() > 10);
    CHECK(figures(korean.out) == figures(english.out));
  }
}

TEST_CASE("programs that read the output get the same bytes in either language") {
  const auto english = run_program("compare --json " + kRuns);
  REQUIRE(english.status == 0);
  CHECK(run_program("--language ko compare --json " + kRuns).out == english.out);
}

TEST_CASE("a Korean locale is followed on a terminal alone, and an option goes before it") {
  const std::string compare = testing::program() + " compare " + kRuns;
  const auto piped = shell("LC_ALL=ko_KR.UTF-8 " + compare);
  CHECK(piped.output == shell("LC_ALL=C " + compare).output);
  const auto on_terminal = [](const std::string& environment, const std::string& command) {
    return shell("env -u LC_ALL " + environment + " script -qec " + single_quoted(command) +
                 " /dev/null")
        .output;
  };
  CHECK_THAT(on_terminal("LANG=ko_KR.UTF-8", compare), Contains("프로필 quick"));
  CHECK_THAT(on_terminal("LC_ALL=C LANG=ko_KR.UTF-8", compare), Contains("profile quick"));
  CHECK_THAT(on_terminal("LANG=ko_KR.UTF-8", compare + " --language en"),
             Contains("profile quick"));
  CHECK_THAT(shell("MINIBERT_LANGUAGE=ko " + compare).output, Contains("프로필 quick"));
}

TEST_CASE("errors that students meet are told in Korean") {
  const Scratch scratch;
  const std::string folder = single_quoted(scratch.path());
  write_bytes(scratch / "empty.h5", "no record");
  write_bytes(scratch / "reviews.csv", "번호,내용,등급\n1,좋아요,상\n2,싫어요,하\n");
  write_bytes(scratch / "there.json", "{}");
  std::filesystem::create_directory(scratch / "none");
  const std::string model = " --run wasm_demo/models/everyday-1m.mbq ";
  const std::string named = "run korquad_lstm_vs_bert --list ";
  // Arguments, and the sentence that answers them.
  const std::pair<std::string, std::string> kErrors[] = {
      {"", "명령이 빠졌습니다"},
      {"compair", "\"compair\" 명령이 없습니다. 혹시 \"compare\"인가요?"},
      {"run", "experiment가 빠졌습니다"},
      {"predict 나는", "--run이 빠졌습니다: record with weights, or .mbq"},
      {"compare --no-such", "모르는 옵션이거나 필요 없는 인자입니다: --no-such"},
      {"run korquad_lstm_vs_brt",
       "\"korquad_lstm_vs_brt\" 실험이 없습니다. 혹시 "
       "\"korquad_lstm_vs_bert\"인가요?"},
      {"run 0", "\"0\" 실험이 없습니다(experiments에 있는 실험: "},
      {named + "--set arms", "--set arms: KEY=VALUE 꼴로 씁니다"},
      {named + "--set arms[0].train.epoch=2",
       "arms[0].train.epoch: 없는 키입니다. 혹시 \"epochs\"인가요?"},
      {named + "--set arms[0].train.epochs=x",
       "arms[0].train.epochs: 1부터 100000까지의 정수여야 하는데 \"x\""},
      {named + "--arms lst", "에 \"lst\" 모델이 없습니다. 있는 모델: lstm, "},
      {named + "--profile quik", "\"quik\" 프로필이 없습니다. 있는 프로필: "},
      {"compare nowhere", "results: 'nowhere' 실험의 실행이 없습니다. 있는 것: "},
      {"compare kobest_wik", "'kobest_wik' 실험의 실행이 없습니다. 혹시 'kobest_wic'인가요?"},
      {"compare --results " + folder + "/nowhere", "결과 폴더가 없습니다"},
      {"compare --results " + folder + "/none mine", "비어 있어서 'mine' 실험의 실행이 없습니다"},
      {"inspect " + folder + "/x/nowhere.h5", "nowhere.h5: 그런 파일이 없습니다\n"},
      {"inspect " + kStored + "bag-s9.h5", "그런 파일이 없습니다. 혹시 \"bag-s3.h5\"인가요?"},
      {"inspect " + folder + "/empty.h5", "HDF5 파일이 아닙니다. 실행 기록(.h5)을 주세요"},
      {"inspect wasm_demo/models/everyday-1m.mbq", "모델 파일입니다. 실행 기록(.h5)을 주세요"},
      {"fill-mask 나는" + model, "TEXT: 글에 빈칸이 없습니다. [MASK]나 ( )로 빈칸을 표시하세요"},
      {"fill-mask ''" + model, "TEXT: 글이 비어 있습니다"},
      {"predict --context 나는 --run " + kAnswers, "--question: 비어 있습니다. 글을 주세요"},
      {"new " + folder + "/nowhere.csv", "그런 파일이 없습니다: "},
      {"new " + folder + "/reviews.csv --out " + folder + "/there.json",
       "이미 있습니다. 다른 --name이나 --out을"},
      {"new " + folder + "/reviews.csv --out " + folder + "/mine.json",
       "어느 것이 \"text\"이고 어느 것이 \"label\"인지 알 수 없습니다. 이렇게 알려 주세요: "
       "--column text=내용 --column label=등급"},
  };
  for (const auto& [arguments, korean] : kErrors) {
    INFO(arguments);
    const auto told = run_program("--language ko " + arguments);
    CHECK(told.status != 0);
    CHECK_THAT(told.err, Contains("minibert: ") && Contains(korean));
    const auto english = run_program(arguments);
    CHECK(english.status == told.status);
    const std::string line = english.err.substr(english.err.find("minibert: "));
    CHECK_THAT(line, Contains("minibert: ") && !Contains("니다"));
  }
}

}  // namespace minibert
