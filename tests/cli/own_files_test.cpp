// A labelled file of one's own from a first look to a table of predictions.
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "core/files.h"
#include "record/run_record.h"
#include "support/program.h"
#include "support/scratch.h"

namespace minibert {
namespace {

using Catch::Matchers::Contains;
using nlohmann::json;
using testing::check_refused;
using testing::run_program;
using testing::Scratch;
using testing::write_bytes;

std::string reviews(int rows, const std::string& label = "라벨") {
  std::string text = "\xef\xbb\xbf번호,문장," + label + "\r\n";
  for (int i = 0; i < rows; ++i)
    text += std::to_string(i) + ",\"" + (i % 2 == 0 ? "정말, 재미있어요 " : "지루하고, 별로예요 ") +
            std::to_string(i) + "\"," + (i % 2 == 0 ? "긍정" : "부정") + "\r\n";
  return text;
}

std::string done(const std::string& arguments) {
  const auto result = run_program(arguments);
  INFO(arguments << "\n" << result.err);
  REQUIRE(result.status == 0);
  return result.out;
}

// An experiment for a file, trained; made once.
struct Trained {
  Trained() {
    write_bytes(scratch / "reviews.csv", reviews(200));
    told = done("new " + scratch / "reviews.csv" + " --out " + scratch / "mine.json");
    done("run " + scratch / "mine.json" +
         " --profile quick --threads 1 --precision fp32 --no-fetch --quiet --arms majority,bag "
         "--results " +
         scratch / "results");
  }
  std::string record(const std::string& arm) const {
    return scratch / "results/mine/quick/" + arm + "-s1.h5";
  }
  Scratch scratch;
  std::string told;
};

const Trained& trained() {
  static const Trained made;
  return made;
}

}  // namespace

TEST_CASE("new says what a file holds and writes an experiment that trains") {
  CHECK_THAT(trained().told, Contains("CSV in UTF-8, with a header, 200 rows"));
  CHECK_THAT(trained().told, Contains("columns: 번호, 문장, 라벨"));
  CHECK_THAT(trained().told, Contains("texts: 160 to train on (train), 20 to choose by (dev), 20"));
  CHECK_THAT(trained().told, Contains("labels: 긍정 100 (50.0 %), 부정 100 (50.0 %)"));
  const json experiment = read_json(trained().scratch / "mine.json");
  CHECK(experiment.at("task") == "classification");
  CHECK(experiment.at("data").at("text") == "문장");
  const RunRecord record = load_record(trained().record("bag"));
  CHECK(record.status == "finished");
  CHECK(record.data.at("id") == "own");
  CHECK(record.data.at("files").at(0).at("sha256").get<std::string>().size() == 64);
  CHECK(record.data.at("splits").at("train").at("examples") == 160);
  check_refused(
      "new " + trained().scratch / "reviews.csv" + " --out " + trained().scratch / "mine.json",
      "mine.json: is there already");
}

TEST_CASE("a stored model is measured on a new file, with intervals; labels must fit") {
  const Scratch scratch;
  write_bytes(scratch / "new.csv", reviews(40) + "40,정말 재미있어요,부정\r\n");
  const std::string run = "evaluate --run " + trained().record("bag") + " --json --data ";
  const json found = json::parse(done(run + scratch / "new.csv"));
  CHECK(found.at("examples") == 41);
  CHECK(found.at("intervals").at("accuracy").size() == 2);
  CHECK(found.at("intervals").at("accuracy")[0] < found.at("accuracy"));
  write_bytes(scratch / "named.tsv", "글\t느낌\n좋아요\t긍정\n별로\t부정\n");
  CHECK(json::parse(done(run + scratch / "named.tsv" + " --column text=글 --column label=느낌"))
            .at("examples") == 2);
  write_bytes(scratch / "other.csv", "문장,라벨\n좋아요,중립\n");
  const auto refused = run_program(run + scratch / "other.csv");
  CHECK(refused.status != 0);
  CHECK_THAT(refused.err, Contains("found the label \"중립\", expected one of: 긍정, 부정"));
}

TEST_CASE("where all new examples are right there is no interval, which would be one of no width") {
  const Scratch scratch;
  write_bytes(scratch / "new.csv", reviews(40));
  const std::string run =
      "evaluate --run " + trained().record("bag") + " --data " + scratch / "new.csv";
  const json found = json::parse(done(run + " --json"));
  REQUIRE(found.at("accuracy") == 1);
  CHECK_FALSE(found.value("intervals", json::object()).contains("accuracy"));
  CHECK_THAT(done(run), Contains("1  (no interval: all examples give the same)"));
}

TEST_CASE("a label that training lacks is told by file and line, in a test file and in dev") {
  const Scratch scratch;
  write_bytes(scratch / "train.csv", reviews(60));
  write_bytes(scratch / "test.csv", "번호,문장,라벨\n1,좋아요,긍정\n2,글쎄요,중립\n");
  const std::string files = scratch / "train.csv" + " --test " + scratch / "test.csv";
  CHECK_THAT(done("new " + files + " --out " + scratch / "m.json"),
             Contains("training lacks the labels \"중립\" of 1 of the 2 texts of test"));
  const auto refused = run_program("run " + scratch / "m.json" +
                                   " --profile quick --no-fetch --quiet --arms bag --results " +
                                   scratch / "results");
  CHECK(refused.status == 1);
  CHECK_THAT(refused.err, Contains("test.csv:3: found the label \"중립\", expected one of: "
                                   "긍정, 부정"));
}

TEST_CASE("labels that are the same whole number as the run's are its labels") {
  const Scratch scratch;
  std::string text = "문장,라벨\n", floats = text;
  for (int i = 0; i < 80; ++i) {
    const std::string row = (i % 2 == 0 ? "재미있어요 " : "지루해요 ") + std::to_string(i) + "," +
                            std::to_string(i % 2);
    text += row + "\n", floats += row + ".0\n";
  }
  write_bytes(scratch / "whole.csv", text);
  write_bytes(scratch / "floats.csv", floats);
  done("new " + scratch / "whole.csv" + " --out " + scratch / "m.json");
  done("run " + scratch / "m.json" +
       " --profile quick --threads 1 --precision fp32 --no-fetch --quiet --arms bag --results " +
       scratch / "results");
  const std::string evaluate =
      "evaluate --json --run " + scratch / "results/m/quick/bag-s1.h5" + " --data ";
  const json as_learnt = json::parse(done(evaluate + scratch / "whole.csv"));
  const json found = json::parse(done(evaluate + scratch / "floats.csv"));
  CHECK(found.at("accuracy") == as_learnt.at("accuracy"));
  CHECK(found.at("accuracy") > 0.5);
  const std::string named = " --column 'labels={\"0\": \"부정\", \"1\": \"긍정\"}' --out ";
  CHECK_THAT(done("new " + scratch / "floats.csv" + named + scratch / "n.json"),
             Contains("긍정 40 (50.0 %)"));
}

TEST_CASE("shipped models are measured on labelled files by the names of their labels") {
  const Scratch scratch;
  write_bytes(scratch / "new.csv", "text,label\n정말 재미있어요,positive\n지루해요,negative\n");
  const std::string labels = "evaluate --json --run " + std::string(testing::kShippedClassifier);
  CHECK(json::parse(done(labels + " --data " + scratch / "new.csv")).at("examples") == 2);
  write_bytes(scratch / "new.conll", "홍길동 B-PS\n씨 O\n\n서울 B-LC\n에 O\n\n");
  const std::string tags = "evaluate --json --run " + std::string(testing::kShippedTagger);
  CHECK(json::parse(done(tags + " --data " + scratch / "new.conll")).at("examples") == 2);
}

TEST_CASE("predict writes a table with its predictions beside every row") {
  const Scratch scratch;
  write_bytes(scratch / "new.csv", "번호,문장\n1,\"정말, 재미있어요\"\n2,\n3,지루해요\n");
  const std::string run =
      "predict --run " + trained().record("bag") + " --in " + scratch / "new.csv";
  done(run + " --out " + scratch / "out.csv");
  const std::string csv = read_file(scratch / "out.csv");
  CHECK_THAT(csv, Catch::Matchers::StartsWith("\xef\xbb\xbf번호,문장,prediction,probability\n"));
  CHECK_THAT(csv, Contains("1,\"정말, 재미있어요\",긍정,") && Contains("\n2,,,\n"));
  // Which column it took is said, but not where --text says it.
  const std::string titled = scratch / "titled.csv";
  write_bytes(titled, "번호,제목,내용\n1,봄,재미있어요\n2,겨울,지루해요\n");
  const std::string of_titled =
      "predict --run " + trained().record("bag") + " --in " + titled + " --out ";
  CHECK_THAT(run_program(of_titled + scratch / "titled.tsv").err,
             Contains("titled.csv: text \"내용\", among 번호, 제목, 내용"));
  CHECK(run_program(of_titled + scratch / "titled.tsv" + " --text 제목").err.find("among") ==
        std::string::npos);
  write_bytes(scratch / "unusual.csv", "번호,감상\n1,재미있어요\n2,지루해요\n");
  done("predict --run " + trained().record("bag") + " --in " + scratch / "unusual.csv" + " --out " +
       scratch / "unusual.tsv");
  CHECK_THAT(read_file(scratch / "unusual.tsv"), Contains("1\t재미있어요\t긍정\t"));
  done(run + " --text 문장 --out " + scratch / "out.jsonl");
  CHECK_THAT(read_file(scratch / "out.jsonl"),
             Contains("\"문장\":\"지루해요\",\"prediction\":\"부정\""));
  // Objects stay what they are.
  write_bytes(
      scratch / "rows.jsonl",
      "{\"문장\": \"재미있어요\", \"n\": 1, \"ok\": true, \"none\": null, \"in\": {\"a\": [1, "
      "2.5]}, \"one\": [{\"b\": 3}]}\n{\"문장\": \"\", \"n\": 2}\n");
  done("predict --run " + trained().record("bag") + " --in " + scratch / "rows.jsonl" + " --out " +
       scratch / "rows_out.jsonl");
  const std::string objects = read_file(scratch / "rows_out.jsonl");
  json object = json::parse(objects.substr(0, objects.find('\n')));
  CHECK(object.at("prediction") == "긍정");
  CHECK(object.at("probability").is_number());
  object.erase("prediction");
  object.erase("probability");
  CHECK(object == json::parse(R"({"문장": "재미있어요", "n": 1, "ok": true, "none": null,
                                  "in": {"a": [1, 2.5]}, "one": [{"b": 3}]})"));
  CHECK(json::parse(objects.substr(objects.find('\n'))) ==
        json::parse(R"({"문장": "", "n": 2, "prediction": "", "probability": null})"));
  check_refused(run, "--out: missing, expected a file to write with --in");
  check_refused(run + " --out " + scratch / "new.csv", "--out: found the file of --in");
  check_refused(run + " --out " + scratch / "out.csv --text 글", "expected one named \"글\"");
  check_refused("predict --run " + trained().record("bag") + " --question 누구? --context 나",
                "which labels texts, expected one that answers questions");
}

TEST_CASE("empty rows of a file of texts stay, so that the rows keep their numbers") {
  const Scratch scratch;
  const std::string run = "predict --run " + trained().record("bag") + " --in ";
  write_bytes(scratch / "u.csv",
              "문장\n재미있어요\n\n지루해요\n   \n재미있어요\n\"\"\n지루해요\n\n");
  const auto found = run_program(run + scratch / "u.csv" + " --out " + scratch / "u.tsv");
  INFO(found.err);
  REQUIRE(found.status == 0);
  CHECK_THAT(found.err, Contains("3 rows without a text: left as they are (the first: ") &&
                            Contains("u.csv:3)"));
  std::istringstream lines(read_file(scratch / "u.tsv"));
  std::vector<std::string> rows;
  for (std::string line; std::getline(lines, line);) rows.push_back(line);
  REQUIRE(rows.size() == 8);
  CHECK_THAT(rows[1], Catch::StartsWith("재미있어요\t긍정\t"));
  CHECK(rows[2] == "\t\t");
  CHECK_THAT(rows[3], Catch::StartsWith("지루해요\t부정\t"));
  CHECK(rows[4] == "\t\t");
  CHECK(rows[6] == "\t\t");
  CHECK_THAT(rows[7], Catch::StartsWith("지루해요\t부정\t"));
  write_bytes(scratch / "p.txt", "재미있어요\n\n지루해요\n");
  done(run + scratch / "p.txt" + " --out " + scratch / "p.tsv");
  CHECK_THAT(read_file(scratch / "p.tsv"), Contains("\n\t\t\n지루해요\t부정\t"));
  check_refused(run + scratch / "p.txt" + " --out " + scratch / "p3.txt",
                "found the ending .txt, expected .csv, .tsv or .jsonl");
  write_bytes(scratch / "none.csv", "번호,문장\n");
  const auto none = run_program(run + scratch / "none.csv" + " --out " + scratch / "none.tsv");
  CHECK(none.status == 1);
  CHECK_THAT(none.err, Contains("none.csv: has no rows below its columns' names, expected some"));
}

TEST_CASE("a file that is given as a text, and standard input in another encoding, are told") {
  const Scratch scratch;
  write_bytes(scratch / "p.csv", "문장\n재미있어요\n");
  const std::string run = "predict --run " + trained().record("bag") + " ";
  const auto found = run_program(run + scratch / "p.csv");
  CHECK(found.status == 0);
  CHECK_THAT(found.err, Contains("p.csv is a file, and its name is read as the text; --in FILE "
                                 "--out FILE reads it"));
  CHECK(run_program(run + "재미있어요").err.find("is a file") == std::string::npos);
  const std::string name = " " + scratch / "p.csv", told = "p.csv is a file, and its name is read";
  CHECK_THAT(run_program("predict --run " + std::string(testing::kShippedTagger) + name).err,
             Contains(told));
  for (const std::string command : {"fill-mask --run ", "embed --run "})
    CHECK_THAT(run_program(command + testing::kShippedModel + name).err, Contains(told));
  CHECK_THAT(run_program("predict --run " + std::string(testing::kShippedAnswers) +
                         " --question 무엇? --context" + name)
                 .err,
             Contains(told + " as the text; --context @FILE reads it"));
  const auto cp949 = run_program(run, "\xc1\xc1\xbe\xc6\xbf\xe4\n");
  CHECK(cp949.status == 2);
  CHECK_THAT(cp949.err,
             Contains("line 1: not valid UTF-8 at byte 0; --in FILE reads a file in CP949") &&
                 Contains("iconv -f CP949 -t UTF-8"));
}

TEST_CASE("a run that learnt pairs tells how many texts have no second one") {
  const Scratch scratch;
  std::string text = "sentence1,sentence2,label\n";
  for (int i = 0; i < 60; ++i)
    text += "좋아요 " + std::to_string(i) + (i % 2 == 0 ? ",좋아요,같다\n" : ",싫어요,다르다\n");
  write_bytes(scratch / "pairs.csv", text);
  done("new " + scratch / "pairs.csv" + " --out " + scratch / "p.json");
  done("run " + scratch / "p.json" +
       " --profile quick --threads 1 --precision fp32 --no-fetch --quiet --arms bag --results " +
       scratch / "results");
  const std::string run = "predict --run " + scratch / "results/p/quick/bag-s1.h5" + " ";
  write_bytes(scratch / "new.csv", "sentence1,sentence2\n좋아요,싫어요\n하나만,\n둘째도,\n");
  const std::string told = " no second one, and the run was trained on pairs";
  CHECK_THAT(run_program(run + "--in " + scratch / "new.csv" + " --out " + scratch / "out.csv").err,
             Contains("new.csv: 2 texts have" + told));
  CHECK_THAT(run_program(run + "하나").err, Contains("1 text has" + told));
  CHECK(run_program(run + "'하나\t둘'").err.find(told) == std::string::npos);
  // What is measured is told so, too.
  write_bytes(scratch / "alone.csv", "sentence1,label\n좋아요,같다\n싫어요,다르다\n");
  const std::string evaluate =
      "evaluate --run " + scratch / "results/p/quick/bag-s1.h5" + " --data ";
  const std::string alone = "has no second texts, and the run was trained on pairs";
  CHECK_THAT(run_program(evaluate + scratch / "alone.csv").err, Contains("alone.csv: " + alone));
  CHECK(run_program(evaluate + scratch / "pairs.csv").err.find(alone) == std::string::npos);
}

TEST_CASE("a test file without labels is told as such, not as one that calls them otherwise") {
  const Scratch scratch;
  write_bytes(scratch / "train.csv", reviews(60));
  write_bytes(scratch / "test.csv", "번호,문장\n1,좋아요\n2,글쎄요\n");
  const auto refused = run_program("new " + scratch / "train.csv" + " --test " +
                                   scratch / "test.csv" + " --out " + scratch / "m.json");
  CHECK(refused.status == 2);
  CHECK_THAT(refused.err, Contains("a file that has no column of labels measures nothing, and gets "
                                   "labels by classify"));
}

TEST_CASE("predict takes the column that its run learnt from, and asks where it is not there") {
  const Scratch scratch;
  std::string text = "접수,민원,부서\n";
  for (int i = 0; i < 80; ++i)
    text += std::to_string(i) + (i % 2 == 0 ? ",길이 막혀요 " : ",물이 새요 ") + std::to_string(i) +
            (i % 2 == 0 ? ",교통\n" : ",수도\n");
  write_bytes(scratch / "seen.csv", text);
  done("new " + scratch / "seen.csv" + " --out " + scratch / "c.json");
  done("run " + scratch / "c.json" +
       " --profile quick --threads 1 --precision fp32 --no-fetch --quiet --arms bag --results " +
       scratch / "results");
  const std::string run = "predict --run " + scratch / "results/c/quick/bag-s1.h5" + " --in ";
  // Three columns of words, of which the last has a usual name.
  const std::string rows = "1,하나의 소개,길이 막혀요,다른 글\n2,둘의 소개,물이 새요,또 다른 글\n";
  write_bytes(scratch / "new.csv", "접수,소개,민원,제목\n" + rows);
  const auto found = run_program(run + scratch / "new.csv" + " --out " + scratch / "out.csv");
  INFO(found.err);
  REQUIRE(found.status == 0);
  CHECK_THAT(found.err, Contains("new.csv: text \"민원\", as in the files of the run"));
  CHECK_THAT(read_file(scratch / "out.csv"),
             Contains(",다른 글,교통,") && Contains(",또 다른 글,수도,"));
  // What is said counts.
  const auto named =
      run_program(run + scratch / "new.csv" + " --text 제목 --out " + scratch / "named.csv");
  CHECK(named.status == 0);
  CHECK(named.err.find("as in the files of the run") == std::string::npos);
  CHECK(read_file(scratch / "named.csv") != read_file(scratch / "out.csv"));
  write_bytes(scratch / "other.csv", "접수,소개,건의,머리글\n" + rows);
  check_refused(run + scratch / "other.csv" + " --out " + scratch / "other_out.csv",
                "found the columns 접수, 소개, 건의, 머리글, expected --text to name one of them");
}

TEST_CASE("evaluate finds the columns of a file that calls them otherwise, and says so") {
  const Scratch scratch;
  write_bytes(scratch / "other.csv", "날짜,본문,정답\n1월,재미있어요,긍정\n2월,지루해요,부정\n");
  const std::string run = "evaluate --run " + trained().record("bag") + " --data ";
  const auto named =
      run_program(run + scratch / "other.csv" + " --json --column text=본문 --column label=정답");
  REQUIRE(named.status == 0);
  CHECK(json::parse(named.out).at("examples") == 2);
  write_bytes(scratch / "usual.csv", "리뷰,평점\n재미있어요,긍정\n지루해요,부정\n");
  const auto found = run_program(run + scratch / "usual.csv" + " --json");
  INFO(found.err);
  REQUIRE(found.status == 0);
  CHECK(json::parse(found.out).at("examples") == 2);
  CHECK_THAT(found.err, Contains("has not the columns of the run's own files"));
  CHECK_THAT(found.err, Contains("too few to show small differences"));
  // A name that was given and is not there is a slip.
  const auto slip = run_program(run + scratch / "usual.csv --column text=리류");
  CHECK(slip.status == 2);
  CHECK_THAT(slip.err, Contains("expected one named \"리류\" (did you mean \"리뷰\"?)"));
  write_bytes(scratch / "wrong.csv", "리뷰,평점\n재미있어요,긍정\n지루해요,별로\n");
  const auto wrong = run_program(run + scratch / "wrong.csv");
  CHECK(wrong.status != 0);
  CHECK_THAT(wrong.err, Contains("wrong.csv:3: found the label \"별로\""));
}

TEST_CASE("new keeps the file that it was to replace when it cannot write a good one") {
  const Scratch scratch;
  write_bytes(scratch / "bad.csv", "문장,라벨\n하나,긍정\n");
  write_bytes(scratch / "kept.json", "{\"mine\": 1}");
  CHECK(run_program("new " + scratch / "bad.csv" + " --force --out " + scratch / "kept.json")
            .status != 0);
  CHECK(read_file(scratch / "kept.json") == "{\"mine\": 1}");
}

TEST_CASE("predict says that it passes over second texts that its run was not trained on") {
  const Scratch scratch;
  write_bytes(scratch / "pairs.csv", "sentence1,sentence2\n재미있어요,지루해요\n");
  write_bytes(scratch / "one.csv", "문장\n재미있어요\n");
  const std::string run = "predict --run " + trained().record("bag") + " --in ";
  const auto pairs = run_program(run + scratch / "pairs.csv" + " --out " + scratch / "pairs.jsonl");
  CHECK(pairs.status == 0);
  CHECK_THAT(pairs.err,
             Contains("pairs.csv: second texts are not read: the run was trained without"));
  done(run + scratch / "one.csv" + " --out " + scratch / "one.jsonl");
  CHECK(json::parse(read_file(scratch / "pairs.jsonl")).at("probability") ==
        json::parse(read_file(scratch / "one.jsonl")).at("probability"));
}

TEST_CASE("predict takes questions as SQuAD has them, and refuses words with tags by their name") {
  const Scratch scratch;
  write_bytes(scratch / "q.json", R"({"data": [{"title": "서울", "paragraphs": [{"context":
      "서울은 한국의 수도이다.", "qas": [{"id": "q1", "question": "한국의 수도는?", "is_impossible": false,
      "answers": [{"text": "서울", "answer_start": 0}]}, {"id": "q2", "question": "일본의 수도는?",
      "is_impossible": true, "answers": []}, {"id": "q3", "question": "어디인가?"}]}]}]})");
  const auto found = run_program("predict --run " + std::string(testing::kShippedAnswers) +
                                 " --in " + scratch / "q.json" + " --out " + scratch / "out.jsonl");
  INFO(found.err);
  REQUIRE(found.status == 0);
  // What is to be answered needs no answer.
  std::istringstream lines(read_file(scratch / "out.jsonl"));
  std::vector<json> rows;
  for (std::string line; std::getline(lines, line);) rows.push_back(json::parse(line));
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].at("id") == "q1");
  CHECK(rows[0].at("answer") == "서울");
  CHECK(rows[2].at("question") == "어디인가?");
  for (const json& row : rows) CHECK_FALSE(row.at("prediction").get<std::string>().empty());
  write_bytes(scratch / "w.conll", "홍길동\tB-PS\n씨\tO\n\n서울\tB-LC\n에\tO\n");
  const std::string tag = "predict --run " + std::string(testing::kShippedTagger) + " --in ";
  const std::string out = " --out " + scratch / "w.jsonl";
  check_refused(tag + scratch / "w.conll" + out,
                "w.conll: found words with tags, one a line, expected a text a line or row");
  // Words that are to be tagged are no texts either.
  write_bytes(scratch / "o.tsv", "홍길동\tO\n씨\tO\n\n서울\tO\n에\tO\n");
  check_refused(tag + scratch / "o.tsv" + out,
                "o.tsv: found words with tags, one a line, expected a text a line or row");
  write_bytes(scratch / "t.jsonl", R"({"id": 1, "tokens": ["홍길동", "씨"]})");
  check_refused(tag + scratch / "t.jsonl" + out,
                "t.jsonl: found lists of words in \"tokens\", expected texts; they are made by: "
                "jq -c '.text = (.\"tokens\" | join(\" \"))'");
  // Entities are a list, in JSON lines.
  write_bytes(scratch / "n.csv", "문장\n세종대왕은 1443년에 한양에서 훈민정음을 만들었다.\n");
  done(tag + scratch / "n.csv" + out);
  const json named = json::parse(read_file(scratch / "w.jsonl"));
  REQUIRE(named.at("entities").is_array());
  CHECK(named.at("entities").at(0).at("start").is_number());
}

