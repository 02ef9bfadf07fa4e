// `minibert fill-mask` with the shipped model.
#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/files.h"
#include "support/program.h"
#include "support/scratch.h"

namespace minibert {
namespace {

using Catch::Matchers::Contains;
using nlohmann::json;
using testing::kShippedModel;
using testing::run_program;

const std::string kCommand = std::string("fill-mask --run ") + kShippedModel;

TEST_CASE("the shipped model fills the golden sentences as it did when it was shipped") {
  const json golden = read_json("tests/cli/golden_sentences.json");
  std::string input;
  for (const json& sentence : golden) input += sentence["text"].get<std::string>() + "\n";
  const auto found = run_program(kCommand + " --json --top-k 3", input);
  REQUIRE(found.status == 0);
  std::istringstream lines(found.out);
  std::string line;
  for (const json& sentence : golden) {
    INFO(sentence.dump());
    REQUIRE(std::getline(lines, line));
    const json masks = json::parse(line).at("masks");
    REQUIRE(masks.size() == sentence["guesses"].size());
    for (size_t i = 0; i < masks.size(); ++i) {
      const json& first = masks[i].at("guesses").at(0);
      CHECK(first.at("piece") == sentence["guesses"][i].at("piece"));
      CHECK(first.at("probability").get<double>() ==
            Approx(sentence["guesses"][i].at("probability").get<double>()).margin(0.01));
    }
  }
}

TEST_CASE("fill-mask prints guesses and the filled sentence, of an argument or of lines") {
  const auto first = run_program(kCommand + " --top-k 2 '그는 서울에서 [MASK].'");
  CHECK(first.status == 0);
  CHECK(first.err.empty());
  CHECK_THAT(first.out,
             Catch::StartsWith("그는 서울에서 [MASK].\n  1  ") && Contains("\n→ 그는 서울에서 "));
  // Brackets at both ends are no list.
  const auto second = run_program(kCommand + " --top-k 2 '[MASK] 나라 [MASK]'");
  CHECK(second.status == 0);
  CHECK(std::count(second.out.begin(), second.out.end(), '%') == 4);
  CHECK(run_program(kCommand + " --top-k 2", "그는 서울에서 [MASK].\n\n[MASK] 나라 [MASK]\n").out ==
        first.out + "\n" + second.out);
}

TEST_CASE("fill-mask takes blanks as people write them for masks, as the page does") {
  const std::string expected = run_program(kCommand + " '그는 서울에서 [MASK]에 갔다.'").out;
  for (const char* blank : {"[mask]", "[ MASK ]", "___", "( )", "<mask>", "□", "[MASK]__"})
    CHECK(run_program(kCommand + " '그는 서울에서 " + blank + "에 갔다.'").out == expected);
}

TEST_CASE("a guess that is neither impossible nor certain is never printed as such") {
  const auto found = run_program(kCommand + " --top-k 1000 '제2차 세계 [MASK]은 1945년에 끝났다.'");
  REQUIRE(found.status == 0);
  CHECK_THAT(found.out, Contains("  <0.01%  "));
  CHECK(found.out.find(" 0.00") == std::string::npos);
}

TEST_CASE("fill-mask changes a model inside alike by LibTorch and by the engine") {
  const testing::Scratch scratch;
  const std::string mbq = scratch / "float.mbq";
  REQUIRE(
      run_program(std::string("export --float --no-check --run ") + kShippedModel + " --out " + mbq)
          .status == 0);
  const std::string text = " --json --top-k 5 '대한민국의 수도는 [MASK]이다.'";
  const auto guesses = [&](const std::string& run, const std::string& changes) {
    const auto result = run_program("fill-mask --run " + run + " " + changes + text);
    INFO(result.err);
    REQUIRE(result.status == 0);
    return json::parse(result.out).at("masks").at(0).at("guesses");
  };
  const json untouched = guesses(kShippedModel, "");
  for (const char* changes :
       {"--without-head 2.3", "--without-layer 1", "--without-head 2.1 --without-head 2.2",
        "--patch '대한민국의 도시는 [MASK]이다.' --patch-layer 1 --patch-at 2",
        "--patch '일본의 수도는 [MASK]이다.' --patch-layer 2 --patch-at 3:4"}) {
    INFO(changes);
    const json record = guesses(kShippedModel, changes), file = guesses(mbq, changes);
    REQUIRE(record.size() == file.size());
    for (size_t i = 0; i < record.size(); ++i) {
      CHECK(record[i].at("piece") == file[i].at("piece"));
      CHECK(record[i].at("probability").get<double>() ==
            Approx(file[i].at("probability").get<double>()).margin(1e-4));
    }
    CHECK(record != untouched);
  }
}

TEST_CASE("fill-mask follows a word through the layers to its probability") {
  const std::string text = "'대한민국의 수도는 [MASK]이다.' --json";
  const auto followed = run_program(kCommand + " --word 서울 " + text);
  INFO(followed.err);
  REQUIRE(followed.status == 0);
  const json stages = json::parse(followed.out).at("masks").at(0);
  REQUIRE(stages.size() == 3);
  const auto guesses =
      json::parse(run_program(kCommand + " --top-k 1000 " + text).out).at("masks")[0].at("guesses");
  bool found = false;
  for (size_t k = 0; k < guesses.size(); ++k) {
    if (guesses[k].at("piece") != "서울" && guesses[k].at("piece") != "▁서울") continue;
    found = true;
    CHECK(stages[2].at("pieces")[0].at("rank") == k + 1);
    CHECK(stages[2].at("probability").get<double>() ==
          Approx(guesses[k].at("probability").get<double>()).margin(1e-4));
  }
  CHECK(found);
}

TEST_CASE("fill-mask follows a word between attention and feed-forward, too") {
  const std::string command = kCommand + " --word 서울 '대한민국의 수도는 [MASK]이다.'";
  const json whole = json::parse(run_program(command + " --json").out).at("masks").at(0);
  const auto found = run_program(command + " --half-layers --json");
  INFO(found.err);
  REQUIRE(found.status == 0);
  const json halves = json::parse(found.out).at("masks").at(0);
  REQUIRE(halves.size() == 5);
  for (size_t i = 0; i < halves.size(); ++i) {
    CHECK(halves[i].at("layer") == 0.5 * static_cast<double>(i));
    if (i % 2 == 0) CHECK(halves[i].at("probability") == whole[i / 2].at("probability"));
  }
  CHECK_THAT(run_program(command + " --half-layers").out,
             Contains("layer 0  ") && Contains("layer 1.5  "));
}

TEST_CASE("fill-mask fills a table's masks and leaves the rows without one as they are") {
  const testing::Scratch scratch;
  write_file(scratch / "in.csv",
             "번호,문장\n1,그는 서울에서 [MASK].\n2,서울\n3,\n4,[MASK] ___에 갔다.\n");
  const std::string out = scratch / "out.csv";
  const auto done = run_program(kCommand + " --in " + scratch / "in.csv" + " --out " + out);
  INFO(done.err);
  REQUIRE(done.status == 0);
  CHECK_THAT(done.err,
             Contains("2 rows without a text with [MASK]: left as they are (the first: ") &&
                 Contains("in.csv:3)"));
  std::istringstream lines(read_file(out));
  std::vector<std::string> written;
  for (std::string line; std::getline(lines, line);) written.push_back(line);
  REQUIRE(written.size() == 5);
  CHECK_THAT(written[0], Contains("번호,문장,prediction,guesses"));
  CHECK_THAT(written[1], Catch::StartsWith("1,그는 서울에서 [MASK].,그는 서울에서 "));
  CHECK_THAT(written[2], Catch::StartsWith("2,서울,,"));
  CHECK_THAT(written[3], Catch::StartsWith("3,,,"));
  CHECK_THAT(written[4], Catch::StartsWith("4,[MASK] ___에 갔다.,"));
  // --top-k guesses for each mask, five unless it says otherwise.
  const std::string objects = scratch / "out.jsonl";
  REQUIRE(run_program(kCommand + " --in " + scratch / "in.csv" + " --out " + objects).status == 0);
  std::istringstream rows(read_file(objects));
  std::vector<std::string> guesses;
  for (std::string row; std::getline(rows, row);)
    guesses.push_back(json::parse(row).at("guesses").get<std::string>());
  CHECK(std::ranges::count(guesses.at(0), ' ') == 4);
  CHECK(std::ranges::count(guesses.at(3), ' ') == 10);
  CHECK_THAT(guesses.at(3), Contains(" | "));
  // A table without any mask is told, not copied.
  write_file(scratch / "none.csv", "번호,문장\n1,서울\n");
  const auto none =
      run_program(kCommand + " --in " + scratch / "none.csv" + " --out " + scratch / "never.csv");
  CHECK(none.status == 2);
  CHECK_THAT(none.err, Contains("found no row with a text with [MASK], expected some"));
  CHECK_FALSE(std::filesystem::exists(scratch / "never.csv"));
}

TEST_CASE("a text of a table that is too long costs no other row its guesses") {
  const testing::Scratch scratch;
  std::string text = "[MASK]";
  for (int i = 0; i < 400; ++i) text += " 가";
  write_file(scratch / "in.csv", "번호,문장\n1," + text + "\n2,그는 서울에서 [MASK].\n");
  const auto done =
      run_program(kCommand + " --in " + scratch / "in.csv" + " --out " + scratch / "out.jsonl");
  INFO(done.err);
  REQUIRE(done.status == 0);
  CHECK_THAT(done.err, Contains("1 row cannot be read: left as it is (the first: ") &&
                           Contains("in.csv:2: ") && Contains("too long: found "));
  std::istringstream rows(read_file(scratch / "out.jsonl"));
  std::string first, second;
  REQUIRE(std::getline(rows, first));
  REQUIRE(std::getline(rows, second));
  CHECK(json::parse(first).at("prediction") == "");
  CHECK(json::parse(second).at("prediction") != "");
  // Where no row can be read, the first one's reason is the table's.
  write_file(scratch / "long.csv", "번호,문장\n1," + text + "\n");
  const auto none =
      run_program(kCommand + " --in " + scratch / "long.csv" + " --out " + scratch / "never.csv");
  CHECK(none.status == 2);
  CHECK_THAT(none.err, Contains("long.csv:2: ") && Contains("too long: found "));
  CHECK_FALSE(std::filesystem::exists(scratch / "never.csv"));
}

TEST_CASE("a new column takes no key of the objects that it is written into") {
  const testing::Scratch scratch;
  write_file(scratch / "in.jsonl",
             R"({"문장": "그는 서울에서 [MASK].", "prediction": {}, "guesses": {"a": 1}})");
  const auto done =
      run_program(kCommand + " --in " + scratch / "in.jsonl" + " --out " + scratch / "out.jsonl");
  INFO(done.err);
  REQUIRE(done.status == 0);
  const json row = json::parse(read_file(scratch / "out.jsonl"));
  CHECK(row.at("prediction") == json::object());
  CHECK(row.at("guesses") == json{{"a", 1}});
  CHECK_THAT(row.at("prediction_2").get<std::string>(), Catch::StartsWith("그는 서울에서 "));
  CHECK(row.contains("guesses_2"));
}

TEST_CASE("fill-mask reads one of a particle's two forms, as the engine does") {
  for (const std::string& run :
       {std::string(testing::kShippedModel), std::string("wasm_demo/models/everyday-1m.mbq")}) {
    const auto of = [&](const std::string& text) {
      const auto found = run_program("fill-mask --run " + run + " --json '" + text + "'");
      REQUIRE(found.status == 0);
      return json::parse(found.out);
    };
    const json both = of("대한민국의 수도___은(는) 서울이다."),
               one = of("대한민국의 수도[MASK]는 서울이다."),
               other = of("대한민국의 수도[MASK]은 서울이다.");
    CHECK((both.at("text") == one.at("text") || both.at("text") == other.at("text")));
    CHECK((both.at("filled") == one.at("filled") || both.at("filled") == other.at("filled")));
    CHECK(one.at("filled") != other.at("filled"));
  }
}

TEST_CASE(
    "fill-mask gives a result for each line of standard input, of one that it cannot fill the "
    "reason") {
  const auto result = run_program(kCommand + " --json", "문장\n[MASK] 나라\n서울\n\n[MASK] 사람\n");
  CHECK(result.status == 2);
  std::istringstream lines(result.out);
  std::vector<json> rows;
  for (std::string line; std::getline(lines, line);) rows.push_back(json::parse(line));
  REQUIRE(rows.size() == 5);
  CHECK(rows[0] == json({{"text", "문장"}, {"error", "line 1: the text has no [MASK]"}}));
  CHECK(rows[3] == json({{"text", ""}, {"error", "is blank, expected text"}}));
  for (const size_t read : {1, 4}) CHECK(rows[read].at("masks").size() == 1);
  CHECK(result.err ==
        "line 1: the text has no [MASK]\n"
        "line 3: the text has no [MASK]\n"
        "minibert: 2 of 4 lines could not be read: see above\n");
}

TEST_CASE("fill-mask goes on behind a line that is not UTF-8, and tells all at the end") {
  const auto result =
      run_program(kCommand + " --json", "[MASK] 나라\n\xb0\xa1 [MASK]\n[MASK] 사람\n서울\n");
  CHECK(result.status == 2);
  CHECK(std::ranges::count(result.out, '\n') == 4);
  CHECK_THAT(result.err,
             Catch::StartsWith("line 2: not valid UTF-8 at byte 0; --in FILE reads") &&
                 Catch::EndsWith("\nline 4: the text has no [MASK]\nminibert: 2 of 4 lines could "
                                 "not be read: see above\n"));
}

TEST_CASE("fill-mask stops where none of the first ten lines can be filled") {
  std::string lines;
  for (int i = 0; i < 100; ++i) lines += "서울\n";
  const auto result = run_program(kCommand, lines + "[MASK] 나라\n");
  CHECK(result.status == 2);
  CHECK(result.out == std::string(9, '\n'));
  CHECK_THAT(result.err, Catch::EndsWith("minibert: line 10: the text has no [MASK]\n"));
  CHECK(std::ranges::count(result.err, '\n') == 10);
}

TEST_CASE("fill-mask says in one line what is wrong") {
  const auto refused = [](const std::string& arguments, const std::string& input,
                          const std::string& message) {
    const auto result = run_program(arguments, input);
    CHECK(result.status == 2);
    CHECK(result.err == "minibert: " + message + "\n");
  };
  const std::string masked = " '[MASK] 나라'";
  refused(kCommand + " --without-head 3.1" + masked, "",
          "TEXT: found head 3.1, the model has heads 1 to 4 in layers 1 to 2");
  refused(kCommand + " --without-layer 3" + masked, "",
          "TEXT: found layer 3, the model has layers 1 to 2");
  refused(kCommand + " --without-head 2" + masked, "",
          "--without-head: found \"2\", expected a layer and a head, counted from 1, as 1.3");
  refused(kCommand + " --patch 나라" + masked, "", "--patch: expected --patch-layer N with it");
  refused(kCommand + " --half-layers" + masked, "", "--half-layers: expected --word WORD with it");
  refused("fill-mask" + masked, "",
          "--run is required: pretraining record with weights, or .mbq, as "
          "wasm_demo/models/everyday-1m.mbq");
  refused(kCommand + " ''", "", "TEXT: the text is empty");
  refused(kCommand + " 서울", "", "TEXT: the text has no [MASK]");
  refused(kCommand, "[MASK] 나라\n서울\n", "line 2: the text has no [MASK]");
  std::string text = "[MASK]";
  for (int i = 0; i < 400; ++i) text += " 가";
  const auto result = run_program(kCommand, text + "\n");
  CHECK(result.status == 2);
  CHECK_THAT(result.err, Contains("too long: found ") && Contains("expected at most 384"));
  CHECK(run_program("fill-mask --run none.h5 '[MASK]'").status == 1);
}

}  // namespace
}  // namespace minibert
