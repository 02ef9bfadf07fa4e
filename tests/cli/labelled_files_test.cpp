// Labelled files of one's own: new, run, evaluate, predict.
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "core/files.h"
#include "done.h"
#include "record/run_record.h"
#include "support/program.h"
#include "support/real_data.h"
#include "support/scratch.h"

namespace minibert {
namespace {

using Catch::Matchers::Contains;
using nlohmann::json;
using testing::check_refused;
using testing::data_folder;
using testing::done;
using testing::has_real_data;
using testing::rows_of;
using testing::run_program;
using testing::Scratch;
using testing::write_bytes;

std::string reviews(int rows) {
  std::string text = "\xef\xbb\xbf번호,문장,라벨\r\n";
  for (int i = 0; i < rows; ++i)
    text += std::to_string(i) + ",\"" + (i % 2 == 0 ? "정말, 재미있어요 " : "지루하고, 별로예요 ") +
            std::to_string(i) + "\"," + (i % 2 == 0 ? "긍정" : "부정") + "\r\n";
  return text;
}

// Trains arms of an experiment's quick profile, on a thread, into `results`.
std::string trains(const std::string& experiment, const std::string& arms,
                   const std::string& results, const std::string& more = "") {
  return done("run " + experiment +
              " --profile quick --threads 1 --precision fp32 --no-fetch --quiet --arms " + arms +
              " --results " + results + " " + more);
}

// An experiment for a file, trained; made once.
struct Trained {
  Trained() {
    write_bytes(scratch / "reviews.csv", reviews(200));
    told = done("new " + scratch / "reviews.csv" + " --out " + scratch / "mine.json");
    trains(scratch / "mine.json", "majority,bag", scratch / "results");
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
  CHECK_THAT(trained().told,
             Contains("CSV in UTF-8, 200 rows: text 문장, label 라벨") &&
                 Contains("classification: 160 to train on (train), 20 to choose") &&
                 Contains("labels: 긍정 100 (50.0 %), 부정 100 (50.0 %)") &&
                 Contains("profile quick: 10 epochs; the end of a run names each arm that"));
  const json experiment = read_json(trained().scratch / "mine.json");
  CHECK(experiment.at("task") == "classification");
  CHECK(experiment.at("data").at("text") == "문장");
  const RunRecord record = load_record(trained().record("bag"));
  CHECK(record.status == "finished");
  CHECK(record.data.at("files").at(0).at("sha256").get<std::string>().size() == 64);
  CHECK(record.data.at("splits").at("train").at("examples") == 160);
  CHECK(record.summary.at("accuracy") >
        load_record(trained().record("majority")).summary.at("accuracy"));
  check_refused(
      "new " + trained().scratch / "reviews.csv" + " --out " + trained().scratch / "mine.json",
      "mine.json: exists already");
  const json told = json::parse(done("data stats --json " + trained().scratch / "reviews.csv"));
  CHECK(told.at("train").at("examples") == 160);
  CHECK(told.at("test").at("labels").size() == 2);
}

TEST_CASE("new asks for columns by one line, and writes nothing") {
  const Scratch scratch;
  write_bytes(scratch / "reviews.csv", "번호,내용,등급\n1,아주 좋아요,가\n2,싫어요,나\n");
  const std::string command = "new " + scratch / "reviews.csv" + " --out " + scratch / "e.json";
  check_refused(command, "expected \"text\" and \"label\": --column text=내용");
  CHECK_FALSE(std::filesystem::exists(scratch / "e.json"));
}

TEST_CASE("new writes the task that the columns say, or the one that is asked for") {
  const Scratch scratch;
  const auto task_of = [&](const std::string& name, const std::string& bytes,
                           const std::string& options = "") {
    write_bytes(scratch / name, bytes);
    std::filesystem::remove(scratch / "e.json");
    done("new " + scratch / name + " --out " + scratch / "e.json " + options);
    return read_json(scratch / "e.json").at("task").get<std::string>();
  };
  std::string scores = "text,label\n", several = scores, tags, questions;
  for (int i = 0; i < 60; ++i) {
    const std::string n = std::to_string(i);
    scores += "글 " + n + "," + std::to_string(i % 5) + "\n";
    several += "글 " + n + "," + (i % 2 == 0 ? "기쁨|슬픔" : "슬픔") + "\n";
    tags += "서울" + n + " B-LC\n간다 O\n\n";
    questions +=
        std::string(i == 0 ? "" : ",") + R"({"title": "글)" + n +
        R"(", "paragraphs": [{"context": "수도는 서울이다 )" + n + R"(", "qas": [{"id": ")" + n +
        R"(", "question": "수도는?", "answers": [{"text": "서울", "answer_start": 4}]}]}]})";
  }
  CHECK(task_of("n.csv", scores) == "classification");
  CHECK(task_of("n.csv", scores, "--task regression") == "regression");
  CHECK(read_json(scratch / "e.json").at("arms").at(1).at("model").at("output_unit") ==
        "deviation");
  CHECK(task_of("l.csv", several, "--column label_separator=bar") == "multilabel");
  CHECK(task_of("t.conll", tags) == "tagging");
  CHECK(task_of("q.json", "{\"data\": [" + questions + "]}") == "korquad");
  check_refused(
      "new " + scratch / "t.conll" + " --task regression --out " + scratch / "x.json",
      "--task: found regression, expected for " + scratch / "t.conll" + " one of: tagging");
}