TEST_CASE("marked parts of texts are told as such, however an annotation tool calls them") {
  const Scratch scratch;
  std::string text;
  for (int i = 0; i < 20; ++i)
    text += R"({"text": "서울에 )" + std::to_string(i) +
            R"(번 갔다.", "entities": [{"label": "LC", "start_offset": 0, "end_offset": 2}]})"
            "\n";
  write_bytes(scratch / "d.jsonl", text);
  const auto refused = run_program("new " + scratch / "d.jsonl" + " --out " + scratch / "d.json");
  CHECK(refused.status == 2);
  CHECK_THAT(refused.err, Contains("d.jsonl:1: found marked parts of a text ([{"));
}

// Comments with the labels that their words give them: none, one or both.
std::string comments(int rows) {
  std::string text = "문장\t라벨\n";
  for (int i = 0; i < rows; ++i)
    text += std::string(i % 2 == 0 ? "정말 재미있어요 " : "그냥 그래요 ") +
            (i % 3 == 0 ? "눈물이 났다 " : "담담했다 ") + std::to_string(i) + "\t[" +
            (i % 2 == 0 ? "\"기쁨\"" : "") + (i % 6 == 0 ? ", " : "") +
            (i % 3 == 0 ? "\"슬픔\"" : "") + "]\n";
  return text;
}

