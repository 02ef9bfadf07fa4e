// One's own labelled files: columns, labels, splits, and what is told of them.
#include "data/own/own_labelled.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <map>
#include <set>

#include "core/text.h"
#include "data/own/columns.h"
#include "data/own/form.h"
#include "data/own/survey.h"
#include "data/tables/read_table.h"
#include "files.h"

namespace minibert {
namespace {

using Catch::Matchers::Contains;
using testing::mistake;
using testing::Scratch;
using testing::source_of;
using testing::write_bytes;

struct Told {
  std::vector<std::string> lines;
  Say say() {
    return [this](const std::string& line) { lines.push_back(line); };
  }
  bool has(const std::string& part) const { return testing::has_part(lines, part); }
};

std::string reviews(int rows) {
  std::string text = "번호,문장,라벨\n";
  for (int i = 0; i < rows; ++i)
    text += std::to_string(i) + ",문장 " + std::to_string(i) + "," +
            (i % 3 == 0 ? "긍정" : "부정") + "\n";
  return text;
}

std::set<std::string> texts_of(const std::vector<LabelledExample>& split) {
  std::set<std::string> out;
  for (const LabelledExample& one : split) out.insert(one.text);
  return out;
}

}  // namespace

TEST_CASE("one file is split by the hash of its texts, the same every time") {
  const Scratch scratch;
  write_bytes(scratch / "own.csv", reviews(200));
  Told told;
  const LabelledSplits splits = load_own_labelled(source_of(scratch / "own.csv"), told.say());
  CHECK(splits.train.size() == 160);
  CHECK(splits.dev.size() == 20);
  CHECK(splits.test.size() == 20);
  CHECK(told.has("CSV in UTF-8, with a header, 200 rows"));
  CHECK(told.has("text \"문장\", label \"라벨\""));
  const LabelledSplits again = load_own_labelled(source_of(scratch / "own.csv"), told.say());
  CHECK(texts_of(splits.test) == texts_of(again.test));
  CHECK_THAT(splits.test[0].where, Contains("own.csv:"));
}

TEST_CASE("a dev or test file that is given is taken, and only the other held out") {
  const Scratch scratch;
  write_bytes(scratch / "own.csv", reviews(100));
  write_bytes(scratch / "test.csv", reviews(3));
  OwnSource source = source_of(scratch / "own.csv");
  source.test = {scratch / "test.csv"};
  Told told;
  const LabelledSplits splits = load_own_labelled(source, told.say());
  CHECK(splits.train.size() == 90);
  CHECK(splits.dev.size() == 10);
  CHECK(splits.test.size() == 3);
  CHECK(told.has("of the 3 texts of test stand in training, too"));
}

TEST_CASE("numbers with grouped digits are one label each, and marked parts of texts are none") {
  const Scratch scratch;
  std::string prices = "설명,가격\n", spans;
  for (int i = 0; i < 60; ++i) {
    const std::string n = std::to_string(i);
    prices += "아파트 " + n + ",\"" + std::to_string(1 + i % 3) + ",200,000원\"\n";
    spans += R"({"text": "서울에 )" + n +
             R"(번 갔다.", "label": [[0, 2, "LC"]]})"
             "\n";
  }
  write_bytes(scratch / "prices.csv", prices);
  Told told;
  const LabelledSplits splits = load_own_labelled(source_of(scratch / "prices.csv"), told.say());
  std::set<std::string> labels;
  for (const LabelledExample& one : splits.train) labels.insert(one.label);
  CHECK(labels == std::set<std::string>{"1,200,000원", "2,200,000원", "3,200,000원"});
  write_bytes(scratch / "spans.jsonl", spans);
  CHECK_THAT(
      mistake(scratch, [&] { load_own_labelled(source_of(scratch / "spans.jsonl"), told.say()); }),
      Contains("spans.jsonl:1: found marked parts of a text as the label"));
}