TEST_CASE("a stored model is measured on a new file, by the names of its columns and labels") {
  const Scratch scratch;
  write_bytes(scratch / "new.csv", reviews(40) + "40,정말 재미있어요,부정\r\n");
  const std::string run = "evaluate --run " + trained().record("bag") + " --json --data ";
  const json found = json::parse(done(run + scratch / "new.csv"));
  CHECK(found.at("examples") == 41);
  CHECK(found.at("intervals").at("accuracy").size() == 2);
  CHECK(found.at("intervals").at("accuracy")[0] < found.at("accuracy"));
  write_bytes(scratch / "named.tsv", "글\t느낌\n좋아요\t긍정\n별로\t부정\n");
  check_refused(run + scratch / "named.tsv",
                "found the columns 글, 느낌, expected one named \"문장\"");
  CHECK(json::parse(done(run + scratch / "named.tsv" + " --column text=글 --column label=느낌"))
            .at("examples") == 2);
  write_bytes(scratch / "other.csv", "문장,라벨\n좋아요,중립\n");
  const auto refused = run_program(run + scratch / "other.csv");
  CHECK(refused.status == 1);
  CHECK_THAT(refused.err, Contains("found the label \"중립\", expected one of: 긍정, 부정"));
  // Where all are right there is no interval, which would be one of no width.
  write_bytes(scratch / "right.csv", reviews(40));
  CHECK_THAT(done("evaluate --run " + trained().record("bag") + " --data " + scratch / "right.csv"),
             Contains("1  (no interval: all examples give the same value)"));
  write_bytes(scratch / "twice.csv", "문장,라벨\n좋아요,긍정\n좋아요,부정\n");
  CHECK_THAT(run_program(run + scratch / "twice.csv").err,
             Contains("twice.csv: predicts \"") && Contains("\" for all 2 examples"));
}