TEST_CASE("texts with several labels: new, run, evaluate, classify, export, compare, verify") {
  const Scratch scratch;
  write_bytes(scratch / "comments.tsv", comments(240));
  const std::string told = done("new " + scratch / "comments.tsv" + " --out " + scratch / "m.json");
  CHECK_THAT(told,
             Contains("2 labels: 기쁨 120 (50.0 %), 슬픔 80 (33.3 %)") &&
                 Contains("labels: several a text, 0.83 a text on average, 80 texts without"));
  CHECK(read_json(scratch / "m.json").at("task") == "multilabel");
  CHECK(read_json(scratch / "m.json").at("data").at("label_separator") == "list");
  CHECK(json::parse(done("data stats --json " + scratch / "comments.tsv"))["train"]["labels"]
            .size() == 2);
  json experiment = read_json(scratch / "m.json");
  experiment["arms"].push_back(
      {{"name", "small_bert"},
       {"model",
        {{"kind", "bert"}, {"d_model", 16}, {"n_heads", 2}, {"d_ff", 32}, {"n_layers", 1}}},
       {"train", {{"epochs", 8}, {"optimizer", {{"type", "adamw"}, {"lr", 0.01}}}}}});
  experiment["profiles"]["quick"] = {{"seeds", {1}}};
  write_bytes(scratch / "m.json", experiment.dump());
  const std::string at = scratch / "results";
  const std::string table =
      done("run " + scratch / "m.json" +
           " --profile quick --threads 1 --precision fp32 --no-fetch --quiet --arms "
           "majority,bag,small_bert --results " +
           at);
  CHECK_THAT(table, Contains("micro-F1") && Contains("mAP"));
  const std::string folder = at + "/m/quick/", bag = folder + "bag-s1.h5";
  const RunRecord floor = load_record(folder + "majority-s1.h5"), record = load_record(bag);
  REQUIRE(record.status == "finished");
  CHECK(record.summary.at("mean_average_precision") == Approx(1));
  CHECK(record.summary.at("label_micro_f1") > floor.summary.at("label_micro_f1"));
  CHECK(floor.predictions->texts.at("prediction").at(0) == "기쁨");
  for (const char* command : {"verify ", "inspect ", "reproduce --quiet "}) done(command + bag);
  CHECK_THAT(done("compare m --results " + at), Contains("micro-F1") && Contains("bag"));
  CHECK_THAT(done("diff " + folder + "majority-s1.h5 " + bag), Contains("기쁨|슬픔"));
  const auto report = run_program("report m --results " + at + " --out " + scratch / "report.html");
  CHECK(report.status == 0);
  CHECK(report.err.find("without their texts") == std::string::npos);

  // A file of its own, in another form, is measured by the same labels.
  write_bytes(scratch / "new.csv",
              "문장,기쁨,슬픔\n정말 재미있어요 담담했다,1,0\n그냥 그래요 담담했다,0,0\n");
  const json found =
      json::parse(done("evaluate --json --run " + bag + " --data " + scratch / "new.csv" +
                       " --column 'label=[\"기쁨\", \"슬픔\"]'"));
  CHECK(found.at("subset_accuracy") == 1);
  CHECK(found.at("intervals").at("label_micro_f1").size() == 2);
  write_bytes(scratch / "other.tsv", "문장\t라벨\n좋아요\t[\"기쁨\", \"화남\"]\n");
  const auto refused = run_program("evaluate --run " + bag + " --data " + scratch / "other.tsv");
  CHECK(refused.status == 1);
  CHECK_THAT(refused.err, Contains("found the label \"화남\", expected one of: 기쁨, 슬픔"));

  const std::string text = " '정말 재미있어요 눈물이 났다'";
  CHECK_THAT(done("predict --run " + bag + text), Contains("\n+ ") && Contains("%  슬픔"));
  const std::string bert = folder + "small_bert-s1.h5", model = scratch / "m.mbq";
  CHECK_THAT(done("export --format mbq --run " + bert + " --out " + model), Contains("texts"));
  json by_record = json::parse(done("predict --json --run " + bert + text));
  const json by_engine = json::parse(done("predict --json --run " + model + text));
  CHECK(by_engine.at("labels") == by_record.at("labels"));
  CHECK(by_engine.at("probabilities").at("기쁨").get<double>() ==
        Approx(by_record.at("probabilities").at("기쁨").get<double>()).margin(0.02));
  done("predict --run " + bag + " --in " + scratch / "new.csv" + " --out " + scratch / "out.csv");
  CHECK_THAT(read_file(scratch / "out.csv"),
             Contains("문장,기쁨,슬픔,prediction,probability of 기쁨,probability of 슬픔\n") &&
                 Contains("담담했다,1,0,기쁨,0.") && Contains("담담했다,0,0,,0."));
}

