// The C interface on the models that the tree has.
#include <minibert.h>

#include <catch2/catch.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "core/files.h"
#include "support/program.h"
#include "support/scratch.h"
#include "support/shell.h"

namespace {

using minibert::read_file;
using minibert::shell;
using minibert::single_quoted;
using minibert::testing::run_program;
using minibert::testing::Scratch;

constexpr const char* kMasks = "wasm_demo/models/everyday-1m.mbq";
constexpr const char* kAnswers = "wasm_demo/models/korquad-1m.mbq";
constexpr const char* kLabels = "wasm_demo/models/nsmc-1m.mbq";
constexpr const char* kNames = "wasm_demo/models/klue-ner-1m.mbq";
constexpr const char* kSentence = "제2차 세계 [MASK]은 1945년에 끝났다.";

using Model = std::unique_ptr<minibert_model, void (*)(minibert_model*)>;

Model open(const char* path) {
  char* error = nullptr;
  Model model(minibert_open(path, &error), minibert_close);
  INFO((error == nullptr ? "" : error));
  REQUIRE(model);
  CHECK(error == nullptr);
  return model;
}

nlohmann::json json(char* text) {
  REQUIRE(text != nullptr);
  auto parsed = nlohmann::json::parse(text);
  minibert_free(text);
  return parsed;
}

std::string taken(char* error) {
  const std::string text = error == nullptr ? "" : error;
  minibert_free(error);
  return text;
}

}  // namespace

TEST_CASE("the C interface gives the guesses that the program prints") {
  const Model model = open(kMasks);
  CHECK(std::string(minibert_task(model.get())) == "masks");
  auto ours = json(minibert_fill(model.get(), kSentence, 5, nullptr));
  const auto printed =
      run_program(std::string("fill-mask --json --run ") + kMasks + " " + single_quoted(kSentence));
  REQUIRE(printed.status == 0);
  CHECK(ours.at("masks") == nlohmann::json::parse(printed.out).at("masks"));
  CHECK(ours.at("filled") == "제2차 세계 대전은 1945년에 끝났다.");
  CHECK(json(minibert_facts(model.get(), nullptr)).at("source_run") ==
        "kowiki_blanks/full/mini_bert_1m_base_blanks_mean-s1");
  CHECK(json(minibert_tokenize(model.get(), "세계", nullptr)).size() == 3);
}

TEST_CASE("the C interface takes blanks as people write them for masks") {
  const Model model = open(kMasks);
  const auto masked = json(minibert_fill(model.get(), kSentence, 3, nullptr));
  for (const std::string blank :
       {"( )", "()", "[ MASK ]", "<mask>", "○○", "□", "____", "（　）", "［ＭＡＳＫ］"}) {
    INFO(blank);
    const std::string text = "제2차 세계 " + blank + "은 1945년에 끝났다.";
    const auto found = json(minibert_fill(model.get(), text.c_str(), 3, nullptr));
    CHECK(found.at("masks").at(0).at("guesses") == masked.at("masks").at(0).at("guesses"));
    CHECK(found.at("filled") == masked.at("filled"));
    // Places are those of the text as it was given.
    const auto place = [&](const nlohmann::json& part) {
      const auto begin = part.at("begin").get<size_t>(), end = part.at("end").get<size_t>();
      return text.substr(begin, end - begin);
    };
    CHECK(place(found.at("masks").at(0)) == blank);
    const auto& tokens = found.at("tokens");
    REQUIRE(tokens.size() == masked.at("tokens").size());
    CHECK(place(tokens.at(tokens.size() - 2)) == ".");
  }
  // The model reads the right form of the particle.
  const auto pair =
      json(minibert_fill(model.get(), "제2차 세계 ( )은/는 1945년에 끝났다.", 3, nullptr));
  CHECK(pair.at("masks").at(0).at("guesses") == masked.at("masks").at(0).at("guesses"));
  CHECK(pair.at("filled") == masked.at("filled"));
  // Several, in one text.
  const std::string two = "○○은 ___에 끝났다. (끝)";
  const auto found = json(minibert_fill(model.get(), two.c_str(), 1, nullptr));
  REQUIRE(found.at("masks").size() == 2);
  CHECK(found.at("masks").at(1).at("begin") == two.find("___"));
  // A character that becomes several pieces has one place.
  const std::string units = "( )는 ( )에서 10㎏";
  for (const auto& token :
       json(minibert_fill(model.get(), units.c_str(), 1, nullptr)).at("tokens")) {
    const auto begin = token.at("begin").get<size_t>(), end = token.at("end").get<size_t>();
    CHECK(begin <= end);
    CHECK(end <= units.size());
    if (token.at("piece") == "kg" || token.at("piece") == "k") CHECK(begin == units.find("㎏"));
  }
  // A text with [MASK] is read as it stands.
  const auto mixed = json(minibert_fill(model.get(), "print()는 [MASK]이다.", 1, nullptr));
  CHECK(mixed.at("masks").size() == 1);
  CHECK_THAT(mixed.at("filled").get<std::string>(), Catch::StartsWith("print()는 "));
}