TEST_CASE("a label that training lacks is told by file and line") {
  const Scratch scratch;
  write_bytes(scratch / "train.csv", reviews(60));
  write_bytes(scratch / "test.csv", "번호,문장,라벨\n1,좋아요,긍정\n2,글쎄요,중립\n");
  const std::string command = "new " + scratch / "train.csv" + " --test " + scratch / "test.csv" +
                              " --out " + scratch / "m.json";
  const auto not_written = run_program(command);
  CHECK(not_written.status == 1);
  CHECK_THAT(
      not_written.err,
      Contains("test.csv:3: found the label \"중립\", expected one that training has: 긍정"));
  CHECK_FALSE(std::filesystem::exists(scratch / "m.json"));
  const std::string later = read_file(scratch / "test.csv");
  write_bytes(scratch / "test.csv", later.substr(0, later.find("2,")));
  done(command);
  write_bytes(scratch / "test.csv", later);
  const auto refused = run_program("run " + scratch / "m.json" +
                                   " --profile quick --no-fetch --quiet --arms bag --results " +
                                   scratch / "results");
  CHECK(refused.status == 1);
  CHECK_THAT(refused.err,
             Contains("test.csv:3: found the label \"중립\", expected one of: 긍정, 부정"));
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

TEST_CASE("predict writes a row for each row of a table, blank ones too") {
  const Scratch scratch;
  const std::string run = "predict --run " + trained().record("bag") + " --in ";
  write_bytes(scratch / "new.csv", "번호,문장\n1,\"정말, 재미있어요\"\n\n2,\n3,지루해요\n\n");
  const auto found = run_program(run + scratch / "new.csv" + " --out " + scratch / "out.csv");
  INFO(found.err);
  REQUIRE(found.status == 0);
  CHECK_THAT(found.err, Contains("text \"문장\", among 번호, 문장") &&
                            Contains("3 rows without a text: left as they are"));
  const std::string csv = read_file(scratch / "out.csv");
  CHECK(csv.starts_with(
      "\xef\xbb\xbf번호,문장,prediction,probability\n1,\"정말, 재미있어요\",긍정,"));
  CHECK_THAT(csv, Contains("\n,,,\n2,,,\n3,지루해요,부정,"));
  CHECK(csv.ends_with("\n,,,\n"));
  done(run + scratch / "new.csv" + " --text 문장 --out " + scratch / "out.tsv");
  CHECK_THAT(read_file(scratch / "out.tsv"), Contains("\n3\t지루해요\t부정\t"));
  write_bytes(scratch / "pairs.csv", "문장,문장2\n재미있어요,싫어요\n");
  CHECK_THAT(run_program(run + scratch / "pairs.csv" + " --out " + scratch / "o.csv").err,
             Contains("pairs.csv: second texts are not read: the run was trained without"));
  // Objects keep what they have.
  write_bytes(
      scratch / "rows.jsonl",
      "{\"문장\": \"재미있어요\", \"n\": 1, \"in\": {\"a\": [1, 2.5]}}\n\n{\"문장\": \"\"}\n");
  done(run + scratch / "rows.jsonl" + " --out " + scratch / "rows_out.jsonl");
  std::vector<json> rows = rows_of(scratch / "rows_out.jsonl");
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].at("prediction") == "긍정");
  CHECK(rows[0].at("probability").is_number());
  CHECK(rows[0].at("in").at("a").at(1) == 2.5);
  CHECK(rows[1] == json::parse(R"({"prediction": "", "probability": null})"));
  check_refused("predict --run " + trained().record("bag") + " --in " + scratch / "new.csv",
                "--out: missing, expected a file to write with --in");
  check_refused(run + scratch / "new.csv" + " --out " + scratch / "new.csv",
                "--out: found the file of --in");
  check_refused(run + scratch / "new.csv" + " --out " + scratch / "o.txt",
                "found the ending .txt, expected .csv, .tsv or .jsonl");
}

TEST_CASE("predict takes the column that its run learnt from, and asks where it is not there") {
  const Scratch scratch;
  std::string text = "접수,민원,부서\n";
  for (int i = 0; i < 80; ++i)
    text += std::to_string(i) + (i % 2 == 0 ? ",길이 막혀요 " : ",물이 새요 ") + std::to_string(i) +
            (i % 2 == 0 ? ",교통\n" : ",수도\n");
  write_bytes(scratch / "seen.csv", text);
  done("new " + scratch / "seen.csv" + " --column text=민원 --column label=부서 --out " +
       scratch / "c.json");
  trains(scratch / "c.json", "bag", scratch / "results");
  const std::string run = "predict --run " + scratch / "results/c/quick/bag-s1.h5" + " --in ";
  const std::string rows = "하나의 소개,길이 막혀요,다른 글\n둘의 소개,물이 새요,또 다른 글\n";
  write_bytes(scratch / "new.csv", "소개,민원,text\n" + rows);
  const auto found = run_program(run + scratch / "new.csv" + " --out " + scratch / "out.csv");
  INFO(found.err);
  REQUIRE(found.status == 0);
  CHECK_THAT(found.err, Contains("new.csv: text \"민원\", among 소개, 민원, text"));
  CHECK_THAT(read_file(scratch / "out.csv"),
             Contains(",다른 글,교통,") && Contains(",또 다른 글,수도,"));
  done(run + scratch / "new.csv" + " --text text --out " + scratch / "named.csv");
  CHECK(read_file(scratch / "named.csv") != read_file(scratch / "out.csv"));
  write_bytes(scratch / "other.csv", "소개,건의,머리글\n" + rows);
  check_refused(run + scratch / "other.csv" + " --out " + scratch / "other_out.csv",
                "found the columns 소개, 건의, 머리글, expected --text to name one of them");
}