TEST_CASE("scores of texts: new, run, classify and evaluate") {
  const Scratch scratch;
  std::string text = "문장;평점\n";
  for (int i = 0; i < 200; ++i)
    text += std::string(i % 2 == 0 ? "정말 재미있어요 " : "너무 지루해요 ") + std::to_string(i) +
            (i % 2 == 0 ? ";4,5\n" : ";1\n");
  write_bytes(scratch / "stars.csv", text);
  CHECK_THAT(done("new " + scratch / "stars.csv" + " --out " + scratch / "s.json"),
             Contains("commas are decimal points") && Contains("labels: numbers"));
  done("run " + scratch / "s.json" +
       " --profile quick --threads 1 --precision fp32 --no-fetch --quiet --arms bag --set "
       "arms[0].train.epochs=20 --results " +
       scratch / "results");
  const std::string bag = scratch / "results/s/quick/bag-s1.h5";
  REQUIRE(load_record(bag).status == "finished");
  write_bytes(scratch / "new.csv", "번호,문장\n1,정말 재미있어요\n2,\n3,너무 지루해요\n");
  done("predict --run " + bag + " --in " + scratch / "new.csv" + " --out " + scratch / "out.jsonl");
  std::vector<double> found;
  std::istringstream lines(read_file(scratch / "out.jsonl"));
  for (std::string line; std::getline(lines, line);)
    if (const json row = json::parse(line); !row.at("prediction").is_null())
      found.push_back(row.at("prediction").get<double>());
  REQUIRE(found.size() == 2);
  CHECK(found[0] > found[1]);
  const json one = json::parse(done("predict --json --run " + bag + " '정말 재미있어요'"));
  CHECK(one.at("number").get<double>() == Approx(found[0]).margin(0.001));
  CHECK_THAT(done("predict --run " + bag + " '정말 재미있어요'"), Contains("정말 재미있어요\n  "));
}

