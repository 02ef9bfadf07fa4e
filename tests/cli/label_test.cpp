// `minibert classify` and `minibert tag` with the shipped records and with the model files exported from them.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/files.h"
#include "core/utf8.h"
#include "support/program.h"
#include "support/scratch.h"

namespace minibert {
namespace {

using Catch::Matchers::Contains;
using nlohmann::json;
using testing::check_refused;
using testing::kShippedClassifier;
using testing::kShippedTagger;
using testing::run_program;
using testing::Scratch;

const std::string kReview = "정말 재미있어요! 배우들의 연기가 최고다 😀";
const std::string kSentence = "세종대왕은 1443년에 한양에서 훈민정음을 만들었다.";

// The model file of a record; made once.
std::string model_file(const char* record) {
  static const Scratch scratch;
  const std::string path = scratch / (record == kShippedClassifier ? "labels.mbq" : "names.mbq");
  if (!std::filesystem::exists(path)) {
    const auto result =
        run_program(std::string("export --run ") + record + " --no-check --out " + path);
    INFO(result.err);
    REQUIRE(result.status == 0);
  }
  return path;
}

json lines_of(const std::string& command, const std::string& input = "") {
  const auto result = run_program(command, input);
  INFO(result.err);
  REQUIRE(result.status == 0);
  json lines = json::array();
  std::istringstream out(result.out);
  for (std::string line; std::getline(out, line);) lines.push_back(json::parse(line));
  return lines;
}

}  // namespace

TEST_CASE("a model file labels texts as its record does, best label first") {
  const std::string texts = kReview + "\n\n지루하고 시간이 아깝다\n";
  const json exact = lines_of(std::string("classify --json --run ") + kShippedClassifier, texts);
  const json found = lines_of("classify --json --run " + model_file(kShippedClassifier), texts);
  REQUIRE(found.size() == 2);
  for (size_t i = 0; i < 2; ++i) {
    CHECK(found[i]["text"] == exact[i]["text"]);
    CHECK(found[i]["label"] == exact[i]["label"]);
    for (const auto& [label, probability] : exact[i]["probabilities"].items())
      CHECK(found[i]["probabilities"][label].get<double>() ==
            Approx(probability.get<double>()).margin(0.05));
    CHECK_FALSE(found[i].contains("words"));
  }
  CHECK(found[0]["label"] == "positive");
  CHECK(found[1]["label"] == "negative");
}

TEST_CASE("with --words every word says what the best label loses without it") {
  for (const std::string& run : {std::string(kShippedClassifier), model_file(kShippedClassifier)}) {
    const json found =
        lines_of("classify --words --json --run " + run + " '" + kReview + "'").at(0);
    std::vector<std::string> words;
    const double best = found["probabilities"][found["label"]];
    for (const json& word : found["words"]) {
      words.push_back(word["text"]);
      const std::u32string text = to_code_points(kReview);
      const size_t start = word["start"], end = word["end"];
      CHECK(to_utf8(text.substr(start, end - start)) == word["text"].get<std::string>());
      CHECK(word["effect"].get<double>() ==
            Approx(best - word["probability"].get<double>()).margin(1e-6));
    }
    CHECK(words ==
          std::vector<std::string>{"정말", "재미있어요!", "배우들의", "연기가", "최고다", "😀"});
  }
  const auto printed = run_program("classify --words --run " + model_file(kShippedClassifier) +
                                   " '" + kReview + "'");
  CHECK_THAT(printed.out,
             Contains("%  positive\n") && Contains("  재미있어요!\n") &&
                 Contains("\n  percentage points that \"positive\" loses without the word:\n"));
}

TEST_CASE("a model file marks names as its record does, with how sure it is") {
  const json exact =
      lines_of(std::string("tag --json --run ") + kShippedTagger + " '" + kSentence + "'").at(0);
  const json found =
      lines_of("tag --json --run " + model_file(kShippedTagger) + " '" + kSentence + "'").at(0);
  REQUIRE_FALSE(exact["entities"].empty());
  json plain = found;
  for (json& entity : plain["entities"]) {
    CHECK(entity["probability"] > 0.2);
    CHECK(entity["probability"] <= 1);
    entity.erase("probability");
    const std::u32string text = to_code_points(kSentence);
    const size_t start = entity["start"], end = entity["end"];
    CHECK(to_utf8(text.substr(start, end - start)) == entity["text"].get<std::string>());
  }
  CHECK(plain == exact);
  for (const std::string& run : {std::string(kShippedTagger), model_file(kShippedTagger)})
    CHECK_THAT(run_program("tag --run " + run + " '" + kSentence + "'").out, Contains(":DT>"));
}

TEST_CASE("texts between brackets are taken as they are, one or several") {
  const std::string bracketed = "[광고] 이 영화, 정말 재미있어요 [클릭]";
  const std::string command = "classify --json --run " + model_file(kShippedClassifier);
  const json one = lines_of(command + " '" + bracketed + "'");
  REQUIRE(one.size() == 1);
  CHECK(one[0]["text"] == bracketed);
  const json several =
      lines_of(command + " '" + kReview + "' '" + bracketed + "' '" + bracketed + "'");
  REQUIRE(several.size() == 3);
  CHECK(several[0]["text"] == kReview);
  CHECK(several[2]["text"] == bracketed);
  const auto wrong = run_program(command + " 좋다 --jsno");
  CHECK(wrong.status == 2);
  CHECK_THAT(wrong.err, Contains("--jsno"));
}

TEST_CASE("a long text is read to its end, in windows") {
  std::string text;
  for (int i = 0; i < 40; ++i) text += "오늘 회의에서는 여러 가지 안건을 이야기했다. ";
  const size_t before = to_code_points(text).size();
  text += "마지막으로 김민수 부장이 부산에서 발표했다.";
  for (const std::string& run : {std::string(kShippedTagger), model_file(kShippedTagger)}) {
    const json found = lines_of("tag --json --run " + run, text + "\n")[0]["entities"];
    std::vector<std::string> names;
    for (const json& entity : found)
      if (entity["start"] >= before) names.push_back(entity["text"]);
    CHECK(std::ranges::count(names, "김민수") == 1);
  }
  std::string review;
  for (int i = 0; i < 12; ++i) review += "배우들의 연기가 좋았다. ";
  for (int i = 0; i < 40; ++i) review += "최악이다 지루하고 돈이 아깝다. ";
  const json exact = lines_of(std::string("classify --json --run ") + kShippedClassifier, review);
  const json engine = lines_of("classify --json --run " + model_file(kShippedClassifier), review);
  for (const json& found : {exact[0], engine[0]}) {
    CHECK(found["label"] == "negative");
    CHECK(found["read"] == found["pieces"]);
    CHECK(found["pieces"] > 128);
  }
  CHECK(exact[0]["pieces"] == engine[0]["pieces"]);
}

TEST_CASE("a model of single texts takes no pair for one") {
  const auto refused = run_program(std::string("classify --run ") + kShippedClassifier,
                                   "\xef\xbb\xbfid\tdocument\tlabel\n1\t좋다\t1\n");
  CHECK(refused.status == 2);
  CHECK(refused.out.empty());
  CHECK_THAT(refused.err, Contains("line 1: found a tab, expected one text"));
  const auto by_engine =
      run_program("classify --run " + model_file(kShippedClassifier), "좋다\n가\t나\n");
  CHECK(by_engine.status == 2);
  CHECK_THAT(by_engine.err, Contains("line 2: found a tab, expected one text"));
  CHECK_THAT(by_engine.out, Contains("좋다") && !Contains("나"));
}

TEST_CASE(
    "a model file of before, which does not say whether it reads pairs, takes a tab for one") {
  const Scratch scratch;
  const std::string path = scratch / "old.mbq";
  std::string bytes = read_file(model_file(kShippedClassifier));
  for (const std::string later : {"\"pairs\"", "\"crc32\""})  // nor has it a checksum
    bytes.replace(bytes.find(later), later.size(), "\"_" + later.substr(2));
  write_file_atomically(path, bytes);
  const auto told = run_program("classify --run " + path, "가\t나\n다\t라\n");
  CHECK(told.status == 0);
  CHECK(std::ranges::count(told.err, '\n') == 1);
  CHECK_THAT(told.err, Contains("line 1: has a tab and is read as a pair of texts"));
}

TEST_CASE(
    "files are told by what is in them, and an export is written though nothing measures it") {
  const Scratch scratch;
  const auto written =
      run_program(std::string("export --run ") + kShippedClassifier + " --data-dir " +
                  scratch / "none" + " --out " + scratch / "X.MBQ");
  INFO(written.err);
  CHECK(written.status == 0);
  CHECK_THAT(written.out, Contains("not measured") && Contains("nsmc"));
  CHECK_THAT(run_program("classify --run " + scratch / "X.MBQ" + " 좋아요").out,
             Contains("positive"));
  std::filesystem::copy_file(kShippedClassifier, scratch / "m.hdf5");
  CHECK(run_program("tokenizer encode --ids --model " + scratch / "m.hdf5", "좋아요\n").out ==
        run_program(std::string("tokenizer encode --ids --model ") + kShippedClassifier, "좋아요\n")
            .out);
  check_refused(std::string("export --run ") + kShippedClassifier + " --data nothing --out " +
                    scratch / "y.mbq",
                "nothing");
}

TEST_CASE("blank lines of standard input are passed over") {
  const std::string command = "classify --json --run " + model_file(kShippedClassifier);
  CHECK(lines_of(command, kReview + "\n\n \t\n\u3000\r\n" + kReview + "\n").size() == 2);
}

TEST_CASE("classify and tag say in one line what is wrong") {
  const std::string labels = model_file(kShippedClassifier), names = model_file(kShippedTagger);
  const Scratch scratch;
  write_file_atomically(scratch / "broken.mbq", read_file(labels).substr(0, 5000));
  check_refused("classify --run " + names + " 글",
                "names.mbq: the model marks names, expected one that labels texts");
  check_refused("tag --run " + labels + " 글",
                "labels.mbq: the model labels texts, expected one that marks names");
  check_refused("classify --run " + scratch / "broken.mbq" + " 글", "broken.mbq: ");
  check_refused(std::string("classify --words --run ") + testing::kShippedModel + " 글",
                "the model fills masks, expected one that labels texts");
  check_refused("classify --run " + labels + " ' '", "TEXT: is blank, expected text");
  check_refused("tag --run " + names + " ' '", "TEXT: is blank, expected text");
}

}  // namespace minibert