TEST_CASE("rows of one group stay in one split") {
  const Scratch scratch;
  std::string text = "text\tlabel\tgroup\n";
  for (int i = 0; i < 300; ++i)
    text += "말 " + std::to_string(i) + "\t" + std::to_string(i % 2) + "\tg" +
            std::to_string(i / 10) + "\n";
  write_bytes(scratch / "own.tsv", text);
  const LabelledSplits splits = load_own_labelled(source_of(scratch / "own.tsv"), Told().say());
  std::map<std::string, int> split_of;
  int index = 0;
  for (const auto* split : {&splits.train, &splits.dev, &splits.test}) {
    ++index;
    CHECK(split->size() % 10 == 0);
    for (const LabelledExample& one : *split) {
      const std::string group =
          std::to_string(std::stoi(one.text.substr(one.text.find(' ') + 1)) / 10);
      CHECK(split_of.try_emplace(group, index).first->second == index);
    }
  }
}

TEST_CASE("a label that few texts have stays in training") {
  const Scratch scratch;
  std::string text = "text,label\n";
  for (int i = 0; i < 40; ++i)
    text +=
        "말 " + std::to_string(i) + "," + (i < 20 ? "rare" + std::to_string(i) : "often") + "\n";
  write_bytes(scratch / "own.csv", text);
  const LabelledSplits splits = load_own_labelled(source_of(scratch / "own.csv"), Told().say());
  std::set<std::string> labels;
  for (const LabelledExample& one : splits.train) labels.insert(one.label);
  CHECK(labels.size() == 21);
}

TEST_CASE("scores that hardly ever come again are held out like others; such labels are refused") {
  const Scratch scratch;
  const auto written = [&](const std::function<std::string(int)>& score, int rows) {
    std::string text = "감상문,점수\n";
    for (int i = 0; i < rows; ++i) text += "감상 " + std::to_string(i) + "," + score(i) + "\n";
    write_bytes(scratch / "own.csv", text);
    return source_of(scratch / "own.csv");
  };
  const auto of_100 = [](int i) { return std::to_string(i * 37 % 101); };
  for (const auto& score : std::vector<std::function<std::string(int)>>{
           of_100, [](int i) { return std::to_string(i * 7919 % 100003) + ".125"; }}) {
    const LabelledSplits splits = load_own_labelled(written(score, 200), Told().say());
    CHECK(splits.train.size() == 160);
    CHECK(splits.dev.size() == 20);
    CHECK(splits.test.size() == 20);
  }
  // Classes that are called by numbers come again, and each is learnt.
  const LabelledSplits classes = load_own_labelled(
      written([](int i) { return std::to_string(i < 500 ? i % 25 : 100 + i % 10); }, 510),
      Told().say());
  std::set<std::string> labels;
  for (const LabelledExample& one : classes.train) labels.insert(one.label);
  CHECK(labels.size() == 35);
  CHECK_THAT(mistake(scratch,
                     [&] {
                       load_own_labelled(written([](int i) { return std::to_string(i) + "%"; }, 60),
                                         Told().say());
                     }),
             Contains("own.csv: found 60 different labels in 60 rows (\"0%\", …), expected labels "
                      "that come again, or plain numbers"));
}

TEST_CASE("empty cells and wide spaces: rows without a text or a label are left out and told") {
  const Scratch scratch;
  std::string text = "text,label\n　,1\n가,　\n";
  for (int i = 0; i < 30; ++i)
    text += "　말 " + std::to_string(i) + "\xc2\xa0, " + std::to_string(i % 2) + " \n";
  write_bytes(scratch / "own.csv", text);
  Told told;
  const LabelledSplits splits = load_own_labelled(source_of(scratch / "own.csv"), told.say());
  CHECK(splits.train.size() + splits.dev.size() + splits.test.size() == 30);
  CHECK(splits.train[0].text.starts_with("말 "));
  CHECK(splits.train[0].label.size() == 1);
  CHECK(told.has("2 rows have an empty text or label: left out (the first is "));
}