TEST_CASE("questions with alternatives: new, run and evaluate") {
  const Scratch scratch;
  std::string text = "질문,보기1,보기2,보기3,정답\n";
  for (int i = 0; i < 120; ++i) {
    const std::string right = "맞는 답 " + std::to_string(i),
                      wrong = "틀린 말 " + std::to_string(i);
    text += "문제 " + std::to_string(i) + "?," + (i % 3 == 0 ? right : wrong) + "," +
            (i % 3 == 1 ? right : wrong + "가") + "," + (i % 3 == 2 ? right : wrong + "나") + "," +
            std::to_string(1 + i % 3) + "\n";
  }
  write_bytes(scratch / "exam.csv", text);
  CHECK_THAT(done("new " + scratch / "exam.csv" + " --out " + scratch / "e.json"),
             Contains("choices \"보기1 보기2 보기3\", label \"정답\"") &&
                 Contains("numbers of alternatives, counted from 1"));
  CHECK(read_json(scratch / "e.json").at("task") == "choice");
  done("run " + scratch / "e.json" +
       " --profile quick --threads 1 --precision fp32 --no-fetch --quiet --arms majority,bag "
       "--results " +
       scratch / "results");
  const std::string bag = scratch / "results/e/quick/bag-s1.h5";
  REQUIRE(load_record(bag).status == "finished");
  write_bytes(scratch / "new.csv",
              "질문,보기1,보기2,보기3,정답\n무엇?,틀린 말,맞는 답,틀린 말가,2\n누구?,맞는 답,틀린 "
              "말,틀린 말나,1\n");
  const json found =
      json::parse(done("evaluate --json --run " + bag + " --data " + scratch / "new.csv"));
  CHECK(found.at("examples") == 2);
  CHECK_THAT(done("compare e --results " + scratch / "results"), Contains("accuracy"));
  // New questions, the right answer of which nobody knows, and a row that lacks an alternative.
  const std::string choose = "predict --run " + bag + " --in ";
  write_bytes(
      scratch / "open.csv",
      "질문,보기1,보기2,보기3\n무엇?,틀린 말,맞는 답,틀린 말가\n누구?,맞는 답,,틀린 말나\n");
  done(choose + scratch / "open.csv" + " --out " + scratch / "chosen.jsonl");
  const std::string chosen = read_file(scratch / "chosen.jsonl");
  const json first = json::parse(chosen.substr(0, chosen.find('\n')));
  CHECK(first.at("prediction") == "맞는 답");
  CHECK(first.at("choice") == 2);
  CHECK(first.at("probability").get<double>() > 1.0 / 3);
  const json second = json::parse(chosen.substr(chosen.find('\n')));
  CHECK(second.at("prediction") == "");
  // As evaluate judges them, a list in one column, too.
  write_bytes(
      scratch / "list.json",
      "[{\"question\": \"무엇?\", \"choices\": [\"틀린 말\", \"맞는 답\", \"틀린 말가\"]}]");
  done(choose + scratch / "list.json" + " --out " + scratch / "listed.jsonl");
  CHECK(json::parse(read_file(scratch / "listed.jsonl")).at("probability") ==
        first.at("probability"));
  check_refused("predict --run " + bag + " 무엇?", "chooses among alternatives, expected --in");
  write_bytes(scratch / "texts.csv", "질문\n무엇?\n");
  check_refused(choose + scratch / "texts.csv" + " --out " + scratch / "out.csv",
                "found no columns of alternatives among 질문");
  done("verify " + bag);
}