TEST_CASE("the C interface refuses numbers of guesses that cannot be") {
  const Model masks = open(kMasks), answers = open(kAnswers);
  char* error = nullptr;
  for (const int top : {0, -1, 1001, 2147483647}) {
    const std::string expected = "top: found " + std::to_string(top) + ", expected 1…1000";
    CHECK(minibert_fill(masks.get(), kSentence, top, &error) == nullptr);
    CHECK(taken(error) == expected);
    CHECK(minibert_answer(answers.get(), "언제?", "1443년이다.", top, &error) == nullptr);
    CHECK(taken(error) == expected);
  }
  CHECK(json(minibert_fill(masks.get(), kSentence, 1000, nullptr))
            .at("masks")[0]
            .at("guesses")
            .size() == 1000);
}

TEST_CASE("the C interface answers, labels and marks names, each with its model") {
  const Model answers = open(kAnswers), labels = open(kLabels), names = open(kNames);
  CHECK(json(minibert_answer(answers.get(), "훈민정음은 언제 창제되었는가?",
                             "세종은 1443년에 훈민정음을 창제하였다.", 2, nullptr))
            .at("answers")
            .size() == 2);
  const auto judged =
      json(minibert_classify(labels.get(), "정말 재미있는 영화", nullptr, 1, nullptr));
  CHECK(judged.at("labels").at(0).at("label") == "positive");
  CHECK(judged.at("words").size() == 3);
  CHECK(json(minibert_tag(names.get(), "그는 서울에서 태어났다.", nullptr))
            .at("entities")
            .at(0)
            .at("text") == "서울");
}

TEST_CASE("a name does not begin with the white space before it") {
  const Model names = open(kNames);
  for (const std::string space : {"\n", "\r\n\r\n", "\u00A0", "\u3000", " "}) {
    const std::string text = "이순신 장군은" + space + "서울에서 태어났다.";
    const auto found = json(minibert_tag(names.get(), text.c_str(), nullptr)).at("entities");
    REQUIRE(found.size() == 2);
    CHECK(found.at(1).at("text") == "서울");
    CHECK(found.at(1).at("begin") == text.find("서울"));
  }
}

TEST_CASE("the C interface tells what is wrong in one line, and goes on") {
  char* error = nullptr;
  CHECK(minibert_open("nowhere.mbq", &error) == nullptr);
  CHECK(taken(error) == "nowhere.mbq: No such file or directory");
  CHECK(minibert_open("wasm_demo", nullptr) == nullptr);
  const std::string bytes = read_file(kMasks);
  for (const size_t size : {size_t{0}, size_t{3}, bytes.size() / 2}) {
    CHECK(minibert_open_bytes(bytes.data(), size, &error) == nullptr);
    CHECK_FALSE(taken(error).empty());
  }
  const Model model = open(kMasks);
  CHECK(minibert_fill(model.get(), "빈칸이 없다.", 5, &error) == nullptr);
  CHECK(taken(error) == "the text has no [MASK]");
  CHECK(minibert_fill(model.get(), "\xff[MASK]", 5, &error) == nullptr);
  CHECK_FALSE(taken(error).empty());
  CHECK(minibert_tag(model.get(), "서울", &error) == nullptr);
  CHECK_THAT(taken(error), Catch::Contains("marks names"));
  CHECK(minibert_fill(model.get(), "", 5, nullptr) == nullptr);
}

