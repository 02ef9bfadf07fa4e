// `minibert predict` with the shipped records and with the model files exported from them.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/files.h"
#include "core/utf8.h"
#include "done.h"
#include "support/program.h"
#include "support/scratch.h"
#include "support/shell.h"

namespace minibert {
namespace {

using Catch::Matchers::Contains;
using nlohmann::json;
using testing::check_refused;
using testing::done;
using testing::kShippedClassifier;
using testing::kShippedTagger;
using testing::rows_of;
using testing::run_program;
using testing::Scratch;

const std::string kContext =
    "세종대왕은 조선의 제4대 국왕이다. 1418년에 즉위하여 1450년까지 재위하였다. 1443년에 "
    "훈민정음을 창제하고 1446년에 반포하였다.";
const std::string kQuestion = "훈민정음은 언제 창제되었는가?";

std::string asked(const std::string& run, const std::string& question = kQuestion,
                  const std::string& context = kContext) {
  return "predict --run " + run + " --question '" + question + "' --context '" + context + "'";
}

const std::string kReview = "정말 재미있어요! 배우들의 연기가 최고다 😀";
const std::string kSentence = "세종대왕은 1443년에 한양에서 훈민정음을 만들었다.";

// The model file of a record; made once.
std::string model_file(const char* record) {
  static const Scratch scratch;
  const char* name = record == kShippedClassifier ? "labels.mbq"
                     : record == kShippedTagger   ? "names.mbq"
                                                  : "answers.mbq";
  const std::string path = scratch / name;
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
  const json exact = lines_of(std::string("predict --json --run ") + kShippedClassifier, texts);
  const json found = lines_of("predict --json --run " + model_file(kShippedClassifier), texts);
  REQUIRE(found.size() == 3);
  for (const size_t i : {0, 2}) {
    CHECK(found[i]["text"] == exact[i]["text"]);
    CHECK(found[i]["label"] == exact[i]["label"]);
    for (const auto& [label, probability] : exact[i]["probabilities"].items())
      CHECK(found[i]["probabilities"][label].get<double>() ==
            Approx(probability.get<double>()).margin(0.05));
    CHECK_FALSE(found[i].contains("words"));
  }
  CHECK(found[0]["label"] == "positive");
  CHECK(found[2]["label"] == "negative");
}

TEST_CASE("with --words every word says what the best label loses without it") {
  for (const std::string& run : {std::string(kShippedClassifier), model_file(kShippedClassifier)}) {
    const json found = lines_of("predict --words --json --run " + run + " '" + kReview + "'").at(0);
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
  const auto printed =
      run_program("predict --words --run " + model_file(kShippedClassifier) + " '" + kReview + "'");
  CHECK_THAT(printed.out,
             Contains("%  positive\n") && Contains("  재미있어요!\n") &&
                 Contains("\n  percentage points that \"positive\" loses without the word:\n"));
}

TEST_CASE("a model file marks names as its record does, with how sure it is") {
  const json exact =
      lines_of(std::string("predict --json --run ") + kShippedTagger + " '" + kSentence + "'")
          .at(0);
  const json found =
      lines_of("predict --json --run " + model_file(kShippedTagger) + " '" + kSentence + "'").at(0);
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
    CHECK_THAT(run_program("predict --run " + run + " '" + kSentence + "'").out, Contains(":DT>"));
}

TEST_CASE("texts between brackets are taken as they are, one or several") {
  const std::string bracketed = "[광고] 이 영화, 정말 재미있어요 [클릭]";
  const std::string command = "predict --json --run " + model_file(kShippedClassifier);
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
    const json found = lines_of("predict --json --run " + run, text + "\n")[0]["entities"];
    std::vector<std::string> names;
    for (const json& entity : found)
      if (entity["start"] >= before) names.push_back(entity["text"]);
    CHECK(std::ranges::count(names, "김민수") == 1);
  }
  std::string review;
  for (int i = 0; i < 12; ++i) review += "배우들의 연기가 좋았다. ";
  for (int i = 0; i < 40; ++i) review += "최악이다 지루하고 돈이 아깝다. ";
  const json exact = lines_of(std::string("predict --json --run ") + kShippedClassifier, review);
  const json engine = lines_of("predict --json --run " + model_file(kShippedClassifier), review);
  for (const json& found : {exact[0], engine[0]}) {
    CHECK(found["label"] == "negative");
    CHECK(found["read"] == found["pieces"]);
    CHECK(found["pieces"] > 128);
  }
  CHECK(exact[0]["pieces"] == engine[0]["pieces"]);
}

TEST_CASE("a model of single texts takes no pair for one") {
  const auto refused = run_program(std::string("predict --run ") + kShippedClassifier,
                                   "\xef\xbb\xbfid\tdocument\tlabel\n1\t좋다\t1\n");
  CHECK(refused.status == 2);
  CHECK(refused.out == "\n\n");
  CHECK_THAT(refused.err, Contains("line 1: found a tab, expected one text"));
  const auto by_engine =
      run_program("predict --run " + model_file(kShippedClassifier), "좋다\n가\t나\n");
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
  const auto told = run_program("predict --run " + path, "가\t나\n다\t라\n");
  CHECK(told.status == 0);
  CHECK(std::ranges::count(told.err, '\n') == 1);
  CHECK_THAT(told.err, Contains("line 1: has a tab and is read as a pair of texts"));
}

TEST_CASE(
    "files are told by what is in them, and an export is written though nothing measures it") {
  const Scratch scratch;
  const auto written = shell("MINIBERT_DATA=" + scratch / "none" + " " + testing::program() +
                             " export --run " + kShippedClassifier + " --out " + scratch / "X.MBQ");
  INFO(written.output);
  CHECK(written.status == 0);
  CHECK_THAT(written.output, Contains("not measured") && Contains("nsmc"));
  CHECK_THAT(run_program("predict --run " + scratch / "X.MBQ" + " 좋아요").out,
             Contains("positive"));
  std::filesystem::copy_file(kShippedClassifier, scratch / "m.hdf5");
  CHECK(run_program("tokenizer encode --ids --model " + scratch / "m.hdf5", "좋아요\n").out ==
        run_program(std::string("tokenizer encode --ids --model ") + kShippedClassifier, "좋아요\n")
            .out);
  // An option on the command line takes effect or is refused.
  const auto refused = run_program(std::string("export --run ") + testing::kShippedModel +
                                   " --text nothing.txt --out " + scratch / "y.mbq");
  CHECK(refused.status == 1);
  CHECK_THAT(refused.err, Contains("nothing.txt"));
  CHECK_FALSE(std::filesystem::exists(scratch / "y.mbq"));
}

TEST_CASE("each line of standard input gives one result, blank and refused ones too") {
  const std::string blank = "\n \t\n\u3000\r\n";
  for (const char* record : {kShippedClassifier, kShippedTagger}) {
    const std::string command = "predict --run " + model_file(record);
    const json rows = lines_of(command + " --json", kSentence + "\n" + blank + kSentence);
    REQUIRE(rows.size() == 5);
    CHECK(rows[1] == json({{"text", ""}, {"error", "is blank, expected text"}}));
    CHECK(rows[3]["text"] == "\u3000");
    CHECK(rows[4] == rows[0]);
  }
  const std::string tag = "predict --run " + model_file(kShippedTagger);
  const auto printed = run_program(tag, kSentence + "\n" + blank + kSentence + "\n");
  CHECK(std::ranges::count(printed.out, '\n') == 5);
  CHECK_THAT(printed.out, Contains(":DT>에") && Contains(".\n\n\n\n세"));
  const auto refused = run_program(tag + " --json", "좋다\n\xb0\xa1\n나쁘다\n");
  CHECK(refused.status == 2);
  std::istringstream lines(refused.out);
  json rows;
  for (std::string line; std::getline(lines, line);) rows.push_back(json::parse(line));
  REQUIRE(rows.size() == 3);
  CHECK(rows[1]["error"].get<std::string>().starts_with("line 2: not valid UTF-8 at byte 0"));
  CHECK(rows[2]["text"] == "나쁘다");
}

TEST_CASE("old names of commands say what is typed now, and are not in --help") {
  for (const auto& [old, now] :
       {std::pair("answer --run a.h5 --context 나 --question 누구?",
                  "predict --run RECORD --context"),
        std::pair("classify --run a.h5 글", "predict --run RECORD TEXT"),
        std::pair("tag --help", "predict --run RECORD TEXT"),
        std::pair("diff a.h5 b.h5 --keys", "inspect RECORD RECORD"),
        std::pair("compact", "export --format record --run RECORD --out FILE")}) {
    const std::string name = std::string(old).substr(0, std::string(old).find(' '));
    check_refused(old, "minibert " + name + " is now: minibert " + now);
    CHECK_THAT(run_program("--help").out, !Contains("\n  " + name));
  }
}

TEST_CASE("predict says in one line what its run does not do") {
  const std::string labels = "predict --run " + model_file(kShippedClassifier),
                    names = "predict --run " + model_file(kShippedTagger);
  check_refused(names + " --words 글",
                "names.mbq, which marks names, expected one that labels texts");
  check_refused(labels + " --question 누구?", "--question: found with ");
  check_refused(asked(model_file(testing::kShippedAnswers)) + " 글",
                "which answers questions, expected one that labels texts or marks names");
  check_refused(labels + " ' '", "TEXT: is blank, expected text");
  check_refused(names + " ' '", "TEXT: is blank, expected text");
  for (const std::string option : {" 글", " --words 글", " --question 누구?"})
    check_refused(std::string("predict --run ") + testing::kShippedModel + option,
                  "found a model that fills masks, expected one that answers questions, labels "
                  "texts or marks names; fill-mask takes this one");
  const Scratch scratch;
  write_file_atomically(scratch / "broken.mbq",
                        read_file(model_file(kShippedClassifier)).substr(0, 5000));
  check_refused("predict --run " + scratch / "broken.mbq" + " 글", "broken.mbq: ");
}

TEST_CASE("a model file answers as the record that it was made from") {
  const auto by_record = run_program(asked(testing::kShippedAnswers) + " --json");
  const auto by_file = run_program(asked(model_file(testing::kShippedAnswers)) + " --json");
  INFO(by_record.err << by_file.err);
  REQUIRE(by_record.status == 0);
  REQUIRE(by_file.status == 0);
  const json exact = json::parse(by_record.out), found = json::parse(by_file.out);
  REQUIRE(found.size() == 5);
  CHECK(found[0]["text"] == exact[0]["text"]);
  CHECK(found[0]["text"] == "1443년");
  const size_t start = found[0]["start"], end = found[0]["end"];
  CHECK(to_utf8(to_code_points(kContext).substr(start, end - start)) ==
        found[0]["text"].get<std::string>());
  for (size_t i = 0; i < 2; ++i)
    CHECK(found[i]["probability"].get<double>() ==
          Approx(exact[i]["probability"].get<double>()).margin(0.05));
}

TEST_CASE("answers are printed best first, and how many does not change their probabilities") {
  for (const std::string& run :
       {std::string(testing::kShippedAnswers), model_file(testing::kShippedAnswers)}) {
    const auto three = run_program(asked(run) + " --n-best 3");
    const auto one = run_program(asked(run) + " --n-best 1");
    REQUIRE(three.status == 0);
    CHECK(std::count(three.out.begin(), three.out.end(), '\n') == 3);
    CHECK(three.out.starts_with(one.out));
    CHECK_THAT(one.out, Contains("%  ") && Contains("1443년\n"));
  }
}

TEST_CASE("white space before a context moves its answers and nothing else") {
  const Scratch scratch;
  for (const std::string& run :
       {std::string(testing::kShippedAnswers), model_file(testing::kShippedAnswers)}) {
    const json plain = json::parse(run_program(asked(run) + " --n-best 1 --json").out)[0];
    for (const std::string space : {"\u3000", "\u00a0", "\f", "@"}) {
      // "@" behind "@" is a letter of the context.
      const bool is_letter = space == "@";
      const auto found =
          run_program(asked(run, kQuestion, (is_letter ? "@@ " : space) + std::string(kContext)) +
                      " --n-best 1 --json");
      INFO(found.err);
      REQUIRE(found.status == 0);
      const json moved = json::parse(found.out)[0];
      CHECK(moved["text"] == plain["text"]);
      CHECK(moved["start"] == plain["start"].get<int>() + (is_letter ? 2 : 1));
    }
    write_file_atomically(scratch / "context.txt", "\xef\xbb\xbf" + std::string(kContext));
    const json of_file = json::parse(
        run_program(asked(run, kQuestion, "@" + scratch / "context.txt") + " --n-best 1 --json")
            .out)[0];
    CHECK(of_file["start"] == plain["start"]);
  }
}

TEST_CASE("of a table, a row without a context stays as it is and a long question is cut") {
  const Scratch scratch;
  std::string long_question = kQuestion;
  for (int i = 0; i < 80; ++i) long_question += " 왕은";
  write_file_atomically(scratch / "in.tsv", "질문\t지문\n" + kQuestion + "\t" + kContext +
                                                "\n누구?\t\u3000\n" + long_question + "\t" +
                                                kContext + "\n");
  for (const std::string& run :
       {std::string(testing::kShippedAnswers), model_file(testing::kShippedAnswers)}) {
    const auto done = run_program("predict --run " + run + " --in " + scratch / "in.tsv" +
                                  " --out " + scratch / "out.jsonl");
    INFO(done.err);
    REQUIRE(done.status == 0);
    CHECK_THAT(done.err, Contains("1 row cannot be read: left as it is (the first: ") &&
                             Contains("in.tsv:3: "));
    CHECK_THAT(done.err,
               Contains("in.tsv: 1 questions are longer than the model reads and are cut off"));
    std::istringstream lines(read_file(scratch / "out.jsonl"));
    std::vector<json> rows;
    for (std::string line; std::getline(lines, line);) rows.push_back(json::parse(line));
    REQUIRE(rows.size() == 3);
    CHECK(rows[0].at("prediction") == "1443년");
    CHECK(rows[0].at("probability").is_number());
    CHECK(rows[1].at("prediction") == "");
    CHECK(rows[1].at("probability").is_null());
    CHECK(rows[2].at("prediction") != "");
  }
}

TEST_CASE("a question or context that cannot be read is refused in one line") {
  std::string long_question = "1443년에";
  for (int i = 0; i < 80; ++i) long_question += " 왕은";
  for (const std::string& run :
       {std::string(testing::kShippedAnswers), model_file(testing::kShippedAnswers)}) {
    check_refused(asked(run, ""), "--question: is blank, expected text");
    check_refused(asked(run, "\u3000"), "--question: is blank, expected text");
    check_refused(asked(run, kQuestion, " "), "--context: is blank, expected text");
    check_refused(asked(run, long_question), "the question is too long: found ");
  }
  check_refused("fill-mask --run " + model_file(testing::kShippedAnswers) + " '나라 [MASK]'",
                "answers.mbq: the model answers questions, expected one that fills masks");
  check_refused(std::string("fill-mask --run ") + testing::kShippedAnswers + " '나라 [MASK]'",
                "found \"korquad\", expected pretrain; this run is for the command predict");
}

TEST_CASE("a file that is given as a text, and standard input in another encoding, are told") {
  const Scratch scratch;
  testing::write_bytes(scratch / "p.csv", "문장\n재미있어요\n");
  const std::string run = "predict --run " + std::string(kShippedClassifier) + " ";
  const std::string name = " " + scratch / "p.csv", told = "p.csv is a file, and its name is read";
  CHECK_THAT(run_program(run + name).err, Contains(told + " as the text; --in FILE --out FILE"));
  CHECK(run_program(run + "재미있어요").err.find("is a file") == std::string::npos);
  for (const std::string command : {"fill-mask --run ", "embed --run "})
    CHECK_THAT(run_program(command + testing::kShippedModel + name).err, Contains(told));
  CHECK_THAT(run_program("predict --run " + std::string(testing::kShippedAnswers) +
                         " --question 무엇? --context" + name)
                 .err,
             Contains(told + " as the text; --context @FILE reads it"));
  const auto cp949 = run_program(run, "\xc1\xc1\xbe\xc6\xbf\xe4\n");
  CHECK(cp949.status == 2);
  CHECK_THAT(cp949.err,
             Contains("line 1: not valid UTF-8 at byte 0") && Contains("iconv -f CP949"));
}

TEST_CASE("predict takes questions and their texts by the columns of a table") {
  const Scratch scratch;
  const std::string run = "predict --run " + std::string(testing::kShippedAnswers) + " --in ";
  testing::write_bytes(scratch / "q.csv", "질문,지문\n한국의 수도는?,서울은 한국의 수도이다.\n");
  done(run + scratch / "q.csv" + " --out " + scratch / "csv.jsonl");
  CHECK_FALSE(rows_of(scratch / "csv.jsonl")[0].at("prediction").get<std::string>().empty());
  // Entities are a list, in JSON lines.
  testing::write_bytes(scratch / "n.csv",
                       "문장\n세종대왕은 1443년에 한양에서 훈민정음을 만들었다.\n");
  done("predict --run " + std::string(testing::kShippedTagger) + " --in " + scratch / "n.csv" +
       " --out " + scratch / "n.jsonl");
  CHECK(rows_of(scratch / "n.jsonl")[0].at("entities").at(0).at("start").is_number());
}

}  // namespace minibert