TEST_CASE("texts with several labels: new, run, evaluate, predict, export, compare, verify") {
  const Scratch scratch;
  std::string text = "문장\t라벨\n";  // words give the labels: none, one or both
  for (int i = 0; i < 240; ++i)
    text += std::string(i % 2 == 0 ? "정말 재미있어요 " : "그냥 그래요 ") +
            (i % 3 == 0 ? "눈물이 났다 " : "담담했다 ") + std::to_string(i) + "\t[" +
            (i % 2 == 0 ? "\"기쁨\"" : "") + (i % 6 == 0 ? ", " : "") +
            (i % 3 == 0 ? "\"슬픔\"" : "") + "]\n";
  write_bytes(scratch / "comments.tsv", text);
  const std::string named = " --column label_separator=list";
  CHECK_THAT(done("new " + scratch / "comments.tsv" + named + " --out " + scratch / "m.json"),
             Contains("multilabel: ") && Contains("2 labels: 기쁨 120 (60.0 %), 슬픔 80 (40.0 %)"));
  json experiment = read_json(scratch / "m.json");
  experiment["arms"].push_back(
      {{"name", "small_bert"},
       {"model",
        {{"kind", "bert"}, {"d_model", 16}, {"n_heads", 2}, {"d_ff", 32}, {"n_layers", 1}}},
       {"train", {{"epochs", 8}, {"optimizer", {{"type", "adamw"}, {"lr", 0.01}}}}}});
  experiment["profiles"]["quick"] = {{"seeds", {1}}};
  write_bytes(scratch / "m.json", experiment.dump());
  const std::string at = scratch / "results";
  CHECK_THAT(trains(scratch / "m.json", "majority,bag,small_bert", at),
             Contains("micro-F1") && Contains("macro-F1"));
  const std::string folder = at + "/m/quick/", bag = folder + "bag-s1.h5";
  const RunRecord floor = load_record(folder + "majority-s1.h5"), record = load_record(bag);
  REQUIRE(record.status == "finished");
  CHECK(record.summary.at("mean_average_precision") == Approx(1));
  CHECK(record.summary.at("label_micro_f1") > floor.summary.at("label_micro_f1"));
  CHECK(floor.predictions->texts.at("prediction").at(0) == "기쁨");
  for (const char* command : {"verify ", "inspect ", "reproduce --quiet "}) done(command + bag);
  CHECK_THAT(done("compare m --results " + at), Contains("micro-F1") && Contains("bag"));
  const auto report = run_program("report m --results " + at + " --out " + scratch / "report.html");
  CHECK(report.status == 0);
  CHECK(report.err.find("without their texts") == std::string::npos);

  // A file in another form is measured by the same labels.
  const std::string columns = " --column 'label=[\"기쁨\", \"슬픔\"]'";
  write_bytes(scratch / "new.csv",
              "문장,기쁨,슬픔\n정말 재미있어요 담담했다,1,0\n그냥 그래요 담담했다,0,0\n");
  const std::string evaluate = "evaluate --json --run " + bag + " --data ";
  const json found = json::parse(done(evaluate + scratch / "new.csv" + columns));
  CHECK(found.at("subset_accuracy") == 1);
  CHECK(found.at("intervals").at("label_micro_f1").size() == 2);
  write_bytes(scratch / "other.tsv", "문장\t라벨\n좋아요\t[\"기쁨\", \"화남\"]\n");
  const auto refused = run_program(evaluate + scratch / "other.tsv");
  CHECK(refused.status == 1);
  CHECK_THAT(refused.err, Contains("found the label \"화남\", expected one of: 기쁨, 슬픔"));

  const std::string said = " '정말 재미있어요 눈물이 났다'";
  CHECK_THAT(done("predict --run " + bag + said), Contains("\n+ ") && Contains("%  슬픔"));
  const std::string bert = folder + "small_bert-s1.h5", model = scratch / "m.mbq";
  CHECK_THAT(done("export --format mbq --run " + bert + " --out " + model), Contains("texts"));
  const json by_record = json::parse(done("predict --json --run " + bert + said));
  const json by_engine = json::parse(done("predict --json --run " + model + said));
  CHECK(by_engine.at("labels") == by_record.at("labels"));
  CHECK(by_engine.at("probabilities").at("기쁨").get<double>() ==
        Approx(by_record.at("probabilities").at("기쁨").get<double>()).margin(0.02));
  done("predict --run " + bag + " --in " + scratch / "new.csv" + " --out " + scratch / "out.csv");
  CHECK_THAT(read_file(scratch / "out.csv"),
             Contains("문장,기쁨,슬픔,prediction,probability of 기쁨,probability of 슬픔\n") &&
                 Contains("담담했다,1,0,기쁨,0.") && Contains("담담했다,0,0,,0."));
}