TEST_CASE("a test set that can show little is named as such before training and by compare") {
  const Scratch scratch;
  write_bytes(scratch / "few.csv", reviews(60));
  const std::string note = "too few to show small differences";
  CHECK_THAT(done("new " + scratch / "few.csv" + " --out " + scratch / "f.json"),
             Contains("note: the test set is measured by 6 examples: " + note) &&
                 Contains("always right; --column held_out=30 holds out more\n"));
  for (const char* more : {"30", "40"}) {
    const std::string told = done("new " + scratch / "few.csv" + " --column held_out=" + more +
                                  " --out " + scratch / "more" + more + ".json");
    CHECK_THAT(told, Contains(note) && !Contains("holds out more"));
  }
  const auto run =
      run_program("run " + scratch / "f.json" +
                  " --profile quick --threads 1 --precision fp32 --no-fetch --arms majority,bag "
                  "--results " +
                  scratch / "results");
  REQUIRE(run.status == 0);
  CHECK_THAT(run.err, Contains("measured by 6 examples: " + note));
  CHECK_THAT(run.out, Contains("Note: measured by 6 examples: " + note));
  CHECK_THAT(done("compare f --results " + scratch / "results"), Contains(note));
  // 20 examples are too few, too; what is enough is not spoken of so.
  write_bytes(scratch / "enough.csv", reviews(600));
  const std::string told = done("new " + scratch / "enough.csv" + " --out " + scratch / "g.json");
  CHECK(told.find(note) == std::string::npos);
}