TEST_CASE("columns are guessed only where they can be nothing else") {
  const Scratch scratch;
  const auto columns = [&](const std::string& text) {
    write_bytes(scratch / "own.csv", text);
    return described(find_columns(read_table(scratch / "own.csv"), {}));
  };
  CHECK(columns("sentence1,sentence2,label\n가,나,1\n다,라,0\n") ==
        "text \"sentence1\", pair \"sentence2\", label \"label\"");
  CHECK(columns("Text,Label\n가,1\n다,0\n") == "text \"Text\", label \"Label\"");
  CHECK(columns("학생의 말,느낌\n가 나,a\n다 라,b\n마 바,a\n사 아,b\n") ==
        "text \"학생의 말\", label \"느낌\"");
  write_bytes(scratch / "own.csv", "말,글씨,느낌\n가,나,a\n다,라,b\n마,바,a\n사,아,b\n");
  CHECK(mistake(scratch, [&] { find_columns(read_table(scratch / "own.csv"), {}); }) ==
        "own.csv: found the columns 말, 글씨 that could be the text among 말, 글씨, 느낌, expected "
        "the key \"text\" to name one (of a command: --column text=NAME, and pair=NAME for a "
        "second text)");
}

TEST_CASE("where several columns could be the label, the text or the group, it is told or asked") {
  const Scratch scratch;
  Told told;
  const auto columns = [&](const std::string& header, const std::function<std::string(int)>& row) {
    std::string text = header + "\n";
    for (int i = 0; i < 60; ++i) text += row(i) + "\n";
    write_bytes(scratch / "own.csv", text);
    const DataTable table = read_table(scratch / "own.csv");
    const OwnColumns found = find_columns(table, {});
    told.lines = doubts(table, {}, found);
    return described(found);
  };
  const auto text = [](int i) { return "문장 번호 " + std::to_string(i); };
  const auto feeling = [](int i) { return std::string(i % 2 == 0 ? "긍정" : "부정"); };
  CHECK(columns("제목,내용,평점,감정", [&](int i) {
          return "제목 " + std::to_string(i) + "," + text(i) + "," + std::to_string(i % 5) + "," +
                 feeling(i);
        }) == "text \"내용\", label \"평점\"");
  CHECK(told.lines == std::vector<std::string>{"note: \"평점\" is taken for the label by its name; "
                                               "감정 could be it, too (--column label=감정)"});
  columns("class,글,종류",
          [&](int i) { return std::to_string(i % 3) + "반," + text(i) + "," + feeling(i); });
  CHECK(told.has("\"class\" is taken for the label by its name; 종류 could be it, too"));
  columns("text,혐오,욕설,평점", [&](int i) {
    return text(i) + "," + std::to_string(i % 2) + "," + std::to_string(i / 2 % 2) + "," +
           std::to_string(i % 5);
  });
  CHECK(told.has("혐오, 욕설 could be it, too"));
  columns("review,comment,label",
          [&](int i) { return text(i) + "," + text(i) + " 끝," + feeling(i); });
  CHECK(told.has("\"review\" is taken for the text by its name; comment could be it, too"));
  // A label that is called so is meant, whatever else has few values.
  columns("text,year,label",
          [&](int i) { return text(i) + ",20" + std::to_string(20 + i % 3) + "," + feeling(i); });
  CHECK(told.lines.empty());
  columns("text,점수,라벨",
          [&](int i) { return text(i) + "," + std::to_string(i % 5) + "," + feeling(i); });
  CHECK(told.has("\"라벨\" is taken for the label by its name; 점수 could be it, too"));

  const auto news = [&](int i) {
    return "제목 " + std::to_string(i) + ",기사의 긴 글 " + std::to_string(i) + "," + feeling(i);
  };
  CHECK_THAT(mistake(scratch, [&] { columns("제목,기사,분야", news); }),
             Contains("found the columns 제목, 기사 that could be the text"));
  CHECK(columns("제목,링크,분야", [&](int i) {
          return "제목 " + std::to_string(i) + ",https://example.org/" + std::to_string(i) + "," +
                 feeling(i);
        }) == "text \"제목\", label \"분야\"");

  // Two groups cannot be held out.
  const auto group = [&](int groups) {
    return columns("text,group,label", [&](int i) {
      return text(i) + ",반 " + std::to_string(i % groups) + "," + feeling(i);
    });
  };
  CHECK(group(2) == "text \"text\", label \"label\"");
  CHECK(told.has("\"group\" has too few different values to keep them together (2)"));
  CHECK(group(20) == "text \"text\", label \"label\", group \"group\"");
  CHECK(told.lines.empty());
  OwnSource named = source_of(scratch / "own.csv");
  group(2);
  named.columns.group = "group";
  CHECK_THAT(mistake(scratch, [&] { load_own_labelled(named, Told().say()); }),
             Contains("of which none is left for dev (what has the same group stays together)"));
}