TEST_CASE(
    "the quick profile of several labels gives some, and those of columns are matched by name") {
  const Scratch scratch;
  std::string text = "text,기쁨,슬픔\n", turned = "text,슬픔,기쁨\n";
  for (int i = 0; i < 240; ++i) {
    const std::string row = std::string(i % 2 == 0 ? "정말 재미있어요 " : "그냥 그래요 ") +
                            (i % 3 == 0 ? "눈물이 났다 " : "담담했다 ") + std::to_string(i);
    const std::string joy = i % 2 == 0 ? ",1" : ",0", sorrow = i % 3 == 0 ? ",1" : ",0";
    text += row + joy + sorrow + "\n", turned += row + sorrow + joy + "\n";
  }
  write_bytes(scratch / "m.csv", text);
  write_bytes(scratch / "turned.csv", turned);
  done("new " + scratch / "m.csv" + " --column 'label=[\"기쁨\", \"슬픔\"]' --out " +
       scratch / "m.json");
  trains(scratch / "m.json", "bag", scratch / "results");
  const std::string bag = scratch / "results/m/quick/bag-s1.h5";
  CHECK(load_record(bag).summary.at("label_micro_f1") > 0.5);
  const auto short_run = run_program("run " + scratch / "m.json" + " --profile quick --threads 1" +
                                     " --no-fetch --arms majority,bag --results " +
                                     scratch / "few" + " --set 'arms[bag].train.max_steps=1'");
  CHECK_THAT(short_run.err,
             Contains("bag does not beat majority, which learns nothing, in micro-F1"));
  const std::string evaluate = "evaluate --json --run " + bag + " --data ";
  CHECK(json::parse(done(evaluate + scratch / "turned.csv")) ==
        json::parse(done(evaluate + scratch / "m.csv")));
}

TEST_CASE("scores of texts: new, run and predict") {
  const Scratch scratch;
  std::string text = "문장;평점\n";
  for (int i = 0; i < 200; ++i)
    text += (i % 2 == 0 ? "정말 재미있어요 " : "너무 지루해요 ") + std::to_string(i) +
            (i % 2 == 0 ? ";4.5\n" : ";1.25\n");
  write_bytes(scratch / "scores.csv", text);
  done("new " + scratch / "scores.csv" + " --task regression --column label=평점 --out " +
       scratch / "s.json");
  trains(scratch / "s.json", "bag", scratch / "results", "--set arms[0].train.epochs=20");
  const std::string bag = scratch / "results/s/quick/bag-s1.h5";
  write_bytes(scratch / "new.csv", "번호,문장\n1,정말 재미있어요\n2,\n3,너무 지루해요\n");
  done("predict --run " + bag + " --in " + scratch / "new.csv" + " --out " + scratch / "out.jsonl");
  const std::vector<json> rows = rows_of(scratch / "out.jsonl");
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].at("prediction") > rows[2].at("prediction"));
  CHECK(rows[1].at("prediction").is_null());
  const json one = json::parse(done("predict --json --run " + bag + " '정말 재미있어요'"));
  CHECK(one.at("number").get<double>() ==
        Approx(rows[0].at("prediction").get<double>()).margin(0.001));
}

