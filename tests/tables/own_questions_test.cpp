// Questions in the forms that people have them in.
#include "data/own/own_questions.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <set>

#include "files.h"

namespace minibert {
namespace {

using Catch::Matchers::Contains;
using testing::mistake;
using testing::Scratch;
using testing::source_of;
using testing::write_bytes;

KorquadSet read(const std::string& name, const std::string& text,
                std::vector<std::string>* told = nullptr) {
  const Scratch scratch;
  write_bytes(scratch / name, text);
  OwnSource source;
  source.test = {scratch / name};
  return load_own_questions(source,
                            [&](const std::string& line) {
                              if (told != nullptr) told->push_back(line);
                            })
      .test;
}

// SQuAD's list of one answer.
std::string answer(const std::string& text, int start) {
  return R"([{"text": ")" + text + R"(", "answer_start": )" + std::to_string(start) + "}]";
}

// An article of SQuAD's JSON with one question; `id` and `answers` are JSON.
std::string article(const std::string& context, const std::string& id, const std::string& question,
                    const std::string& answers) {
  return R"({"paragraphs": [{"context": ")" + context + R"(", "qas": [{"id": )" + id +
         R"(, "question": ")" + question + R"(", "answers": )" + answers + "}]}]}";
}

// Articles with ids from `first` to `last`, each about something else.
std::string articles(const std::string& about, int first, int last) {
  std::string out;
  for (int i = first; i <= last; ++i) {
    const std::string number = std::to_string(i);
    out += (i > first ? ", " : "") +
           article(about + " " + number, number, about + number + "번은?", answer(about, 0));
  }
  return out;
}

std::string squad(const std::string& listed) { return R"({"data": [)" + listed + "]}"; }

OwnSource three_files(const Scratch& scratch) {
  OwnSource source;
  source.train = {scratch / "train.json"};
  source.dev = {scratch / "dev.json"};
  source.test = {scratch / "test.json"};
  return source;
}

}  // namespace

TEST_CASE("a table of questions, contexts and answers") {
  std::vector<std::string> told;
  const KorquadSet set =
      read("own.csv",
           "질문,지문,정답\n누가 만들었나?,\"세종이, 글을 만들었다. 세종은 왕이다.\",세종\n"
           "무엇을?,\"세종이, 글을 만들었다. 세종은 왕이다.\",글을\n언제?,모른다,1443년\n",
           &told);
  REQUIRE(set.paragraphs.size() == 1);
  CHECK(set.paragraphs[0].questions.size() == 2);
  CHECK(set.paragraphs[0].questions[1].answer_start == 5);
  CHECK(set.paragraphs[0].questions[1].id == "own-3");
  REQUIRE(told.size() == 4);
  CHECK_THAT(told[2], Contains("1 answer does not stand in its context: left out (the first is "));
  CHECK_THAT(told[3], Contains("1 answer stands in its context more than once"));
}

TEST_CASE(
    "SQuAD 2 without its unanswerable questions, numbers as ids, no titles; KorQuAD 2; a list") {
  std::vector<std::string> told;
  CHECK(read("own.json",
             R"({"data": [{"paragraphs": [{"context": "나다", "qas": [
                {"id": 7, "question": "누구?", "answers": [{"text": "나", "answer_start": 0}]},
                {"id": 8, "question": "왜?", "is_impossible": true, "answers": []}]}]}]})",
             &told)
            .question_count() == 1);
  CHECK_THAT(told.back(), Contains("1 questions have no answer: left out"));
  CHECK(read("own.json", R"({"data": [{"title": "나", "context": "나다", "qas": [
          {"id": "a", "question": "누구?", "answer": {"text": "나", "answer_start": 0}}]}]})")
            .paragraphs.at(0)
            .questions.at(0)
            .answer == "나");
  CHECK(read("own.json", R"([{"title": "나", "context": "나다", "qas": [
          {"id": "a", "question": "누구?", "answer": {"text": "나", "answer_start": 0}}]}])")
            .question_count() == 1);
}