TEST_CASE("a file whose columns are called otherwise than the first one's is told with both") {
  const Scratch scratch;
  write_bytes(scratch / "train.csv", "말,느낌\n가 나,a\n다 라,b\n마 바,a\n사 아,b\n");
  write_bytes(scratch / "test.csv", "소감,느낌\n가 나,a\n다 라,b\n");
  OwnSource source = source_of(scratch / "train.csv");
  source.test = {scratch / "test.csv"};
  CHECK_THAT(
      mistake(scratch, [&] { load_own_labelled(source, Told().say()); }),
      Contains("test.csv: found the columns 소감, 느낌, expected one named \"말\", as in ") &&
          Catch::EndsWith("train.csv: call the columns alike in all files"));
}

TEST_CASE("labels get names, and one that is not listed is told with its line") {
  const Scratch scratch;
  std::string text = "text,label\n";
  for (int i = 0; i < 30; ++i)
    text += "말 " + std::to_string(i) + "," + std::to_string(i % 2) + "\n";
  write_bytes(scratch / "own.csv", text);
  OwnSource source = source_of(scratch / "own.csv");
  source.labels = {{"0", "부정"}, {"1", "긍정"}};
  CHECK(load_own_labelled(source, Told().say()).train[0].label.size() ==
        std::string("부정").size());
  source.labels.pop_back();
  CHECK(mistake(scratch, [&] { load_own_labelled(source, Told().say()); }) ==
        "own.csv:3: found the label \"1\", expected one of: 0");
}

TEST_CASE("exports of annotation tools: nested keys, lists of one, ids and names of annotators") {
  const Scratch scratch;
  const auto first_of = [&](const std::function<std::string(int)>& row) {
    std::string text;
    for (int i = 0; i < 60; ++i) text += row(i) + "\n";
    write_bytes(scratch / "t.jsonl", text);
    OwnSource source;
    source.test = {scratch / "t.jsonl"};
    const LabelledExample example = load_own_labelled(source, [](const std::string&) {}).test.at(0);
    return example.text + "/" + example.label;
  };
  const auto text = [](int i) { return "\"글 " + std::to_string(i) + "\""; };
  const auto label = [](int i) { return i % 2 == 0 ? "\"좋음\"" : "\"나쁨\""; };
  CHECK(first_of([&](int i) {  // Label Studio
          return "{\"id\": " + std::to_string(i) +
                 ", \"annotations\": [{\"completed_by\": 1, \"result\": [" +
                 "{\"id\": \"x\", \"type\": \"choices\", \"value\": {\"choices\": [" + label(i) +
                 "]}}]}], \"data\": {\"text\": " + text(i) + "}}";
        }) == "글 0/좋음");
  CHECK(first_of([&](int i) {  // doccano
          return "{\"id\": " + std::to_string(i) + ", \"text\": " + text(i) + ", \"label\": [" +
                 label(i) + "]}";
        }) == "글 0/좋음");
  CHECK(first_of([&](int i) {
          return "{\"id\": \"doc-" + std::to_string(i) + "\", \"data\": {\"text\": " + text(i) +
                 ", \"meta\": {\"source\": \"x\"}}, \"annotation\": {\"annotator\": \"" +
                 std::string(i % 3 == 0 ? "kim" : "lee") + "\", \"label\": " + label(i) + "}}";
        }) == "글 0/좋음");
}