TEST_CASE("answers among choices keep their base in evaluate and predict") {
  const Scratch scratch;
  std::string text = "질문,보기1,보기2,보기3,정답\n";
  for (int i = 0; i < 120; ++i) {
    const std::string n = " " + std::to_string(i), right = "맞는 답" + n, wrong = "틀린 말" + n;
    text += "문제" + n + "?," + (i % 3 == 0 ? right : wrong) + "," +
            (i % 3 == 1 ? right : wrong + "가") + "," + (i % 3 == 2 ? right : wrong + "나") + "," +
            std::to_string(i % 3) + "\n";
  }
  write_bytes(scratch / "exam.csv", text);
  const std::string columns =
      " --column text=질문 --column 'choices=[\"보기1\",\"보기2\",\"보기3\"]' --column label=정답";
  CHECK_THAT(done("new " + scratch / "exam.csv" + columns + " --column first_choice=0 --out " +
                  scratch / "e.json"),
             Contains("label 정답 counted from 0 (shown from 1)\n"));
  CHECK(read_json(scratch / "e.json").at("task") == "choice");
  CHECK(read_json(scratch / "e.json").at("data").at("first_choice") == 0);
  trains(scratch / "e.json", "majority,bag", scratch / "results");
  const std::string bag = scratch / "results/e/quick/bag-s1.h5";
  CHECK(load_record(bag).summary.at("accuracy") > 0.9);
  // No answer of the file is 0, and still they are counted from 0.
  write_bytes(scratch / "new.csv",
              "질문,보기1,보기2,보기3,정답\n무엇?,틀린 말,맞는 답,틀린 말가,1\n"
              "누구?,틀린 말,틀린 말나,맞는 답,2\n");
  const std::string evaluate = "evaluate --json --run " + bag + " --data " + scratch / "new.csv";
  CHECK(json::parse(done(evaluate)).at("accuracy") == 1);
  CHECK(json::parse(done(evaluate + " --column first_choice=1")).at("accuracy") == 0);
  CHECK_THAT(done("compare e --results " + scratch / "results"), Contains("accuracy"));
  const std::string choose = "predict --run " + bag + " --in ";
  done(choose + scratch / "new.csv" + " --out " + scratch / "chosen.jsonl");
  for (const json& row : rows_of(scratch / "chosen.jsonl")) {
    CHECK(row.at("prediction") == "맞는 답");
    CHECK(std::to_string(row.at("choice").get<int>()) == row.at("정답"));
    CHECK(row.at("probability").get<double>() > 1.0 / 3);
  }
  check_refused("predict --run " + bag + " 무엇?", "chooses among alternatives, expected --in");
}

TEST_CASE("a test set that can show little is named as such before training and by compare") {
  const Scratch scratch;
  write_bytes(scratch / "few.csv", reviews(60));
  const std::string note = "too few to show small differences";
  CHECK_THAT(done("new " + scratch / "few.csv" + " --out " + scratch / "f.json"),
             Contains("note: the test set is measured by 6 examples: " + note) &&
                 Contains("always right); --column held_out=30 holds out more\n"));
  CHECK_THAT(
      done("new " + scratch / "few.csv" + " --column held_out=30 --out " + scratch / "m.json"),
      Contains(note) && !Contains("holds out more"));
  trains(scratch / "f.json", "majority,bag", scratch / "results");
  CHECK_THAT(done("compare --results " + scratch / "results"),
             Contains("Note: measured by 6 examples: " + note));
  write_bytes(scratch / "enough.csv", reviews(600));
  CHECK_THAT(done("new " + scratch / "enough.csv" + " --out " + scratch / "g.json"),
             !Contains(note));
}

TEST_CASE("figures on files that a run was trained on are called so") {
  const std::string run = "evaluate --run " + trained().record("bag") + " --data ";
  CHECK_THAT(run_program(run + trained().scratch / "reviews.csv").err,
             Contains("reviews.csv: the run was trained on this file"));
  const Scratch scratch;
  // The same texts in another file, of which some were held out.
  write_bytes(scratch / "copy.csv", reviews(200) + "200,새 글,긍정\r\n");
  CHECK_THAT(run_program(run + scratch / "copy.csv").err,
             Contains("copy.csv: 160 of its 201 texts were in the run's training data"));
  // A run's own file that has changed since.
  const std::string file = scratch / "r.csv", text = reviews(60);
  write_bytes(file, text);
  done("new " + file + " --out " + scratch / "r.json");
  trains(scratch / "r.json", "bert_1m_everyday", scratch / "results");
  const std::string record = " --run " + scratch / "results/r/quick/bert_1m_everyday-s1.h5";
  CHECK(run_program("evaluate" + record).err.find("has changed") == std::string::npos);
  write_bytes(file, text + "60,한 줄 더,긍정\r\n");
  for (const std::string& command : {std::string("evaluate"), "export --out " + scratch / "r.mbq"})
    CHECK_THAT(run_program(command + record).err,
               Contains("r.csv: has changed since the run was trained"));
}

