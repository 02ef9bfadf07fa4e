// Files as people brought them: what could be read without a question is read, what was lost is told, and
// what cannot be read is named for what it is.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>

#include "core/error.h"
#include "data/corpus.h"
#include "data/own/own_labelled.h"
#include "data/own/survey.h"
#include "data/tables/read_table.h"
#include "data/tables/write_table.h"
#include "files.h"

namespace minibert {
namespace {

using Catch::Matchers::Contains;
using testing::mistake;
using testing::Scratch;
using testing::source_of;
using testing::write_bytes;
using Cells = std::vector<std::string>;

struct Read {
  LabelledSplits splits;
  Cells told;
  bool has(const std::string& part) const { return testing::has_part(told, part); }
  size_t size() const { return splits.train.size() + splits.dev.size() + splits.test.size(); }
  Cells labels() const {
    Cells out;
    for (const auto* split : {&splits.train, &splits.dev, &splits.test})
      for (const LabelledExample& one : *split)
        if (std::ranges::find(out, one.label) == out.end()) out.push_back(one.label);
    std::ranges::sort(out);
    return out;
  }
};

Read read(const Scratch& scratch, const std::string& name, const std::string& bytes,
          const OwnSource& how = {}) {
  write_bytes(scratch / name, bytes);
  OwnSource source = how;
  source.train = {scratch / name};
  Read out;
  out.splits =
      load_own_labelled(source, [&](const std::string& line) { out.told.push_back(line); });
  return out;
}

std::string refused(const Scratch& scratch, const std::string& name, const std::string& bytes) {
  return mistake(scratch, [&] { read(scratch, name, bytes); });
}

// Rows of two cells with `between` and a line end, fifty with the label `first` and fifty with `second`.
std::string rows(const std::string& between, const std::string& first = "긍정",
                 const std::string& second = "부정") {
  std::string out;
  for (int i = 0; i < 100; ++i)
    out += "글 " + std::to_string(i) + between + (i % 2 == 0 ? first : second) + "\n";
  return out;
}

}  // namespace

TEST_CASE("a first line that tells Excel how cells are separated is no row") {
  const Scratch scratch;
  const Read found = read(scratch, "a.csv", "\xef\xbb\xbfsep=;\r\n문장;라벨\r\n" + rows(";"));
  CHECK(found.size() == 100);
  CHECK(found.labels() == Cells{"긍정", "부정"});
  CHECK(found.has("with a header, 100 rows"));
  // Lines keep their numbers.
  CHECK_THAT(refused(scratch, "b.csv", "sep=;\n문장;라벨\n가;긍정\n나;부정;다\n"),
             Contains("b.csv:4: "));
}

TEST_CASE("a row whose label is NA is left out, counted and told, unless it is named as a label") {
  const Scratch scratch;
  const std::string text = "문장,라벨\n" + rows(",") + "가,NA\n나,#N/A\n다,nan\n라,없음\n마,\n";
  const Read found = read(scratch, "a.csv", text);
  CHECK(found.labels() == Cells{"긍정", "부정", "없음"});
  CHECK(found.size() == 101);
  CHECK(found.has(
      "3 rows have NA or the like for a text or label: left out (the first is \"NA\" in " +
      scratch / "a.csv" + ":102)"));
  CHECK(found.has("1 row has an empty text or label: left out"));
  OwnSource named;
  named.labels = {{"긍정", "긍정"}, {"부정", "부정"}, {"NA", "모름"},
                  {"#N/A", "모름"}, {"nan", "모름"},  {"없음", "없음"}};
  CHECK(read(scratch, "a.csv", text, named).labels() == Cells{"긍정", "모름", "부정", "없음"});
  // What "labels" does not name is left out with it as without, and so is a text.
  OwnSource some;
  some.labels = {{"긍정", "좋음"}, {"부정", "나쁨"}};
  const Read left =
      read(scratch, "b.csv", "문장,라벨\n" + rows(",") + "가,NA\nNaN,긍정\nnull,부정\n", some);
  CHECK(left.labels() == Cells{"나쁨", "좋음"});
  CHECK(left.size() == 100);
  CHECK(left.has("3 rows have NA or the like for a text or label: left out"));
}

TEST_CASE("scores with a decimal comma are numbers in a file with semicolons") {
  const Scratch scratch;
  write_bytes(scratch / "a.csv", "문장;평점\n" + rows(";", "3,5", "4"));
  const Survey found = survey(source_of(scratch / "a.csv"));
  CHECK(found.scores);
  CHECK_FALSE(found.several);
  CHECK(std::ranges::any_of(found.told, [](const auto& line) {
    return line.find("column \"평점\": commas are decimal points") != line.npos;
  }));
  // Between labels they stay what separates several.
  write_bytes(scratch / "b.csv", "문장;라벨\n" + rows(";", "1,2", "2,3") + "끝;1\n끝;2\n");
  CHECK(survey(source_of(scratch / "b.csv")).several);
}

TEST_CASE("tables as pandas writes them to JSON are rows") {
  const Scratch scratch;
  std::string texts, labels, list_of_texts, list_of_labels, by_row;
  for (int i = 0; i < 100; ++i) {
    const std::string comma = i == 0 ? "" : ",", number = std::to_string(i);
    const std::string text = "\"글 " + number + "\"", label = i % 2 == 0 ? "\"긍정\"" : "\"부정\"";
    texts += comma + "\"" + number + "\":" + text;
    labels += comma + "\"" + number + "\":" + label;
    list_of_texts += comma + text;
    list_of_labels += comma + label;
    by_row += comma + "\"" + number + "\":{\"text\":" + text + ",\"label\":" + label + "}";
  }
  for (const std::string& json :
       {"{\"text\":{" + texts + "},\"label\":{" + labels + "}}",
        "{\"text\":[" + list_of_texts + "],\"label\":[" + list_of_labels + "]}",
        "{" + by_row + "}"}) {
    const Read found = read(scratch, "a.json", json);
    CHECK(found.size() == 100);
    CHECK(found.labels() == Cells{"긍정", "부정"});
    // In the order of their numbers: 2 comes before 10.
    const auto tenth =
        std::ranges::find(found.splits.train, std::string("train-11"), &LabelledExample::id);
    if (tenth != found.splits.train.end()) CHECK(tenth->text == "글 10");
  }
  CHECK_THAT(
      refused(scratch, "b.json",
              R"({"train":[{"text":"가","label":"나"}],"test":[{"text":"다","label":"라"}]})"),
      Contains("b.json: found several lists of objects (test, train), expected one; each is made a "
               "file by: jq '.\"test\"'"));
  CHECK_THAT(refused(scratch, "c.json", R"({"text":["가"],"label":["나","다"]})"),
             Contains("c.json: found JSON without a list of objects"));
  CHECK_THAT(refused(scratch, "d.json", R"({"text":"가","label":"나"})"),
             Contains("d.json: found JSON without a list of objects"));
}

TEST_CASE("columns are found by the last word of their names, and ids and dates are no labels") {
  const Scratch scratch;
  std::string text = "guid,title,Sentiment Label,Date\n",
              review = "ID,Review Text,감정_라벨,memo text id\n";
  for (int i = 0; i < 100; ++i) {
    const std::string label = i % 2 == 0 ? "긍정" : "부정";
    text += "ynat-" + std::to_string(i) + ",제목 " + std::to_string(i) + "," + label +
            ",2024-01-0" + std::to_string(1 + i % 9) + "\n";
    review += std::to_string(i) + ",글 " + std::to_string(i) + "," + label + ",x" +
              std::to_string(i % 3) + "\n";
  }
  CHECK(read(scratch, "a.csv", text).has("text \"title\", label \"Sentiment Label\""));
  CHECK(read(scratch, "b.csv", review).has("text \"Review Text\", label \"감정_라벨\""));
  // Two such names are a question.
  CHECK_THAT(refused(scratch, "c.csv", "문장,가 라벨,나 라벨\n가,1,2\n나,2,1\n다,1,1\n라,2,2\n"),
             Contains("found the columns 가 라벨, 나 라벨 that could be the label"));
}

TEST_CASE("files that a system hides are no texts, in labelled folders and in corpora") {
  const Scratch scratch;
  std::filesystem::create_directories(scratch / "own/__MACOSX");
  for (const std::string label : {"긍정", "부정"}) {
    std::filesystem::create_directories(scratch / "own/" + label);
    for (int i = 0; i < 50; ++i)
      write_bytes(scratch / "own/" + label + "/" + std::to_string(i) + ".txt",
                  label + " " + std::to_string(i));
    write_bytes(scratch / "own/" + label + "/Thumbs.db", std::string("\xd0\xcf\x11\xe0\0\0", 6));
    write_bytes(scratch / "own/" + label + "/desktop.ini", "[.ShellClassInfo]");
    write_bytes(scratch / "own/" + label + "/.DS_Store", std::string("\0\0", 2));
    write_bytes(scratch / "own/__MACOSX/" + label + ".txt", "남은 것");
  }
  Read found;
  found.splits = load_own_labelled(source_of(scratch / "own"), [](const std::string&) {});
  CHECK(found.size() == 100);
  CHECK(found.labels() == Cells{"긍정", "부정"});
  CHECK(corpus_files({scratch / "own"}).size() == 100);
}

TEST_CASE("files that are no text are named for what they are, with the way to a text") {
  const Scratch scratch;
  using namespace std::string_literals;
  const std::string zip = "PK\x03\x04", ole = "\xd0\xcf\x11\xe0";
  const std::pair<std::string, std::string> cases[] = {
      {zip + "  [Content_Types].xml xl/workbook.xml",
       "a spreadsheet, expected a text file: save the sheet as CSV"},
      {zip + "  mimetypeapplication/hwp+zip", "a document of Hangul (HWPX), expected a text file"},
      {zip + "  word/document.xml", "a document, expected a text file"},
      {zip + "  a.csv", "a ZIP archive, expected a text file: unpack it first"},
      {ole + "  HWP Document File V5.00", "a document of Hangul (HWP), expected a text file"},
      {ole + "W\0o\0r\0k\0b\0o\0o\0k\0"s, "a spreadsheet, expected a text file"},
      {ole + "  ", "a spreadsheet or a document of an old office program"},
      {"%PDF-1.7 ...", "a PDF document, expected a text file"},
      {"PAR1....", "a Parquet file, expected a text file"},
  };
  for (const auto& [bytes, expected] : cases)
    CHECK_THAT(refused(scratch, "brought", bytes), Contains("brought: found " + expected));
}

TEST_CASE(
    "labels and columns that look alike are alike: a Mac's Hangul, spaces of no width, 1 and 1.0") {
  const Scratch scratch;
  // 라벨 and 긍정 as a Mac writes them, letter by letter.
  const std::string label = "\u1105\u1161\u1107\u1166\u11af",
                    good = "\u1100\u1173\u11bc\u110c\u1165\u11bc";
  std::string text = "문장," + label + "\n";
  for (int i = 0; i < 99; ++i)
    text += "글 " + std::to_string(i) + "," +
            (i % 3 == 0   ? good
             : i % 3 == 1 ? "긍정\u200b"
                          : "부정") +
            "\n";
  OwnSource named;
  named.columns.text = {"문장"};
  named.columns.label = "라벨";
  CHECK(read(scratch, "mac.csv", text + "빈 글,\u200b\n", named).labels() == Cells{"긍정", "부정"});
  std::filesystem::create_directories(scratch / ("folders/" + good));
  std::filesystem::create_directories(scratch / "folders/부정");
  write_bytes(scratch / ("folders/" + good + "/1.txt"), "좋다");
  write_bytes(scratch / "folders/부정/1.txt", "싫다");
  CHECK(read_table(scratch / "folders").rows[0].cells[1] == "긍정");
  write_bytes(scratch / "mac.jsonl", R"({"문장": "가", ")" + label + R"(": 1})" + "\n" +
                                         R"({"문장": "나", "라벨": 0})" + "\n");
  CHECK(read_table(scratch / "mac.jsonl").columns == Cells{"라벨", "문장"});

  // pandas writes numbers with a point where some are missing.
  write_bytes(scratch / "test.csv", "문장,라벨\n새 글,1\n다른 글,0\n");
  OwnSource other;
  other.test = {scratch / "test.csv"};
  const Read numbers = read(scratch, "train.csv", "문장,라벨\n" + rows(",", "1.0", "0.0"), other);
  CHECK(numbers.labels() == Cells{"0", "1"});
  CHECK(numbers.has("labels that are the same number are read as one: 0 and 0.0, 1 and 1.0"));
  CHECK(read(scratch, "alone.csv", "문장,라벨\n" + rows(",", "1.0", "0.0")).labels() ==
        Cells{"0.0", "1.0"});
  // Scores keep what is written.
  CHECK(read(scratch, "scores.csv", "문장,라벨\n" + rows(",", "1.50", "1.5")).labels() ==
        Cells{"1.5", "1.50"});
  CHECK(read(scratch, "codes.csv", "문장,라벨\n" + rows(",", "10", "100")).labels() ==
        Cells{"10", "100"});

  write_bytes(scratch / "test.csv", "문장,라벨\n새 글,중립\n다른 글,긍정\n");
  CHECK(read(scratch, "train.csv", "문장,라벨\n" + rows(","), other)
            .has("note: training lacks the labels \"중립\" of 1 of the 2 texts of test"));
}

TEST_CASE("a file with one label is refused: there is nothing to tell apart") {
  const Scratch scratch;
  CHECK_THAT(
      refused(scratch, "a.csv", "문장,라벨\n" + rows(",", "긍정", "긍정")),
      Contains("a.csv: found the label \"긍정\" in every row, expected at least two labels"));
  // What is measured by a stored model may have one.
  write_bytes(scratch / "b.csv", "문장,라벨\n가,긍정\n나,긍정\n");
  OwnSource measured;
  measured.test = {scratch / "b.csv"};
  CHECK(load_own_labelled(measured, [](const std::string&) {}).test.size() == 2);
}

TEST_CASE("a form's questions name its columns, however long they are") {
  const Scratch scratch;
  std::string text =
      "이 책을 읽고 느낀 점을 자유롭게 적어 주세요,이 책을 친구에게 추천하겠습니까?\n";
  const Read found = read(scratch, "a.csv", text + rows(",", "예", "아니오"));
  CHECK(found.size() == 100);
  CHECK(found.labels() == Cells{"아니오", "예"});
  CHECK(found.has("with a header, 100 rows"));
  // Who wrote it when is no text to learn from.
  std::string more = "타임스탬프,이름을 적어 주세요,느낀 점을 적어 주세요,추천하겠습니까?\n";
  for (int i = 0; i < 100; ++i)
    more += "2025. 3. " + std::to_string(i) + ",학생 " + std::to_string(i) + ",글 " +
            std::to_string(i) + (i % 2 == 0 ? ",예\n" : ",아니오\n");
  CHECK(read(scratch, "form.csv", more)
            .has("text \"느낀 점을 적어 주세요\", label \"추천하겠습니까?\""));
  // A long first example is none; that it is taken for one is told.
  const Read plain =
      read(scratch, "b.csv", "이 책을 읽고 느낀 점을 자유롭게 적어 보았습니다,긍정\n" + rows(","));
  CHECK(plain.size() == 101);
  CHECK(plain.has("its first row names no columns as far as can be told"));
}

TEST_CASE("a header that is only likely one is told by a first look, once") {
  const Scratch scratch;
  write_bytes(scratch / "a.csv", "처음 줄이다,중립\n" + rows(","));
  const Survey found = survey(source_of(scratch / "a.csv"));
  CHECK(std::ranges::count(found.told,
                           scratch / "a.csv" +
                               ": line 1 is taken for the columns' names, as its cells stand "
                               "nowhere below: \"처음 줄이다\", \"중립\" (header=false reads it as "
                               "the others)") == 1);
  CHECK(std::ranges::count(found.told,
                           scratch / "a.csv" + ": CSV in UTF-8, with a header, 100 rows") == 1);
}

TEST_CASE("rows of titles above the columns' names are left out and told") {
  const Scratch scratch;
  for (const char* titles : {"2025학년도 독서 감상 조사,\n", "2025학년도 독서 감상 조사\n",
                             "감상 조사 결과,\n,\n작성자: 김하늘,\n"}) {
    INFO(titles);
    const Read found = read(scratch, "a.csv", titles + std::string("감상,정서\n") + rows(","));
    CHECK(found.size() == 100);
    CHECK(found.labels() == Cells{"긍정", "부정"});
    CHECK(found.has("above left out"));
  }
  // A wanted name finds its row, too; lines keep their numbers.
  OwnSource named;
  named.columns.text = {"느낌"};
  const Read found = read(
      scratch, "b.csv",
      "제목,,\n번호,느낌,결과\n1,가,긍정\n2,,부정\n" +
          [] {
            std::string out;
            for (int i = 0; i < 100; ++i)
              out += std::to_string(i) + ",글 " + std::to_string(i) +
                     (i % 2 == 0 ? ",긍정\n" : ",부정\n");
            return out;
          }(),
      named);
  CHECK(found.size() == 101);
  CHECK(found.has("(the first is " + scratch / "b.csv" + ":4)"));
}

TEST_CASE("slips among labels and a row of sums are told") {
  const Scratch scratch;
  const auto told = [&](const std::string& more, const std::string& part, LabelsAs as = {}) {
    return testing::has_part(
        testing::looked_at(scratch, "a.csv", "문장,별점\n" + rows(",", "1", "5") + more, as), part);
  };
  CHECK(told("합계,300\n", "a.csv:102: \"합계\" looks like a row of sums"));
  CHECK(told("합계,300\n", "of the labels, \"300\" stands once"));
  CHECK(told("가,A\n나,a\n", "the labels \"A\", \"a\" differ in capitals or spaces alone"));
  const std::string third = "가,3\n나,3\n";
  CHECK(told(third, "--task regression learns them as numbers"));
  CHECK_FALSE(told(third, "regression", LabelsAs::scores));
  CHECK_FALSE(told("", "stands once"));
  write_bytes(scratch / "a.csv", "문장,별점\n" + rows(",", "1", "5") + third);
  CHECK(survey(source_of(scratch / "a.csv"), LabelsAs::scores).scores);
  write_bytes(scratch / "a.csv", "문장,별점\n" + rows(","));
  CHECK(mistake(scratch, [&] { survey(source_of(scratch / "a.csv"), LabelsAs::scores); }) ==
        "a.csv:2: found the label \"긍정\", expected numbers for regression (so in 100 of 100 "
        "rows)");
  // Marks of several units are told as the numbers that they say.
  for (const auto& [one, two] : {std::pair("3등급", "4.5단계"), std::pair("3D", "4.5K")}) {
    write_bytes(scratch / "a.csv", "문장,별점\n" + rows(",", one, two));
    const std::string told =
        mistake(scratch, [&] { survey(source_of(scratch / "a.csv"), LabelsAs::scores); });
    CHECK_THAT(told, Contains("\"" + std::string(one) + "\":\"3\""));
    OwnSource named = source_of(scratch / "a.csv");
    named.labels = {{one, "3"}, {two, "4.5"}};
    CHECK(survey(named, LabelsAs::scores).scores);
  }
}

TEST_CASE("infinity and what no float holds are no scores") {
  const Scratch scratch;
  for (const std::string far : {"inf", "-Infinity", "1e300"}) {
    INFO(far);
    write_bytes(scratch / "a.csv", "문장,점수\n" + rows(",", "3.5", "4.5") + "끝," + far + "\n");
    const Survey found = survey(source_of(scratch / "a.csv"));
    CHECK_FALSE(found.scores);
    CHECK(std::ranges::any_of(found.told, [&](const auto& line) {
      return line.find("\"" + far + "\" stands once") != line.npos;
    }));
    CHECK_THAT(mistake(scratch, [&] { survey(source_of(scratch / "a.csv"), LabelsAs::scores); }),
               Contains("found the label \"" + far + "\", expected numbers"));
  }
}

TEST_CASE("marks of a checklist are yes, and words for yes and no are both") {
  const Scratch scratch;
  for (const auto& [yes, no] : std::vector<std::pair<std::string, std::string>>{
           {"○", ""}, {"V", ""}, {"✓", ""}, {"네", "아니요"}, {"O", "X"}}) {
    INFO(yes);
    std::string text = "글,긍정,부정\n";
    for (int i = 0; i < 100; ++i)
      text +=
          "글 " + std::to_string(i) + "," + (i % 2 == 0 ? yes + "," + no : no + "," + yes) + "\n";
    write_bytes(scratch / "a.csv", text);
    const Survey found = survey(source_of(scratch / "a.csv"));
    CHECK(found.several);
    CHECK(found.labels == std::map<std::string, size_t>{{"긍정", 50}, {"부정", 50}});
  }
}

TEST_CASE("why too few rows are left is said before the error") {
  const Scratch scratch;
  std::string text = "감정,문장\n긍정,글\n";
  for (int i = 0; i < 20; ++i) text += ",글 " + std::to_string(i) + "\n";
  write_bytes(scratch / "a.csv", text + "부정,다른 글\n");
  Cells said;
  CHECK_THROWS_AS(survey(source_of(scratch / "a.csv"), LabelsAs::found,
                         [&](const std::string& line) { said.push_back(line); }),
                  Error);
  CHECK(std::ranges::any_of(said, [](const auto& line) {
    return line.find("20 rows have an empty text or label") != std::string::npos &&
           line.find(
               "a merged cell's value into its first row alone: unmerge the cells and fill "
               "them down") != std::string::npos;
  }));
}

TEST_CASE("a folder tells all its encodings and what stands beside its labels and below them") {
  const Scratch scratch;
  std::filesystem::create_directories(scratch / "d/가");
  std::filesystem::create_directories(scratch / "d/나");
  write_bytes(scratch / "d/가/1.txt", "좋은 책");
  write_bytes(scratch / "d/나/1.txt", "\xb1\xdb\xc0\xcc \xb1\xe6\xb4\xd9");  // CP949
  write_bytes(scratch / "d/읽어보세요.txt", "설명");
  std::filesystem::create_directories(scratch / "d/가/하위/더");
  write_bytes(scratch / "d/가/하위/2.txt", "하위 글");
  write_bytes(scratch / "d/가/하위/더/3.txt", "더 아래");
  write_bytes(scratch / "d/가/하위/.DS_Store", "bytes");
  const DataTable table = read_table(scratch / "d");
  CHECK(table.encoding == "CP949 and UTF-8");
  CHECK(table.notes == Cells{"1 file stands beside the labels' folders: left out",
                             "2 files stand in folders within the labels' folders: left out"});
}

TEST_CASE("a table is not written under another kind's name") {
  const Scratch scratch;
  for (const char* name : {"a.xlsx", "a.json", "a.hwp"})
    CHECK_THAT(mistake(scratch, [&] { write_table(scratch / name, {"글"}, {{"가"}}); }),
               Contains("expected .csv, .tsv or .jsonl"));
}

TEST_CASE("tables in the schemas of public data sets are read as they are meant") {
  const Scratch scratch;
  const auto rows = [](const std::string& header, const auto& row) {
    std::string out = header;
    for (int i = 0; i < 60; ++i) out += row(i, std::to_string(i));
    return out;
  };
  const auto columns = [&](const std::string& name, const std::string& bytes) {
    return testing::looked_at(scratch, name, bytes).source.columns;
  };
  // Ten columns, of which the first is a number, are no CoNLL-U: STS-B.
  CHECK(columns("a.tsv", rows("index\tgenre\tfilename\tyear\told_index\tsource1\tsource2\t"
                              "sentence1\tsentence2\tscore\n",
                              [](int i, const std::string& n) {
                                return n + "\tnews\tfile\t2012\t" + n + "\tnone\tnone\t글 " + n +
                                       "\t말 " + n + "\t" + std::to_string(i % 5) + ".25\n";
                              }))
            .pair == "sentence2");
  const auto alternatives = [](int i, const std::string& n) {
    return "물음 " + n + ",서울" + n + ",부산" + n + ",대구" + n + "," + std::to_string(i % 3) +
           "\n";
  };
  CHECK(columns("b.csv", rows("context,ending0,ending1,ending2,label\n", alternatives))
            .choices.size() == 3);
  CHECK(columns("c.csv", rows("question,opa,opb,opc,label\n", alternatives)).choices.size() == 3);
  const OwnColumns judged =
      columns("d.csv", rows("paragraph,question,answer,label\n", [](int i, const std::string& n) {
                return "글 " + n + ",물음 " + n + ",글," + std::to_string(i % 2) + "\n";
              }));
  CHECK(judged.text == std::vector<std::string>{"paragraph", "question"});
  CHECK(judged.pair == "answer");
  const Survey impossible = testing::looked_at(
      scratch, "e.csv",
      rows("question,context,answer,is_impossible\n", [](int i, const std::string& n) {
        return "물음 " + n + ",글 " + n + ",글," + (i % 3 == 0 ? "True" : "False") + "\n";
      }));
  CHECK(testing::has_part(impossible, "20 questions have no answer (\"is_impossible\"): left out"));
  const auto refused = [&](const std::string& name, const std::string& bytes) {
    return testing::mistake(scratch, [&] { testing::looked_at(scratch, name, bytes); });
  };
  CHECK_THAT(refused("f.csv", rows("tokens,ner_tags\n",
                                   [](int, const std::string& n) {
                                     return "['가' '나' '" + n + "'],[0 1 2]\n";
                                   })),
             Catch::Matchers::Contains("found a label for each word of \"tokens\""));
  CHECK_THAT(refused("g.csv", rows("content,role\n",
                                   [](int i, const std::string& n) {
                                     return "말 " + n + (i % 2 == 0 ? ",user\n" : ",assistant\n");
                                   })),
             Catch::Matchers::Contains("found a chat, whose \"role\" says who speaks"));
}

}  // namespace minibert