TEST_CASE(
    "rows whose answers are lists of texts and of places, as the Hugging Face Hub has SQuAD's") {
  std::vector<std::string> told;
  const KorquadSet set = read(
      "own.jsonl",
      R"({"id": "a", "title": "왕", "context": "세종은 왕이다. 세종[1]이 만들었다.", "question": "누가?", "answers": {"text": ["세종", "세종[1]"], "answer_start": [9, 9]}}
{"id": "b", "title": "왕", "context": "세종은 왕이다. 세종[1]이 만들었다.", "question": "몇째 주?", "answers": {"text": ["[1]"], "answer_start": [11]}}
{"id": "c", "title": "왕", "context": "세종은 왕이다. 세종[1]이 만들었다.", "question": "왜?", "answers": {"text": [], "answer_start": []}}
)",
      &told);
  REQUIRE(set.question_count() == 2);
  CHECK(set.paragraphs[0].questions[0].answer == "세종");
  CHECK(set.paragraphs[0].questions[0].answer_start == 9);
  CHECK(set.paragraphs[0].questions[1].answer == "[1]");
  CHECK(set.paragraphs[0].questions[1].answer_start == 11);
  REQUIRE(told.size() == 4);
  CHECK_THAT(told[2], Contains("1 row has an empty question, context or answer: left out"));
  CHECK_THAT(told[3], Contains("1 question has several answers: the first is taken"));
}

TEST_CASE("questions on one context stay in one split; too few are an error") {
  const Scratch scratch;
  std::string text = "question\tcontext\tanswer\n";
  for (int i = 0; i < 60; ++i)
    text += "질문 " + std::to_string(i) + "\t글 " + std::to_string(i / 2) + " 이다\t글\n";
  write_bytes(scratch / "own.tsv", text);
  const KorquadSplits splits =
      load_own_questions(source_of(scratch / "own.tsv"), [](const std::string&) {});
  CHECK(splits.train.paragraphs.size() == 24);
  CHECK(splits.dev.question_count() == 6);
  CHECK(splits.test.question_count() == 6);
  write_bytes(scratch / "own.tsv", "question\tcontext\tanswer\n누구?\t나다\t나\n");
  CHECK_THAT(
      mistake(
          scratch,
          [&] { load_own_questions(source_of(scratch / "own.tsv"), [](const std::string&) {}); }),
      Contains("found too few contexts with questions"));
}

TEST_CASE("a column answer_start says where answers stand, where it is right") {
  std::vector<std::string> told;
  const KorquadSet set = read("own.csv",
                              "question,context,answer,answer_start\n"
                              "몇 개?,10번 상자에는 사과가 0개 있다.,0,13\n"
                              "무엇이?,10번 상자에는 사과가 0개 있다.,\" 사과\",8\n"
                              "몇 번?,10번 상자에는 사과가 0개 있다.,10,3\n",
                              &told);
  const auto& questions = set.paragraphs.at(0).questions;
  CHECK(questions.at(0).answer_start == 13);
  CHECK(questions.at(1).answer_start == 9);  // behind the space before it
  CHECK(questions.at(2).answer_start == 0);
  REQUIRE(told.size() == 3);
  CHECK_THAT(told[2], Contains("1 answer does not stand at its answer_start"));
}