TEST_CASE("figures on the file that a run was trained on are called so") {
  const std::string run = "evaluate --run " + trained().record("bag") + " --data ";
  const auto own = run_program(run + trained().scratch / "reviews.csv");
  CHECK(own.status == 0);
  CHECK_THAT(own.err, Contains("reviews.csv: the run was trained on this file"));
  const Scratch scratch;
  write_bytes(scratch / "new.csv", "문장,라벨\n정말 좋아요,긍정\n너무 싫어요,부정\n");
  CHECK(run_program(run + scratch / "new.csv").err.find("trained on") == std::string::npos);
  // The same texts in another file, of which some were held out.
  write_bytes(scratch / "copy.csv", reviews(200) + "200,새 글,긍정\r\n");
  CHECK_THAT(run_program(run + scratch / "copy.csv").err,
             Contains("copy.csv: 160 of its 201 texts stand in what the run was trained on"));
}

TEST_CASE("a run's own file that has changed since is told where it is measured again") {
  const Scratch scratch;
  const std::string file = scratch / "r.csv", text = reviews(60);
  write_bytes(file, text);
  done("new " + file + " --out " + scratch / "r.json");
  done("run " + scratch / "r.json" +
       " --profile quick --threads 1 --no-fetch --quiet --arms bag --results " +
       scratch / "results");
  const std::string evaluate = "evaluate --run " + scratch / "results/r/quick/bag-s1.h5";
  CHECK(run_program(evaluate).err.find("has changed") == std::string::npos);
  write_bytes(file, text + "60,한 줄 더,긍정\r\n");
  CHECK_THAT(run_program(evaluate).err, Contains("r.csv: has changed since the run was trained"));
}

