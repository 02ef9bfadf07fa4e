// `minibert answer` with the shipped record and with the model file exported from it.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "core/files.h"
#include "core/utf8.h"
#include "support/program.h"
#include "support/scratch.h"

namespace minibert {
namespace {

using Catch::Matchers::Contains;
using nlohmann::json;
using testing::check_refused;
using testing::run_program;
using testing::Scratch;

const std::string kContext =
    "세종대왕은 조선의 제4대 국왕이다. 1418년에 즉위하여 1450년까지 재위하였다. 1443년에 "
    "훈민정음을 창제하고 1446년에 반포하였다.";
const std::string kQuestion = "훈민정음은 언제 창제되었는가?";

std::string asked(const std::string& run, const std::string& question = kQuestion,
                  const std::string& context = kContext) {
  return "answer --run " + run + " --question '" + question + "' --context '" + context + "'";
}

// The shipped record's model file, made once.
const std::string& model_file() {
  static const Scratch scratch;
  static const std::string path = [] {
    const auto result = run_program(std::string("export --run ") + testing::kShippedAnswers +
                                    " --no-check --out " + (scratch / "answers.mbq"));
    INFO(result.err);
    REQUIRE(result.status == 0);
    return scratch / "answers.mbq";
  }();
  return path;
}

TEST_CASE("a model file answers as the record that it was made from") {
  const auto by_record = run_program(asked(testing::kShippedAnswers) + " --json");
  const auto by_file = run_program(asked(model_file()) + " --json");
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
  for (const std::string& run : {std::string(testing::kShippedAnswers), model_file()}) {
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
  for (const std::string& run : {std::string(testing::kShippedAnswers), model_file()}) {
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
  for (const std::string& run : {std::string(testing::kShippedAnswers), model_file()}) {
    const auto done = run_program("answer --run " + run + " --in " + scratch / "in.tsv" +
                                  " --out " + scratch / "out.jsonl");
    INFO(done.err);
    REQUIRE(done.status == 0);
    CHECK_THAT(done.err,
               Contains("1 row without a question and a context: left as it is (the first: ") &&
                   Contains("in.tsv:3)"));
    CHECK_THAT(done.err, Contains("in.tsv: 1 questions are longer than the model reads: the rest "
                                  "of them is not read"));
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

TEST_CASE("answer says in one line what is wrong") {
  const Scratch scratch;
  write_file_atomically(scratch / "broken.mbq", read_file(model_file()).substr(0, 5000));
  std::string long_question = "1443년에";
  for (int i = 0; i < 80; ++i) long_question += " 왕은";
  for (const std::string& run : {std::string(testing::kShippedAnswers), model_file()}) {
    check_refused(asked(run, ""), "--question: is blank, expected text");
    check_refused(asked(run, "\u3000"), "--question: is blank, expected text");
    check_refused(asked(run, kQuestion, " "), "--context: is blank, expected text");
    check_refused(asked(run, long_question), "the question is too long: found ");
  }
  check_refused(asked(scratch / "broken.mbq"), "broken.mbq: ");
  check_refused(asked(testing::kShippedModel), "found \"pretrain\", expected korquad");
  const std::string masks = scratch / "masks.mbq";
  REQUIRE(run_program(std::string("export --run ") + testing::kShippedModel + " --no-check --out " +
                      masks)
              .status == 0);
  check_refused(asked(masks),
                "masks.mbq: the model fills masks, expected one that answers questions");
  check_refused("fill-mask --run " + model_file() + " '나라 [MASK]'",
                "answers.mbq: the model answers questions, expected one that fills masks");
}

}  // namespace
}  // namespace minibert