TEST_CASE("files of one name in two folders keep their questions; what both ask is left out") {
  const Scratch scratch;
  const auto table = [](const std::string& about, int from, int rows) {
    std::string text = "question,context,answer\n";
    for (int i = from; i < from + rows; ++i)
      text += "질문 " + std::to_string(i) + "," + about + " " + std::to_string(i) + " 이다," +
              about + "\n";
    return text;
  };
  for (const char* folder : {"train", "more", "test"})
    std::filesystem::create_directories(scratch / folder);
  write_bytes(scratch / "train/qa.csv", table("글", 0, 60));
  write_bytes(scratch / "more/qa.csv", table("책", 0, 40));
  write_bytes(scratch / "test/qa.csv", table("말", 0, 50) + "질문 7,글 7 이다,글\n");
  OwnSource source;
  source.train = {scratch / "train/qa.csv", scratch / "more/qa.csv"};
  source.test = {scratch / "test/qa.csv"};
  std::vector<std::string> told;
  const KorquadSplits splits =
      load_own_questions(source, [&](const std::string& line) { told.push_back(line); });
  CHECK(splits.train.question_count() + splits.dev.question_count() == 99);
  CHECK(splits.test.question_count() == 51);
  CHECK_THAT(told.back(), Contains("1 question of train stands in ") && Contains("left out here"));
}

TEST_CASE("questions of two files that are numbered alike are all kept, with ids that differ") {
  const Scratch scratch;
  // One of them is asked in the test file, too, in a shorter text.
  write_bytes(scratch / "train.json",
              squad(articles("글", 11, 50) + ", " +
                    article("말 3 그리고", "3", "말3번은?", answer("말", 0))));
  write_bytes(scratch / "dev.json", squad(articles("책", 1, 10)));
  write_bytes(scratch / "test.json", squad(articles("말", 1, 20)));
  OwnSource source = three_files(scratch);
  std::vector<std::string> told;
  const KorquadSplits splits =
      load_own_questions(source, [&](const std::string& line) { told.push_back(line); });
  CHECK(splits.train.question_count() == 40);
  CHECK(splits.dev.question_count() == 10);
  CHECK(splits.test.question_count() == 20);
  std::set<std::string> ids;
  for (const KorquadSet* set : {&splits.train, &splits.dev, &splits.test})
    for (const KorquadParagraph& paragraph : set->paragraphs)
      for (const KorquadQuestion& question : paragraph.questions) ids.insert(question.id);
  CHECK(ids.size() == 70);
  CHECK(splits.test.paragraphs.front().questions.front().id == "1");
  CHECK(ids.contains("dev-1"));
  CHECK(ids.contains("train-11"));
  CHECK(ids.contains("21"));
  REQUIRE(told.size() == 6);
  CHECK_THAT(told[3], Contains("train.json: 1 question of train stands in ") &&
                          Contains("test.json, too: left out here"));
  CHECK_THAT(told[4], Catch::StartsWith("dev: 10 questions have ids of other splits' questions"));
  CHECK_THAT(told[5], Catch::StartsWith("train: 10 questions have ids of other splits' questions"));
}

TEST_CASE("one question with one number on two texts is two questions") {
  const Scratch scratch;
  write_bytes(scratch / "train.json",
              squad(articles("글", 101, 120) + ", " +
                    article("다른 글 3", "3", "말3번은?", answer("다른", 0))));
  write_bytes(scratch / "dev.json", squad(articles("책", 201, 210)));
  write_bytes(scratch / "test.json", squad(articles("말", 1, 20)));
  OwnSource source = three_files(scratch);
  CHECK(load_own_questions(source, [](const std::string&) {}).train.question_count() == 21);
  // Of those of the test file alone nothing is left to train on.
  source.train = source.test;
  CHECK_THROWS_WITH(load_own_questions(source, [](const std::string&) {}),
                    Contains("of which none is left for train"));
}

TEST_CASE("what is told of one of several files names that file") {
  const Scratch scratch;
  write_bytes(scratch / "a.json", squad(articles("글", 1, 20) + ", " +
                                        article("말 301", "99", "말301번은?", answer("말", 0))));
  write_bytes(scratch / "b.json", squad(articles("책", 101, 120)));
  write_bytes(scratch / "c.json", squad(articles("말", 301, 310)));
  write_bytes(scratch / "d.json", squad(articles("곳", 401, 410)));
  OwnSource source;
  source.train = {scratch / "a.json", scratch / "b.json"};
  source.test = {scratch / "c.json", scratch / "d.json"};
  std::vector<std::string> told;
  load_own_questions(source, [&](const std::string& line) { told.push_back(line); });
  CHECK(told.back() == scratch / "a.json" + ": 1 question of train stands in " +
                           scratch / "c.json" + ", too: left out here");
}