TEST_CASE("tagged sentences that a run learnt are told where it is measured on them") {
  const Scratch scratch;
  std::string text;
  for (int i = 0; i < 60; ++i) text += "서울" + std::to_string(i) + " B-LC\n간다 O\n\n";
  write_bytes(scratch / "tags.txt", text);
  done("new " + scratch / "tags.txt" + " --out " + scratch / "t.json");
  done("run " + scratch / "t.json" +
       " --profile quick --threads 1 --precision fp32 --no-fetch --quiet --arms lstm --set "
       "arms[lstm].train.epochs=1 --results " +
       scratch / "results");
  write_bytes(scratch / "copy.txt", text + "부산 B-LC\n간다 O\n");
  const std::string evaluate =
      "evaluate --run " + scratch / "results/t/quick/lstm-s1.h5" + " --data ";
  CHECK_THAT(run_program(evaluate + scratch / "copy.txt").err,
             Contains(" of its 61 texts stand in what the run was trained on"));
  // A tag that it has not learnt is told by its place.
  write_bytes(scratch / "other.txt", "간다 O\n\n어제 O\n박지성 B-PS\n간다 O\n");
  CHECK_THAT(run_program(evaluate + scratch / "other.txt").err,
             Contains("other.txt:4: found the tag \"B-PS\", expected one of: O, B-LC"));
}

TEST_CASE("diff shows the texts of examples, as long as the file is the same") {
  const std::string runs = trained().record("majority") + " " + trained().record("bag");
  CHECK_THAT(done("diff --show 1 " + runs),
             Contains("  text  ") && (Contains("재미있어요") || Contains("지루하고, 별로예요")));
  const json told = json::parse(done("diff --json " + runs)).at("examples").at("second_better");
  REQUIRE_FALSE(told.empty());
  for (const json& one : told)
    CHECK_THAT(one.at("text").get<std::string>(),
               Contains("재미있어요") || Contains("지루하고, 별로예요"));
}

TEST_CASE("data stats takes a file") {
  const json told = json::parse(done("data stats --json " + trained().scratch / "reviews.csv"));
  CHECK(told.at("train").at("examples") == 160);
  CHECK(told.at("test").at("labels").size() == 2);
}

}  // namespace minibert