TEST_CASE("a teacher's spreadsheet needs no names of columns") {
  std::string text = "번호,학생,감상,평가\n";
  for (int i = 0; i < 60; ++i)
    text += std::to_string(i) + ",학생" + std::to_string(i % 9) + ",글 " + std::to_string(i) + "," +
            (i % 2 == 0 ? "좋음" : "나쁨") + "\n";
  const Scratch scratch;
  write_bytes(scratch / "t.csv", text);
  OwnSource source;
  source.test = {scratch / "t.csv"};
  CHECK(load_own_labelled(source, [](const std::string&) {}).test.at(0).label == "좋음");
}

TEST_CASE("several labels in a cell are refused, a comma in the name of one is none") {
  const Scratch scratch;
  const auto labels = [&](const std::vector<std::string>& of_rows) {
    std::string text = "text\tlabel\n";
    for (int i = 0; i < 60; ++i)
      text += "문장 " + std::to_string(i) + "\t" + of_rows[i % of_rows.size()] + "\n";
    write_bytes(scratch / "t.tsv", text);
    OwnSource source;
    source.train = {scratch / "t.tsv"};
    return load_own_labelled(source, [](const std::string&) {}).train.size();
  };
  CHECK(labels({"정치", "IT,과학", "생활,문화"}) > 30);
  for (const auto& several :
       {std::vector<std::string>{"기쁨", "슬픔", "기쁨,슬픔", "화남,슬픔", "화남"},
        {"1;2", "2", "1", "1;3", "3", "2;3"},
        {"[1, 2]", "[2, 3]", "[1, 3]", "[1, 2, 3]", "[2]", "[3]", "[1]"}})
    CHECK_THROWS_WITH(labels(several),
                      Catch::Contains("in one cell, expected one label a text; "
                                      "several are learnt by the task multilabel"));
}