TEST_CASE("rows without a group go by their contexts, not as one") {
  const Scratch scratch;
  std::string text = "question\tcontext\tanswer\tunit\n";
  for (int i = 0; i < 112; ++i) {
    const std::string number = std::to_string(i);
    text += "질문 " + number + "\t글 " + number + " 이다\t글\t" + (i < 12 ? "단원 " + number : "") +
            "\n";
  }
  write_bytes(scratch / "own.tsv", text);
  OwnSource source = source_of(scratch / "own.tsv");
  source.columns.group = "unit";
  const KorquadSplits splits = load_own_questions(source, [](const std::string&) {});
  for (const KorquadSet* set : {&splits.train, &splits.dev, &splits.test})
    CHECK(std::ranges::count(set->paragraphs, std::string(), &KorquadParagraph::title) > 0);
}

TEST_CASE("questions of JSON without an answer are left out and counted, however it lacks") {
  std::vector<std::string> told;
  const KorquadSet set = read("own.json",
                              squad(articles("글", 1, 1) + ", " + article("글", "2", "왜?", "[]") +
                                    ", " + article("글", "3", "왜?", answer(" ", 0)) + R"(,
                 {"title": "나", "context": "나다", "qas": [{"id": 4, "question": "왜?"},
                  {"id": 5, "question": "왜?", "answer": {"text": "", "answer_start": 0}}]})"),
                              &told);
  CHECK(set.question_count() == 1);
  CHECK_THAT(told.back(), Contains("own.json: 4 questions have no answer: left out"));
}

TEST_CASE("an answer of JSON that does not stand at its answer_start is told with its question") {
  CHECK_THROWS_WITH(
      read("own.json",
           squad(articles("글", 1, 3) + ", " + article("나다", "7", "왜?", answer("나", 1)))),
      Contains("own.json: question 7: answer_start 1 gives \"다\", expected the answer \"나\""));
  CHECK_THROWS_WITH(
      read("own.json", squad(article("나다", "7", "왜?", answer("나", 2)))),
      Contains("own.json: question 7: the answer at 2 with 1 characters is beyond the context"));
}

TEST_CASE("KLUE-MRC's guid, AI-Hub's question_id and its answer without a list") {
  const KorquadSet klue = read("own.json", R"({"data": [{"title": "나", "paragraphs": [{"context":
      "나다", "qas": [{"guid": "klue-0", "question": "누구?", "is_impossible": false, "answers":
      [{"text": "나", "answer_start": 0}]}]}]}]})");
  CHECK(klue.paragraphs.at(0).questions.at(0).id == "klue-0");
  std::vector<std::string> told;
  const KorquadSet hub =
      read("own.json", R"({"data": [{"doc_title": "가", "paragraphs": [{"context":
      "나다", "qas": [{"question_id": 3, "question": "누구?", "answers":
      {"text": "다", "answer_start": 1, "clue_text": "x"}}]}]}]})",
           &told);
  CHECK(hub.paragraphs.at(0).title == "가");
  CHECK(hub.paragraphs.at(0).questions.at(0).id == "3");
  CHECK(hub.paragraphs.at(0).questions.at(0).answer_start == 1);
  CHECK(told.size() == 1);
}