TEST_CASE("the C interface tells of NULL in the place of a model, a path or a text") {
  char* error = nullptr;
  const auto refused = [&](const void* result) {
    CHECK(result == nullptr);
    return taken(error);
  };
  CHECK(refused(minibert_open(nullptr, &error)) ==
        "path: found NULL, expected the name of a model file");
  CHECK(refused(minibert_open_bytes(nullptr, 8, &error)) == "bytes: found NULL, expected 8 bytes");
  CHECK_FALSE(refused(minibert_open_bytes(nullptr, 0, &error)).empty());
  CHECK(minibert_task(nullptr) == nullptr);
  const std::string no_model = "model: found NULL, expected one that minibert_open() gave";
  CHECK(refused(minibert_facts(nullptr, &error)) == no_model);
  CHECK(refused(minibert_fill(nullptr, kSentence, 5, &error)) == no_model);
  CHECK(refused(minibert_answer(nullptr, "누가?", "세종이다.", 1, &error)) == no_model);
  CHECK(refused(minibert_classify(nullptr, "좋다", nullptr, 0, &error)) == no_model);
  CHECK(refused(minibert_tag(nullptr, "서울", &error)) == no_model);
  CHECK(refused(minibert_tokenize(nullptr, "서울", &error)) == no_model);
  CHECK(minibert_fill(nullptr, nullptr, 5, nullptr) == nullptr);

  const std::string what = ": found NULL, expected UTF-8 that ends in a zero byte";
  const Model masks = open(kMasks), answers = open(kAnswers);
  const Model labels = open(kLabels), names = open(kNames);
  CHECK(refused(minibert_fill(masks.get(), nullptr, 5, &error)) == "text" + what);
  CHECK(refused(minibert_tokenize(masks.get(), nullptr, &error)) == "text" + what);
  CHECK(refused(minibert_answer(answers.get(), nullptr, "세종이다.", 1, &error)) ==
        "question" + what);
  CHECK(refused(minibert_answer(answers.get(), "누가?", nullptr, 1, &error)) == "context" + what);
  CHECK(refused(minibert_classify(labels.get(), nullptr, "나쁘다", 0, &error)) == "text" + what);
  CHECK(refused(minibert_tag(names.get(), nullptr, &error)) == "text" + what);
  CHECK(json(minibert_fill(masks.get(), kSentence, 1, nullptr)).at("filled") ==
        "제2차 세계 대전은 1945년에 끝났다.");
}

TEST_CASE("a model read from bytes is its own copy") {
  std::string bytes = read_file(kMasks);
  const Model model(minibert_open_bytes(bytes.data(), bytes.size(), nullptr), minibert_close);
  REQUIRE(model);
  bytes.assign(bytes.size(), 'x');
  CHECK(json(minibert_fill(model.get(), kSentence, 1, nullptr)).at("filled") ==
        "제2차 세계 대전은 1945년에 끝났다.");
}

TEST_CASE("minibert-ask does with a text what its model does") {
  const std::string ask = std::string(MINIBERT_ASK) + " ";
  CHECK_THAT(
      shell(ask + kMasks + " " + single_quoted(kSentence)).output,
      Catch::Contains("%  대전\n") && Catch::EndsWith("제2차 세계 대전은 1945년에 끝났다.\n"));
  CHECK_THAT(shell(ask + kLabels + " '정말 재미있는 영화'").output,
             Catch::Contains("%  positive\n"));
  const auto refused = shell(ask + kMasks + " 빈칸");
  CHECK(refused.status == 1);
  CHECK(refused.output == "minibert-ask: the text has no [MASK]\n");
  CHECK_THAT(shell(ask + kMasks + " '제2차 세계 ( )은 1945년에 끝났다.'").output,
             Catch::EndsWith("제2차 세계 대전은 1945년에 끝났다.\n"));
  CHECK(shell(ask).status == 2);
  CHECK(shell(ask + "--help").status == 0);
  CHECK(shell(ask + "--help").output == shell(ask).output);
  // No word of a sentence without quotes is passed over.
  const auto unquoted = shell(ask + kNames + " 세종대왕은 서울에서");
  CHECK(unquoted.status == 2);
  CHECK_THAT(unquoted.output, Catch::Contains("expected one text"));
  CHECK(shell(ask + kLabels + " 재미있다 --json").status == 2);
  const auto bare = shell(ask + kAnswers + " '누가?'");
  CHECK(bare.status == 2);
  CHECK_THAT(bare.output, Catch::EndsWith("expected a CONTEXT behind TEXT\n"));
}