TEST_CASE("several labels a text: separators, lists of JSON and of Python, columns of yes and no") {
  const Scratch scratch;
  struct Form {
    const char* name;
    const char* header;
    std::vector<const char*> rows;  // of 기쁨; of 기쁨 and 슬픔; of 화남
    const char* found;              // in what is told
  };
  const Form forms[] = {
      {"comma.tsv", "text\tlabel", {"%\t기쁨", "%\t기쁨, 슬픔", "%\t슬픔,화남"}, "comma"},
      {"form.csv", "text,label", {"%,기쁨;", "%,기쁨;슬픔;", "%,슬픔;화남;"}, "semicolon"},
      {"bar.csv", "text,label", {"%,기쁨", "%,기쁨|슬픔", "%,슬픔|화남"}, "bar"},
      {"json.tsv", "text\tlabels", {"%\t[\"기쁨\"]", "%\t[\"기쁨\", \"슬픔\"]", "%\t[]"}, "list"},
      {"python.tsv",
       "text\tlabels",
       {"%\t['기쁨']", "%\t['기쁨', '슬픔']", "%\t['슬픔', \"화남\"]"},
       "list"},
      {"flags.csv",
       "문장,기쁨,슬픔,화남",
       {"%,1,0,0", "%,1,1,", "%,0,1.0,TRUE"},
       "3 columns of yes and no"},
  };
  for (const Form& form : forms) {
    CAPTURE(form.name);
    std::string text = std::string(form.header) + "\n";
    for (int i = 0; i < 90; ++i) {
      std::string row = form.rows[static_cast<size_t>(i) % 3];
      text += row.replace(row.find('%'), 1, "문장 " + std::to_string(i) + "번") + "\n";
    }
    write_bytes(scratch / form.name, text);
    OwnSource source;
    source.train = {scratch / form.name};
    Told told;
    const LabelledSplits splits = load_own_labelled(source, told.say(), true);
    std::set<std::string> sets;
    for (const auto* split : {&splits.train, &splits.dev, &splits.test})
      for (const LabelledExample& one : *split) sets.insert(one.label);
    const bool none = std::string(form.name) == "json.tsv";
    CHECK(sets == std::set<std::string>{"기쁨", "기쁨|슬픔", none ? "" : "슬픔|화남"});
    CHECK(told.has(form.found));
  }
  CHECK_THROWS_WITH(load_own_labelled(source_of(scratch / "flags.csv"), Told().say()),
                    Contains("found the labels' columns 기쁨, 슬픔, 화남, expected one label"));
  write_bytes(scratch / "wrong.csv", "text,가,나\n글 하나,1,0\n글 둘,2,0\n");
  OwnSource wrong = source_of(scratch / "wrong.csv");
  wrong.columns.flags = {"가", "나"};
  CHECK_THAT(mistake(scratch, [&] { load_own_labelled(wrong, Told().say(), true); }),
             Contains("wrong.csv:3: column 가: found \"2\", expected 0 or 1"));
  write_bytes(scratch / "wrong.tsv", "text\tlabel\n글 하나\t[\"가\"\n");
  wrong = source_of(scratch / "wrong.tsv");
  wrong.label_separator = "list";
  CHECK_THAT(mistake(scratch, [&] { load_own_labelled(wrong, Told().say(), true); }),
             Contains("wrong.tsv:2: found \"[\"가\"\", expected a list"));
  wrong.label_separator = "comma";
  write_bytes(scratch / "wrong.tsv", "text\tlabel\n글 하나\t가,,나\n");
  CHECK_THAT(mistake(scratch, [&] { load_own_labelled(wrong, Told().say(), true); }),
             Contains("found the labels \"가,,나\", expected labels that are not empty"));
}