TEST_CASE("tags of one's own: new, run and evaluate, stray I- among them") {
  const Scratch scratch;
  std::string text;
  for (int i = 0; i < 60; ++i)
    text += "서울" + std::to_string(i) + (i == 20 ? " I-LC" : " B-LC") + "\n간다 O\n\n";
  write_bytes(scratch / "tags.conll", text);
  CHECK_THAT(done("new " + scratch / "tags.conll" + " --out " + scratch / "t.json"),
             Contains("note: " + scratch / "tags.conll" + ": 1 tag I-… goes on with no entity") &&
                 Contains("1 label: LC 60 (100.0 %)"));
  trains(scratch / "t.json", "lstm", scratch / "results", "--set arms[lstm].train.epochs=1");
  const std::string evaluate =
      "evaluate --run " + scratch / "results/t/quick/lstm-s1.h5" + " --data ";
  write_bytes(scratch / "copy.conll", text + "부산 B-LC\n간다 O\n");
  CHECK_THAT(run_program(evaluate + scratch / "copy.conll").err,
             Contains(" of its 61 texts were in the run's training data"));
  // A tag that it has not learnt is told by its place.
  write_bytes(scratch / "other.conll", "간다 O\n\n어제 O\n박지성 B-PS\n간다 O\n");
  CHECK_THAT(run_program(evaluate + scratch / "other.conll").err,
             Contains("other.conll:4: found the tag \"B-PS\", expected one of: O, B-LC"));
}

TEST_CASE("differences show the texts of examples, as long as the file is the same") {
  const std::string runs = trained().record("majority") + " " + trained().record("bag");
  const json told = json::parse(done("inspect --json " + runs)).at("examples").at("second_better");
  REQUIRE_FALSE(told.empty());
  for (const json& one : told)
    CHECK_THAT(one.at("text").get<std::string>(),
               Contains("재미있어요") || Contains("지루하고, 별로예요"));
}

TEST_CASE("published files are read by new and trained by one command") {
  if (!has_real_data({"klue-dev/klue-nli-v1.1_dev.json", "ud-ko/ko_gsd-ud-train.conllu",
                      "korean-hate-speech/train.tsv"}))
    return;
  const std::string data = data_folder() + "/", hate = data + "korean-hate-speech/";
  // Files and options, what new tells of them, and a heading of the run's table.
  const std::string kFiles[][4] = {
      {"klue-dev/klue-nli-v1.1_dev.json --column label=gold_label",
       "JSON in UTF-8, 3000 rows: text premise, pair hypothesis, label gold_label",
       "3 labels: contradiction 1000 (33.3 %)", "accuracy"},
      {"korean-hate-speech/train.tsv --test " + hate +
           "dev.tsv --column text=comments --column label=hate",
       "471 to measure on (test)",
       "3 labels: none 3646 (43.6 %), offensive 2688 (32.1 %), hate 2033 (24.3 %)", "macro-F1"},
      {"ud-ko/ko_gsd-ud-train.conllu", "CoNLL-U, 4400 sentences", "16 labels: NOUN 22915 (40.4 %)",
       "entity F1"}};
  const Scratch scratch;
  for (const auto& [options, told, labels, heading] : kFiles) {
    const std::string experiment = scratch / "e.json";
    std::filesystem::remove(experiment);
    CHECK_THAT(done("new " + data + options + " --out " + experiment),
               Contains(told) && Contains(labels));
    CHECK_THAT(trains(experiment, "majority", scratch / "results", "--force"), Contains(heading));
  }
}

}  // namespace minibert