TEST_CASE("questions of JSON without an id or a start get their place, and are counted") {
  std::vector<std::string> told;
  const KorquadSet set =
      read("own.json", squad(R"({"paragraphs": [{"context": "그는 나다. 나", "qas": [
      {"question": "누구?", "answers": [{"text": " 나"}]},
      {"question": "왜?", "answers": [{"text": "없다"}]},
      {"id": "c", "question": "언제?", "answers": [{"text": "그", "answer_start": null}]}]}]})"),
           &told);
  const auto& questions = set.paragraphs.at(0).questions;
  REQUIRE(questions.size() == 2);
  CHECK(questions[0].id == "own-1.1.1");
  CHECK(questions[0].answer == "나");
  CHECK(questions[0].answer_start == 3);
  CHECK(questions[1].id == "c");
  REQUIRE(told.size() == 4);
  CHECK_THAT(told[1], Contains("1 questions have no id: they are called by their places"));
  CHECK_THAT(told[2], Contains("2 answers have no answer_start: their first places"));
  CHECK_THAT(told[3], Contains("1 answers without an answer_start do not stand in their contexts: "
                               "left out (the first is that of question own-1.1.2)"));
  // Data sets that the program names have both.
  const Scratch scratch;
  write_bytes(scratch / "a.json", R"({"data": [{"paragraphs": [{"context": "나다", "qas": [
      {"id": "a", "question": "누구?", "answers": [{"text": "나"}]}]}]}]})");
  CHECK_THROWS_WITH(read_korquad(scratch / "a.json"), Contains("answers[0].answer_start: missing"));
}

TEST_CASE("merged contexts and answers that are labels are told with the way") {
  std::vector<std::string> told;
  CHECK(read("own.csv", "지문,질문,정답\n그는 나다,누구?,나\n,무엇?,그는\n", &told)
            .question_count() == 1);
  CHECK_THAT(told.back(),
             Contains("1 row has an empty question, context or answer: left out (the "
                      "first is ") &&
                 Contains("own.csv:3); a spreadsheet writes a merged cell's value into its first "
                          "row alone: unmerge the cells and fill them down"));
  const Scratch scratch;
  std::string text = "지문,문제,정답\n";
  for (int i = 0; i < 40; ++i)
    text +=
        "세종은 " + std::to_string(1400 + i) + "년에 썼다.,언제?," + (i % 2 == 0 ? "O\n" : "X\n");
  write_bytes(scratch / "ox.csv", text);
  told.clear();
  CHECK_THROWS_AS(load_own_questions(source_of(scratch / "ox.csv"),
                                     [&](const std::string& line) { told.push_back(line); }),
                  Error);
  CHECK_THAT(told.back(), Contains("40 answers do not stand in their contexts") &&
                              Contains("--column 'text=지문' --column 'pair=문제' --column "
                                       "'label=정답'"));
}

TEST_CASE("answers that pandas wrote into cells") {
  std::vector<std::string> told;
  const KorquadSet lists =
      read("own.csv", "context,question,answer\n그는 1400년에 났다,언제?,\"['1400년', '1400']\"\n",
           &told);
  CHECK(lists.paragraphs.at(0).questions.at(0).answer == "1400년");
  CHECK_THAT(told.back(), Contains("1 question has several answers: the first is taken"));
  const KorquadSet pandas =
      read("own.csv",
           ",id,context,question,answers\n0,x0,나는 나다,누구?,\"{'text': ['나'], "
           "'answer_start': [3]}\"\n");
  CHECK(pandas.paragraphs.at(0).questions.at(0).answer == "나");
  CHECK(pandas.paragraphs.at(0).questions.at(0).answer_start == 3);
}

TEST_CASE("files that differ in their extensions alone make different ids") {
  const Scratch scratch;
  write_bytes(scratch / "qa.csv", "question,context,answer\n누구?,나다,나\n");
  write_bytes(scratch / "qa.tsv", "question\tcontext\tanswer\n누구?\t너다\t너\n");
  OwnSource source;
  source.test = {scratch / "qa.csv", scratch / "qa.tsv"};
  const KorquadSet set = load_own_questions(source, [](const std::string&) {}).test;
  REQUIRE(set.paragraphs.size() == 2);
  CHECK(set.paragraphs[0].questions[0].id == scratch / "qa.csv-2");
  CHECK(set.paragraphs[1].questions[0].id == scratch / "qa.tsv-2");
}

}  // namespace minibert
