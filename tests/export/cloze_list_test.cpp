// Whole-word guesses on a list of sentences, with the shipped model.
#include "export/cloze_list.h"

#include <catch2/catch.hpp>

#include "core/files.h"
#include "support/program.h"
#include "support/scratch.h"
#include "task/all/export_run.h"

namespace minibert {
namespace {

using Catch::Matchers::Contains;
using nlohmann::json;
using testing::kShippedModel;
using testing::run_program;
using testing::Scratch;

TEST_CASE("a word of one piece has the probability that fill-mask gives it") {
  const AlignedBytes file(load_or_export(kShippedModel));
  infer::FillMask model;
  REQUIRE(model.load(file.span()).ok());
  const std::string text = "그는 서울대학교를 [MASK]하였다.";
  infer::FillResult filled;
  REQUIRE(model.fill(text, 1, &filled).ok());
  const auto words = guess_words(model, text, 5);
  REQUIRE(words.size() == 5);
  CHECK(words[0].word == filled.masks[0].guesses[0].text);
  CHECK(words[0].word == "졸업");
  CHECK(std::exp(words[0].log_probability) ==
        Approx(filled.masks[0].guesses[0].probability).epsilon(1e-5));
  for (size_t i = 1; i < words.size(); ++i)
    CHECK(words[i].log_probability <= words[i - 1].log_probability);
}

TEST_CASE("evaluate --cloze tells the share of right first guesses and of right ones in five") {
  const auto result = run_program(std::string("evaluate --run ") + kShippedModel +
                                  " --cloze tests/quality/cloze.json --json");
  INFO(result.err);
  REQUIRE(result.status == 0);
  const json told = json::parse(result.out);
  CHECK(told.at("sentences").size() == 200);
  double first = 0, top5 = 0;
  for (const auto& sentence : told.at("sentences")) {
    CHECK(sentence.at("guesses").size() == 5);
    CHECK_FALSE(sentence.at("accept").empty());
    first += sentence.at("rank") == 1;
    top5 += sentence.at("rank") > 0;
  }
  CHECK(told.at("cloze_first").get<double>() == Approx(first / 200));
  CHECK(told.at("cloze_top5").get<double>() == Approx(top5 / 200));
  CHECK(told.at("cloze_encyclopaedic_top5") > told.at("cloze_encyclopaedic_first"));
  CHECK(told.at("cloze_everyday_top5") <= 1);
  CHECK(told.at("counts") == json{{"encyclopaedic", 100}, {"everyday", 100}});
  // Half of the sentences tell less.
  const auto width = [&](const char* name) {
    const json& interval = told.at("intervals").at(name);
    CHECK(interval.at(0) <= told.at(name));
    CHECK(interval.at(1) >= told.at(name));
    return interval.at(1).get<double>() - interval.at(0).get<double>();
  };
  CHECK(width("cloze_encyclopaedic_top5") > width("cloze_top5"));
}

TEST_CASE("evaluate --cloze shows the guesses for sentences of one's own") {
  const Scratch scratch;
  write_file_atomically(scratch / "mine.tsv",
                        "text\taccept\n그는 서울대학교를 ( )하였다.\t졸업\n"
                        "비가 와서 ( )을 챙겼다.\t우산|장화\n");
  const auto result = run_program(std::string("evaluate --run ") + kShippedModel + " --cloze " +
                                  scratch / "mine.tsv" + " --show 1");
  INFO(result.err);
  REQUIRE(result.status == 0);
  CHECK_THAT(result.out, Contains("그는 서울대학교를 [MASK]하였다.\n  guessed  졸업, "));
  CHECK_THAT(result.out, Contains("  right    졸업\n"));
  CHECK_THAT(result.out, !Contains("우산"));
  CHECK_THAT(result.out, Contains("sentences                    2"));
  CHECK_THAT(result.out, Contains("cloze_first                  "));
}

TEST_CASE("evaluate --cloze measures so many sentences as --limit says, with their kinds") {
  const Scratch scratch;
  write_file_atomically(scratch / "mine.csv",
                        "종류,문장,정답\n학교,그는 서울대학교를 ___하였다.,졸업\n"
                        "비,비가 와서 ___을 챙겼다.,우산\n비,___을 쓰고 나갔다.,우산\n");
  const auto result = run_program(std::string("evaluate --run ") + kShippedModel + " --cloze " +
                                  scratch / "mine.csv" + " --limit 2");
  INFO(result.err);
  REQUIRE(result.status == 0);
  CHECK_THAT(result.out, Contains("sentences                    2\n") &&
                             Contains("sentences, 학교            1\n") &&
                             Contains("cloze_first") && Contains("  (no interval: "));
  CHECK_THAT(result.err, Contains("2 examples"));
}

TEST_CASE("evaluate refuses with a cloze list what is of no use there") {
  const std::string command =
      std::string("evaluate --run ") + kShippedModel + " --cloze tests/quality/cloze.json ";
  for (const std::string other : {"--data sample", "--text README.md", "--split dev",
                                  "--course-metrics", "--device cuda", "--precision bf16"}) {
    const auto result = run_program(command + other);
    CHECK(result.status == 2);
    CHECK(result.err == "minibert: " + other.substr(0, other.find(' ')) +
                            ": found with --cloze, expected --cloze FILE without it\n");
  }
  CHECK(run_program(command + "--show -1").status == 2);
}

}  // namespace
}  // namespace minibert
