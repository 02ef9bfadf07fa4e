// Labelled files of one's own: columns, labels, splits, and one clear line for everything else.
#include "data/files/labelled_file.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <set>

#include "data/files/columns.h"
#include "read.h"
#include "support/shell.h"

namespace minibert {
namespace {

using Catch::Matchers::Contains;
using nlohmann::json;
using testing::mistake_in;
using testing::Scratch;
using testing::write_bytes;
using Texts = std::vector<std::string>;

FileSource source_of(json keys) {
  ConfigReader reader(keys, "data");
  return read_file_source(reader);
}

LabelledSplits load(const json& keys, LabelUse use = LabelUse::names, Texts* told = nullptr) {
  return read_labelled_files(source_of(keys), use, [&](const std::string& line) {
    if (told != nullptr) told->push_back(line);
  });
}

// All examples of one file's training, dev and test split, in the order of their ids.
std::vector<LabelledExample> examples_of(const std::string& name, const std::string& bytes,
                                         json keys = json::object(),
                                         LabelUse use = LabelUse::names) {
  const Scratch scratch;
  write_bytes(scratch / name, bytes);
  for (const char* split : {"train", "dev", "test"}) keys[split] = scratch / name;
  return load(keys, use).train;
}

std::string refused_rows(const std::string& name, const std::string& bytes,
                         json keys = json::object(), LabelUse use = LabelUse::names) {
  return mistake_in(name, bytes, [&](const std::string& path) {
    for (const char* split : {"train", "dev", "test"}) keys[split] = path;
    load(keys, use);
  });
}

}  // namespace

TEST_CASE("columns with usual names are taken, in Korean and English") {
  for (const char* names :
       {"text,label", "Sentence,Labels", "document,라벨", "문장,레이블", "리뷰,라벨"}) {
    const auto read =
        examples_of("a.csv", std::string("번호,") + names + "\n1,좋아,가\n2,싫어,나\n");
    REQUIRE(read.size() == 2);
    CHECK(read[0].text == "좋아");
    CHECK(read[0].label == "가");
    CHECK(read[1].id == "train-2");
    CHECK(read[1].where.ends_with("a.csv:3"));
  }
  for (const char* names : {"premise,hypothesis", "문장1,문장2", "sentence1,sentence2"})
    CHECK(examples_of("a.csv", std::string(names) + ",label\n하나,둘,가\n셋,넷,나\n")[0].pair ==
          "둘");
}

TEST_CASE("columns that are named are taken, and several texts are joined") {
  const auto read = examples_of("a.csv", "제목,내용,등급,text\n하나,둘,가,-\n셋,넷,나,-\n",
                                {{"text", {"제목", "내용"}}, {"label", "등급"}});
  CHECK(read[0].text == "하나 둘");
  CHECK(read[1].label == "나");
}

TEST_CASE("columns that are not named get one line that says how to name them") {
  const std::string table = "번호,내용,등급\n1,아주 좋아요,가\n2,싫어요,나\n";
  CHECK(refused_rows("reviews.csv", table) ==
        "reviews.csv:1: found the columns 번호, 내용, 등급; expected \"text\" and \"label\": "
        "--column text=내용 --column label=등급");
  CHECK(
      refused_rows("reviews.csv", table, {{"text", "내용"}}) ==
      "reviews.csv:1: found the columns 번호, 내용, 등급; expected \"label\": --column label=등급");
  CHECK(
      refused_rows("reviews.csv", table, {{"text", "내용"}, {"label", "등굽"}}) ==
      "reviews.csv: found the columns 번호, 내용, 등급, expected one named \"등굽\" (did you mean "
      "\"등급\"?)");
  CHECK(refused_rows("a.csv", "text,label\n가,나\n", {{"pair", "글"}}) ==
        "a.csv: found the columns text, label, expected one named \"글\"");
  CHECK(refused_rows("a.csv", "text,문장,label\n가,나,다\n") ==
        "a.csv: found the columns text and 문장, which both may be \"text\": --column text=text "
        "names one");
}

TEST_CASE("labels are what is written, or what labels names") {
  const auto read = examples_of("a.csv", "text,label\n하나,1.0\n둘,★★\n셋,85점\n");
  CHECK(read[0].label == "1.0");
  CHECK(read[1].label == "★★");
  CHECK(read[2].label == "85점");
  // Labels and columns that look equal are: with a no-break space of a web page, or what is not seen.
  const auto alike = examples_of("a.csv", "text\u00a0,label\n하나,가\u00a0\n둘,가\u200b\n셋,나\n");
  CHECK(alike[0].label == "가");
  CHECK(alike[1].label == "가");
  const json names = {{"labels", {{"0", "부정"}, {"1", "긍정"}}}};
  CHECK(examples_of("a.csv", "text,label\n하나,1\n둘,0\n셋,부정\n", names)[2].label == "부정");
  const json shifted = {{"labels", {{"0", "1"}, {"1", "2"}}}};
  CHECK(examples_of("a.csv", "text,label\n하나,1\n둘,0\n", shifted)[0].label == "2");
  CHECK(refused_rows("a.csv", "text,label\n하나,1\n둘,2\n", names) ==
        "a.csv:3: found the label \"2\", expected one of: 0, 1");
  // A name that is empty leaves its rows out.
  CHECK(examples_of("a.csv", "text,label\n하나,-1\n둘,0\n셋,1\n", {{"labels", {{"-1", ""}}}})
            .size() == 2);
}

TEST_CASE("rows with an empty text or label are left out and counted") {
  const Scratch scratch;
  write_bytes(scratch / "a.csv", "text,label\n하나,가\n,나\n셋,\n넷,나\n");
  Texts told;
  const json keys = {
      {"train", scratch / "a.csv"}, {"dev", scratch / "a.csv"}, {"test", scratch / "a.csv"}};
  CHECK(load(keys, LabelUse::names, &told).train.size() == 2);
  CHECK(std::ranges::count_if(told, [](const std::string& line) {
          return line.ends_with("a.csv:3)") &&
                 line.find("2 rows without a text or label: left out") != std::string::npos;
        }) == 3);
}

TEST_CASE("several labels stand in a list, between a separator that is named, or in columns") {
  for (const auto& [separator, cell] :
       {std::pair("comma", "\"기쁨, 슬픔\""), std::pair("bar", "기쁨|슬픔"),
        std::pair("semicolon", "슬픔;기쁨;"), std::pair("slash", "기쁨/슬픔"),
        std::pair("hash", "#기쁨 #슬픔"), std::pair("list", "\"[\"\"기쁨\"\", \"\"슬픔\"\"]\"")})
    CHECK(examples_of("a.csv",
                      std::string("text,label\n하나,") + cell + "\n둘," +
                          (std::string(separator) == "list" ? "[]" : "기쁨") + "\n",
                      {{"label_separator", separator}, {"separator", "comma"}}, LabelUse::sets)[0]
              .label == "기쁨|슬픔");
  const json columns = {{"label", {"기쁨", "슬픔"}}};
  const auto flags = examples_of("a.csv", "text,기쁨,슬픔\n하나,1,0\n둘,0,0\n셋,true,1\n", columns,
                                 LabelUse::sets);
  CHECK(flags[0].label == "기쁨");
  CHECK(flags[1].label.empty());
  CHECK(flags[2].label == "기쁨|슬픔");
  CHECK(refused_rows("a.csv", "text,기쁨,슬픔\n하나,예,0\n", columns, LabelUse::sets) ==
        "a.csv:2: column 기쁨: found \"예\", expected 0 or 1");
  // A column that lacks says nothing of its label.
  CHECK(refused_rows("a.csv", "text,기쁨\n하나,1\n", columns, LabelUse::sets) ==
        "a.csv: found the columns text, 기쁨, expected one named \"슬픔\"");
  CHECK_THAT(refused_rows("a.csv", "text,label\n하나,가\n둘,나\n", {}, LabelUse::sets),
             Contains("found one label a text, expected \"label_separator\""));
  CHECK_THAT(refused_rows("a.csv", "text,label\n하나,\"['가']\"\n", {{"label_separator", "list"}},
                          LabelUse::sets),
             Contains("a.csv:2: found \"['가']\", expected a JSON list"));
}

TEST_CASE("an answer is the number of a choice, counted from the base that is named") {
  const json keys = {{"text", "질문"}, {"label", "정답"}, {"choices", {"보기1", "보기2"}}};
  const std::string table = "질문,보기1,보기2,정답\n무엇?,가,나,1\n누구?,다,라,0\n";
  json from_0 = keys, from_1 = keys;
  from_0["first_choice"] = 0, from_1["first_choice"] = 1;
  const auto read = examples_of("a.csv", table, from_0);
  CHECK(read[0].choices == Texts{"가", "나"});
  CHECK(read[0].label == "2");
  CHECK(read[1].label == "1");
  CHECK(refused_rows("a.csv", table, from_1) ==
        "a.csv:3: found the answer \"0\", expected a number from 1 to 2 (first_choice)");
  CHECK_THAT(refused_rows("a.csv", "질문,보기1,보기2,정답\n무엇?,가,나,B\n", from_1),
             Contains("found the answer \"B\", expected a number from 1 to 2"));
  CHECK_THAT(refused_rows("a.csv", table, keys),
             Contains("found choices without \"first_choice\""));
  json listed = {{"text", "q"}, {"choices", "choices"}, {"label", "answer"}, {"first_choice", 0}};
  CHECK(examples_of(
            "a.jsonl",
            "{\"q\": \"무엇?\", \"choices\": [\"가\", \"나\"], \"answer\": 1}\n{\"q\": \"누구?\", "
            "\"choices\": [\"가\", \"나\"], \"answer\": 0}\n",
            listed)[0]
            .label == "2");
  CHECK_THAT(
      refused_rows(
          "a.jsonl",
          "{\"q\": \"무엇?\", \"choices\": [\"가\", \"나\"], \"answer\": 1}\n{\"q\": \"누구?\", "
          "\"choices\": [\"가\"], \"answer\": 0}\n",
          listed),
      Contains("a.jsonl:2: found 1 choice, expected 2, as in the first row"));
}

TEST_CASE("splits without a file are held out by group, the same each time, and no label is lost") {
  const Scratch scratch;
  std::string text = "text,label,group\n";
  for (int i = 0; i < 300; ++i)
    text += "글 " + std::to_string(i) + "," +
            (i == 7       ? "드문"
             : i % 2 == 0 ? "가"
                          : "나") +
            ",묶음" + std::to_string(i / 3) + "\n";
  write_bytes(scratch / "a.csv", text);
  const LabelledSplits splits = load({{"train", scratch / "a.csv"}});
  CHECK(splits.train.size() == 240);
  CHECK(splits.dev.size() == 30);
  CHECK(splits.test.size() == 30);
  CHECK(std::ranges::count(splits.train, "드문", &LabelledExample::label) == 1);
  const auto groups = [](const std::vector<LabelledExample>& split) {
    std::set<int> out;
    for (const LabelledExample& one : split) out.insert((std::stoi(one.id.substr(6)) - 1) / 3);
    return out;
  };
  for (const int group : groups(splits.test)) CHECK_FALSE(groups(splits.train).contains(group));
  const LabelledSplits more = load({{"train", scratch / "a.csv"}, {"held_out", 30}});
  CHECK(more.test.size() == 90);
  const LabelledSplits again = load({{"train", scratch / "a.csv"}});
  CHECK(
      std::ranges::equal(again.test, splits.test, {}, &LabelledExample::id, &LabelledExample::id));
}

TEST_CASE("numbers need not all stand in training") {
  const Scratch scratch;
  std::string text = "text,label\n";
  for (int i = 0; i < 100; ++i) text += "글 " + std::to_string(i) + "," + std::to_string(i) + "\n";
  write_bytes(scratch / "a.csv", text);
  CHECK(load({{"train", scratch / "a.csv"}}, LabelUse::numbers).test.size() == 10);
  CHECK_THROWS_WITH(load({{"train", scratch / "a.csv"}}), Contains("none is left for dev"));
}

TEST_CASE("one label in every row is refused, and texts in two splits are told") {
  CHECK_THAT(refused_rows("a.csv", "text,label\n하나,가\n둘,가\n"),
             Contains("found the label \"가\" in every row"));
  const Scratch scratch;
  write_bytes(scratch / "a.csv", "text,label\n하나,가\n둘,나\n");
  write_bytes(scratch / "b.csv", "text,label\n하나,가\n셋,나\n");
  Texts told;
  load({{"train", scratch / "a.csv"}, {"dev", scratch / "b.csv"}, {"test", scratch / "b.csv"}},
       LabelUse::names, &told);
  CHECK(std::ranges::count(told, "note: 1 of the 2 texts of dev stands in training, too") == 1);
  const auto has_labels = [](const std::string& line) {
    return contains(line, "different labels");
  };
  CHECK(std::ranges::none_of(told, has_labels));
  write_bytes(scratch / "b.csv", "text,label\n하나,나\n셋,나\n하나,가\n");
  load({{"train", scratch / "a.csv"}, {"dev", scratch / "b.csv"}, {"test", scratch / "b.csv"}},
       LabelUse::names, &told);
  CHECK(std::ranges::count(told,
                           "note: 1 text has different labels in different rows (the first is " +
                               scratch / "b.csv" + ":2)") == 1);
}

TEST_CASE(
    "keys of data are read back as they are written, and those that are gone say what to write") {
  const json keys = {{"train", "a.csv"},
                     {"dev", {"b.csv", "c.csv"}},
                     {"text", {"제목", "본문"}},
                     {"pair", "둘"},
                     {"choices", {"가", "나"}},
                     {"first_choice", 0},
                     {"label", "정답"},
                     {"group", "묶음"},
                     {"separator", "tab"},
                     {"labels", {{"0", "아니요"}}},
                     {"held_out", 20}};
  CHECK(to_json(source_of(keys)) == keys);
  const auto gone = [](const char* key, const json& value) {
    try {
      source_of({{"train", "a.csv"}, {key, value}});
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::usage);
      return std::string(error.what());
    }
    return std::string("no error");
  };
  for (const auto& [key, told] :
       {std::pair("header", "is gone: each file has one header row"),
        std::pair("id", "is gone: examples are called by their split and row"),
        std::pair("answer", "is gone: questions are read from SQuAD's JSON"),
        std::pair("lable", "unknown key, did you mean \"label\"?"),
        std::pair("label_separator", "list, comma"), std::pair("separator", "auto, comma")})
    CHECK_THAT(gone(key, "x"), Contains(key) && Contains(told));
  CHECK_THAT(gone("first_choice", 2), Contains("first_choice"));
}

}  // namespace minibert
