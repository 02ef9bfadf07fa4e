// `minibert data` on the embedded sample.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <set>

#include "core/files.h"
#include "support/program.h"
#include "support/scratch.h"

namespace minibert {
namespace {

using Catch::Matchers::Contains;
using nlohmann::json;
using testing::kShippedModel;
using testing::run_program;
using testing::Scratch;

TEST_CASE("data list names every registered set and what of it is there") {
  const Scratch scratch;
  const auto list = run_program("data list");
  CHECK(list.status == 0);
  for (const char* id : {"korquad-v1 ",
                         "korquad-v1-dev-split ",
                         "korquad-tydiqa ",
                         "tydiqa-ko ",
                         "kowiki ",
                         "kowiki-small ",
                         "kowiki-dump ",
                         "kowiki-cloze ",
                         "nsmc ",
                         "nsmc-official ",
                         "nsmc-sentineg ",
                         "3i4k ",
                         "kobest-boolq ",
                         "kobest-copa ",
                         "kobest-wic ",
                         "kobest-hellaswag ",
                         "kobest-sentineg ",
                         "kornli-xnli ",
                         "kornli ",
                         "korsts ",
                         "klue-ner ",
                         "klue-ner-official ",
                         "chatbot-data ",
                         "parakqc ",
                         "kowiki-everyday ",
                         "wikitext-2 ",
                         "wikitext-2-raw ",
                         "wikitext-2-train ",
                         "wikitext-2-valid ",
                         "bert-base-uncased "})
    CHECK_THAT(list.out, Contains(std::string(id)));
  CHECK_THAT(list.out, Contains("sample                   complete"));
  CHECK_THAT(list.out, Contains("; unverified: kowiki-cloze.json\n") &&
                           Contains("; unverified: kowiki-latest-pages-articles.xml.bz2\n"));
  CHECK(std::count(list.out.begin(), list.out.end(), '\n') == 36);
}

TEST_CASE("data features prints one line a question, with the tokenizer of a record") {
  const auto result =
      run_program(std::string("data features sample --split test --tokenizer ") + kShippedModel);
  INFO(result.err);
  REQUIRE(result.status == 0);
  std::istringstream lines(result.out);
  std::set<std::string> ids;
  for (std::string line; std::getline(lines, line);) {
    const json feature = json::parse(line);
    INFO(line);
    ids.insert(feature.at("id").get<std::string>());
    if (feature.at("discarded") == true) {
      CHECK(feature.size() == 2);
      continue;
    }
    const size_t length = feature.at("input_ids").size();
    CHECK(length <= 384);
    CHECK(feature.at("input_ids")[0] == 5);           // [CLS]
    CHECK(feature.at("input_ids")[length - 1] == 4);  // [SEP]
    CHECK(feature.at("segments").size() == length);
    CHECK(feature.at("start") <= feature.at("end"));
    CHECK(feature.at("end") < length - 1);
    CHECK(feature.at("segments")[feature.at("start").get<size_t>()] == 1);
  }
  CHECK(ids.size() == 73);
}

TEST_CASE("data features shows the steps of a question, by id or place") {
  const std::string command =
      std::string("data features sample --split test --tokenizer ") + kShippedModel + " --show ";
  const auto first = run_program(command + "0");
  INFO(first.err);
  REQUIRE(first.status == 0);
  const std::string id = first.out.substr(12, first.out.find('\n') - 12);
  CHECK(run_program(command + id).out == first.out);
  CHECK_THAT(first.out,
             Contains("[question]  ") && Contains("\nword  characters    first piece  pieces\n") &&
                 Contains("\nO >> (") && Contains("[CLS]") && Contains("[segments]  0 0"));
  const Scratch scratch;
  scratch.write("own.json",
                R"([{"context": "1839년  파우스트을 읽었다.", "qas": [)"
                R"({"question": "무엇을 읽었나?", "answers": [{"text": "파우스트"}]}]}])");
  CHECK_THAT(run_program("data features " + scratch / "own.json" + " --tokenizer " + kShippedModel +
                         " --show 0")
                 .out,
             Contains("\n0     (0, 4)          0 ") && Contains("\n1     (7, 11)         "));
  testing::check_refused(command + "nowhere", "--show: found \"nowhere\", expected the id");
}

TEST_CASE("data instances shows what the model is given, as the course does") {
  const Scratch scratch;
  scratch.write("rain.txt", "추적추적 비가 내리는 날이었어\n그날은 왠지 손님이 많아\n");
  const auto result = run_program(
      std::string("data instances --set masking=static --set sequence_length=64 --tokenizer ") +
      kShippedModel + " --text " + scratch / "rain.txt" + " --show 5");
  INFO(result.err);
  REQUIRE(result.status == 0);
  // The pieces are the course's own; which are masked, chance decides.
  CHECK_THAT(result.out, Contains("tokens:     [CLS]") && Contains("[MASK]") &&
                             Contains("\nis_next:    ") && Contains("\nmask_idx:   ") &&
                             Contains("\nmask_label: "));
  CHECK(std::ranges::count(result.out, '\n') == 5);
  const size_t segments = result.out.find("segment:    ");
  REQUIRE(segments != std::string::npos);
  CHECK(std::ranges::count(result.out.substr(segments, result.out.find('\n', segments) - segments),
                           '0') +
            std::ranges::count(
                result.out.substr(segments, result.out.find('\n', segments) - segments), '1') ==
        25);
  testing::check_refused(std::string("data instances sample --tokenizer ") + kShippedModel,
                         "expected --out FILE, or --show N");
}

TEST_CASE("data instances writes a file with its statistics, and says what is wrong") {
  const Scratch scratch;
  const std::string command =
      std::string("data instances sample --set sequence_length=64 --tokenizer ") + kShippedModel;
  const auto one = run_program(command + " --json --out " + scratch / "one.h5");
  INFO(one.err);
  REQUIRE(one.status == 0);
  const json statistics = json::parse(one.out);
  CHECK(statistics.at("instances") > 100);
  CHECK(statistics.at("mask_rate").get<double>() == Approx(0.13).margin(0.03));
  CHECK(statistics.at("longest") == 64);

  testing::write_bytes(scratch / "bad.txt", "제목\n좋은 글\n나쁜 \xff 글\n");
  const auto bad = run_program(std::string("data instances --tokenizer ") + kShippedModel +
                               " --text " + scratch / "bad.txt" + " --out " + scratch / "bad.h5");
  CHECK(bad.status == 1);
  CHECK_THAT(bad.err, Contains("bad.txt") && Contains(":3: not valid") && Contains("UTF-8"));
  CHECK(run_program(command + " --set sequence_length=4 --out " + scratch / "c.h5").status == 2);
  testing::check_refused("data instances --tokenizer " + scratch / "one.h5" + " --text " +
                             scratch / "bad.txt" + " --out " + scratch / "one.h5",
                         "one.h5: is the tokenizer itself, expected another file");
}

TEST_CASE("data stats prints counts and a row for every length") {
  const auto stats = run_program("data stats sample");
  CHECK(stats.status == 0);
  CHECK_THAT(stats.out, Contains("train: 34 paragraphs 286 questions; lengths in characters\n") &&
                            Contains("\n  context_length ") && Contains("\ntext train: "));
}

TEST_CASE("the data commands name an unknown set with the nearest") {
  const auto result = run_program("data stats samle");
  CHECK(result.status == 2);
  CHECK_THAT(result.err, Contains("samle") && Contains("sample"));
}

}  // namespace
}  // namespace minibert