TEST_CASE("questions with alternatives: columns or lists, answers by number, letter or text") {
  const Scratch scratch;
  struct Form {
    const char* name;
    const char* header;
    std::vector<const char*> rows;  // the first alternative is right, then the last
    const char* text;
    const char* right;  // of the second row
  };
  const Form forms[] = {
      {"copa.tsv",
       "ID\tsentence\tquestion\t1\t2\tAnswer",
       {"#\t비가 왔다 #\t결과\t길이 젖었다\t길이 말랐다\t1",
        "#\t해가 났다 #\t결과\t길이 젖었다\t길이 말랐다\t2"},
       "비가 왔다 0 결과",
       "2"},
      {"from_0.csv",
       "context,choice1,choice2,choice3,label",
       {"비가 왔다 #,젖었다,말랐다,탔다,0", "불이 났다 #,젖었다,말랐다,탔다,2"},
       "비가 왔다 0",
       "3"},
      {"letters.csv",
       "question,A,B,C,D,answer",
       {"수도는? #,서울,부산,대구,광주,A", "항구는? #,서울,전주,대구,부산,D"},
       "수도는? 0",
       "4"},
      {"circled.csv",
       "문제,보기1,보기2,보기3,정답",
       {"수도는? #,서울,부산,대구,①", "항구는? #,전주,대구,부산,③"},
       "수도는? 0",
       "3"},
      {"counted.csv",
       "문제,보기1,보기2,보기3,정답",
       {"수도는? #,서울,부산,대구,1번", "항구는? #,전주,대구,부산,3번"},
       "수도는? 0",
       "3"},
      {"lists.jsonl",
       "",
       {R"({"question": "수도는? #", "choices": ["서울", "부산"], "answer": "서울"})",
        R"({"question": "항구는? #", "choices": ["서울", "부산"], "answer": "부산"})"},
       "수도는? 0",
       "2"},
  };
  for (const Form& form : forms) {
    CAPTURE(form.name);
    std::string text = *form.header ? std::string(form.header) + "\n" : "";
    for (int i = 0; i < 60; ++i) {
      std::string row = form.rows[static_cast<size_t>(i) % 2];
      for (size_t at; (at = row.find('#')) != std::string::npos;)
        row.replace(at, 1, std::to_string(i));
      text += row + "\n";
    }
    write_bytes(scratch / form.name, text);
    OwnSource source;
    source.test = {scratch / form.name};
    CHECK(form_of(source) == OwnForm::labelled);
    const std::vector<LabelledExample> found = load_own_labelled(source, Told().say()).test;
    REQUIRE(found.size() == 60);
    CHECK(found[0].text == form.text);
    CHECK(found[0].label == "1");
    CHECK(found[1].label == form.right);
    CHECK(found[0].choices.size() >= 2);
  }
  write_bytes(scratch / "wrong.csv",
              "question,choice1,choice2,answer\n무엇?,가,나,1\n무엇?,가,나,다\n");
  OwnSource wrong;
  wrong.test = {scratch / "wrong.csv"};
  CHECK_THAT(mistake(scratch, [&] { load_own_labelled(wrong, Told().say()); }),
             Contains("wrong.csv:3: found the answer \"다\", expected 1 to 2 (also ②, (2), 2번, B) "
                      "or the text of an alternative, one alone"));
  write_bytes(scratch / "wrong.jsonl",
              "{\"question\": \"무엇?\", \"choices\": [\"가\", \"나\"], \"answer\": 1}\n"
              "{\"question\": \"무엇?\", \"choices\": [\"가\", \"나\", \"다\"], \"answer\": 2}\n");
  wrong.test = {scratch / "wrong.jsonl"};
  Told told;
  CHECK(load_own_labelled(wrong, told.say()).test.size() == 1);
  CHECK(told.has("1 row has not the 2 alternatives that most have: left out (the first is "));
  CHECK(told.has("wrong.jsonl:2: 3 of them)"));
}

TEST_CASE("answers that are a place and a text of an alternative alike are a question") {
  const Scratch scratch;
  const auto sums = [](bool places) {
    std::string text = "question,choice1,choice2,choice3,choice4,answer\n";
    for (int i = 0; i < 40; ++i) {
      const auto choice = [&](int at) { return std::to_string((i + at) % 4 + (places ? 3 : 1)); };
      text += "더하기 " + std::to_string(i) + "," + choice(0) + "," + choice(1) + "," + choice(2) +
              "," + choice(3) + "," + std::to_string(i * 7 % 4 + 1) + "\n";
    }
    return text;
  };
  OwnSource source;
  source.test = {scratch / "sums.csv"};
  write_bytes(scratch / "sums.csv", sums(false));
  CHECK_THAT(mistake(scratch, [&] { load_own_labelled(source, Told().say()); }),
             Contains("sums.csv: found answers that are alternatives' numbers or letters and each "
                      "also the text of one"));
  OwnSource places = source;
  places.labels = {{"1", "1"}, {"2", "2"}, {"3", "3"}, {"4", "4"}};
  CHECK(load_own_labelled(places, Told().say()).test.at(1).label == "4");
  // Alternatives 3 to 6: an answer 1 is no text of one.
  write_bytes(scratch / "sums.csv", sums(true));
  CHECK(load_own_labelled(source, Told().say()).test.at(1).label == "4");
}

TEST_CASE("what two people judge is no alternatives, and neither are columns without a name") {
  const Scratch scratch;
  for (const char* header : {"문장,A,B,라벨", "문장,1,2,라벨", "라벨,문장,A,B"}) {
    CAPTURE(header);
    std::string text = std::string(header) + "\n";
    for (int i = 0; i < 60; ++i) {
      const std::string one = i % 2 == 0 ? "긍정" : "부정", other = i % 3 == 0 ? "긍정" : "부정",
                        review = "문장 " + std::to_string(i);
      text += std::string(header).starts_with("라벨")
                  ? one + "," + review + "," + one + "," + other + "\n"
                  : review + "," + one + "," + other + "," + one + "\n";
    }
    write_bytes(scratch / "own.csv", text);
    const LabelledSplits splits = load_own_labelled(source_of(scratch / "own.csv"), Told().say());
    CHECK(splits.train.at(0).choices.empty());
    CHECK((splits.train[0].label == "긍정" || splits.train[0].label == "부정"));
  }
  // pandas writes two levels of an index under no names.
  std::string text = ",,document,label\n";
  for (int i = 0; i < 60; ++i)
    text += "그룹 " + std::to_string(i % 7) + "," + std::to_string(i) + ",문장 " +
            std::to_string(i) + "," + std::to_string(i % 2) + "\n";
  write_bytes(scratch / "own.csv", text);
  CHECK(load_own_labelled(source_of(scratch / "own.csv"), Told().say()).train[0].choices.empty());
  // Of columns that are called alternatives, equal ones are told.
  write_bytes(scratch / "equal.csv",
              "문제,보기1,보기2,정답\n무엇?,가,나,1\n누구?,다,다,2\n언제?,가,가,1\n");
  OwnSource equal;
  equal.test = {scratch / "equal.csv"};
  Told told;
  CHECK(load_own_labelled(equal, told.say()).test.size() == 3);
  CHECK(told.has("2 rows have two equal alternatives, of which one is right (the first is "));
  CHECK(told.has("equal.csv:3)"));
}

TEST_CASE("too few rows are an error before anything is trained") {
  const Scratch scratch;
  write_bytes(scratch / "own.csv", "text,label\n가,1\n나,0\n다,1\n");
  CHECK_THAT(
      mistake(scratch, [&] { load_own_labelled(source_of(scratch / "own.csv"), Told().say()); }),
      Contains("found too few rows, of which none is left for test (what is equal stays "
               "together); expected more, or a file"));
}

TEST_CASE("one of anything is told in the singular") {
  CHECK(count_of(0, "row", "rows") == "0 rows");
  CHECK(count_of(1, "row", "rows") == "1 row");
  CHECK(count_of(12, "row is", "rows are") == "12 rows are");
  const Scratch scratch;
  write_bytes(scratch / "one.csv", "text,label\n가,1\n,0\n");
  write_bytes(scratch / "alone.csv", "text,label\n가,1\n");
  OwnSource source;
  source.test = {scratch / "one.csv"};
  Told told;
  load_own_labelled(source, told.say());
  CHECK(told.has("1 row has an empty text or label: left out"));
  CHECK(described(read_table(scratch / "alone.csv")).ends_with("with a header, 1 row"));
  Survey survey;
  survey.examples = {{"train", 1}, {"dev", 1}, {"test", 1}};
  survey.median_length = survey.long_length = 1;
  survey.repeated = survey.contradictory = 1;
  told.lines = lines_of(survey);
  CHECK(told.has("half have at most 1 character, 99 % at most 1"));
  CHECK(told.has("1 text stands more than once, with different labels"));
}

TEST_CASE("the form of a file is told from what is in it") {
  const Scratch scratch;
  const auto form = [&](const std::string& name, const std::string& text) {
    write_bytes(scratch / name, text);
    return form_of(source_of(scratch / name));
  };
  CHECK(form("a.csv", "text,label\n가,1\n") == OwnForm::labelled);
  CHECK(form("b.csv", "question,context,answer\n누구?,나다,나\n") == OwnForm::questions);
  CHECK(form("c.json", R"({"data": [{"title": "", "paragraphs": []}]})") == OwnForm::questions);
  CHECK(form("d.tsv", "박\tB-PS\n씨\tO\n\n서\tB-LC\n") == OwnForm::tagged);
  CHECK(form("e.txt", "박씨가 B-PS\n왔다 O\n\n") == OwnForm::tagged);
  CHECK(form("f.jsonl", R"({"tokens": ["박", "씨"], "ner_tags": ["B-PS", "O"]})") ==
        OwnForm::tagged);
}

}  // namespace minibert
