// Tables as spreadsheets and programs write them.
#include <catch2/catch.hpp>
#include <filesystem>

#include "data/tables/json_rows.h"
#include "data/tables/read_table.h"
#include "data/tables/write_table.h"
#include "files.h"

namespace minibert {
namespace {

using Catch::Matchers::Contains;
using testing::encoded;
using testing::mistake;
using testing::Scratch;
using testing::write_bytes;
using Cells = std::vector<std::string>;

DataTable read_bytes(const std::string& name, const std::string& bytes,
                     const TableOptions& options = {}) {
  const Scratch scratch;
  write_bytes(scratch / name, bytes);
  return read_table(scratch / name, options);
}

std::string wrong(const std::string& name, const std::string& bytes) {
  const Scratch scratch;
  write_bytes(scratch / name, bytes);
  return mistake(scratch, [&] { read_table(scratch / name); });
}

}  // namespace

TEST_CASE("a spreadsheet's CSV: byte order mark, CRLF, quotes, line breaks and commas in cells") {
  const DataTable table = read_bytes("own.csv",
                                     "\xef\xbb\xbf문장,라벨\r\n\"네, \"\"좋아\"\" 해요\",긍정\r\n"
                                     "\"두 줄로\r\n쓴 글\",부정\r\n끝,긍정\r\n");
  CHECK(table.format == "CSV");
  CHECK(table.header);
  CHECK(table.columns == Cells{"문장", "라벨"});
  REQUIRE(table.rows.size() == 3);
  CHECK(table.rows[0].cells == Cells{"네, \"좋아\" 해요", "긍정"});
  CHECK(table.rows[1].cells == Cells{"두 줄로\r\n쓴 글", "부정"});
  CHECK(table.rows[1].place == 3);
  CHECK(table.rows[2].place == 5);
  CHECK(table.notes.empty());
}

TEST_CASE("a spreadsheet's Unicode text: UTF-16 with tabs, quotes only where they are needed") {
  const DataTable table = read_bytes(
      "own.txt", "\xff\xfe" + encoded("번호\t문장\t라벨\r\n1\t\"그는 \"\"안녕\"\" 했다\"\t"
                                      "0\r\n2\t보통 글\t1\r\n",
                                      "UTF-16LE"));
  CHECK(table.encoding == "UTF-16LE");
  CHECK(table.format == "TSV");
  CHECK(table.rows[0].cells == Cells{"1", "그는 \"안녕\" 했다", "0"});
}

TEST_CASE("in a file with tabs stray quotes are letters") {
  const DataTable table =
      read_bytes("own.tsv", "id\tdocument\tlabel\n1\t\"최고\" 라고 한다\t1\n2\t\"시작만\t0\n");
  REQUIRE(table.rows.size() == 2);
  CHECK(table.rows[0].cells[1] == "\"최고\" 라고 한다");
  CHECK(table.rows[1].cells[1] == "\"시작만");
}

TEST_CASE("one quote that is a letter leaves quoted cells of a file with tabs what they are") {
  const DataTable table = read_bytes(
      "own.tsv",
      "document\tlabel\n\"그는 \"\"안녕\"\" 했다\"\t1\n그는 \"안녕\" 했다\t0\n\"최고\"\t1\n");
  CHECK(table.rows[0].cells[0] == "그는 \"안녕\" 했다");
  CHECK(table.rows[1].cells[0] == "그는 \"안녕\" 했다");
  CHECK(table.rows[2].cells[0] == "\"최고\"");
  CHECK(table.notes == Cells{"1 cell is in quotes as a whole, first in line 2: read without "
                             "them; other quotes are taken as they are"});
  std::string all = "\"문장\"\t\"라벨\"\n";
  for (int i = 0; i < 20; ++i)
    all += (i == 7 ? "그는 \"안녕\" 했다" : "\"글 " + std::to_string(i) + "\"") + "\t\"긍정\"\n";
  const DataTable quoted = read_bytes("own.tsv", all);
  CHECK(quoted.columns == Cells{"문장", "라벨"});
  CHECK(quoted.rows[0].cells == Cells{"글 0", "긍정"});
  CHECK(quoted.rows[7].cells == Cells{"그는 \"안녕\" 했다", "긍정"});
}

TEST_CASE(
    "a text that begins with a quote takes in no rows: tabs make it a letter, commas refuse it") {
  const auto rows = [](const char* between, int opened, int closed) {
    std::string out = std::string("document") + between + "label\n";
    for (int i = 0; i < 60; ++i)
      out += (i == opened ? "\"" : "") + std::string("문장 ") + std::to_string(i) +
             (i == closed ? "\"" : "") + between + (i % 2 == 0 ? "긍정" : "부정") + "\n";
    return out;
  };
  const DataTable table = read_bytes("own.tsv", rows("\t", 9, 29));
  REQUIRE(table.rows.size() == 60);
  CHECK(table.rows[9].cells == Cells{"\"문장 9", "부정"});
  CHECK(table.rows[29].cells == Cells{"문장 29\"", "부정"});
  CHECK_THAT(wrong("own.csv", rows(",", 9, 29)),
             Contains("own.csv:11: found a cell that begins with a quote and would take in the "
                      "rows below it"));
  // Two lines are enough, and so is a text of commas between.
  CHECK_THAT(wrong("own.csv", rows(",", 9, 10)), Contains("own.csv:11: found a cell that begins"));
  std::string mixed = rows(",", 9, 60);
  mixed.replace(mixed.find("문장 20"), std::string("문장 20").size(), "\"네, 문장 20\"");
  CHECK_THAT(wrong("own.csv", mixed), Contains("own.csv:11: found a cell that begins"));
  // Lines of one text, with commas in them, stay one text.
  std::string spanning = "번호,문장,라벨\n";
  for (int i = 0; i < 20; ++i)
    spanning += std::to_string(i) + ",\"첫 줄, 그리고\n둘째 줄, 끝\"," +
                (i % 2 == 0 ? "긍정" : "부정") + "\n" + std::to_string(i) + ",짧은 글," +
                (i % 2 == 0 ? "긍정" : "부정") + "\n";
  const DataTable whole = read_bytes("own.csv", spanning);
  CHECK(whole.rows.size() == 40);
  CHECK(whole.rows[0].cells[1] == "첫 줄, 그리고\n둘째 줄, 끝");
}

TEST_CASE("separators are found: semicolons, bars, none; sentences of a text file keep commas") {
  CHECK(read_bytes("own.csv", "문장;라벨\n네, 좋아요;1\n아니, 싫어요;0\n").columns ==
        Cells{"문장", "라벨"});
  CHECK(read_bytes("own.csv", "문장|라벨\n네, 좋아요|1\n싫어요|0\n").rows[0].cells ==
        Cells{"네, 좋아요", "1"});
  // A comma in every sentence separates nothing.
  CHECK(read_bytes("own.csv", "부정|음, 지루하다\n긍정|음, 배우가 좋다\n부정|네, 그래요\n")
            .rows[0]
            .cells == Cells{"부정", "음, 지루하다"});
  CHECK(read_bytes("own.csv", "문장, 원문;라벨\n음, 지루해요;부정\n네, 좋아요;긍정\n").columns ==
        Cells{"문장, 원문", "라벨"});
  CHECK(read_bytes("own.csv", "문장, 라벨\n지루해요, 부정\n좋아요, 긍정\n").columns ==
        Cells{"문장", "라벨"});
  const DataTable one = read_bytes("own.csv", "문장\n네, 좋아요\n\"아니,\n싫어요\"\n");
  CHECK(one.columns == Cells{"문장"});
  CHECK(one.rows[1].cells == Cells{"아니,\n싫어요"});
  const DataTable lines = read_bytes("own.txt", "네, 좋아요\n아니, 싫어요\n글쎄, 몰라\n");
  CHECK(lines.format == "lines");
  CHECK(lines.columns == Cells{"1"});
  CHECK(lines.rows.size() == 3);
}

TEST_CASE("a first row is a header unless its cells are numbers or values") {
  CHECK_FALSE(read_bytes("a.txt", "0\t연두색\n1\t되면\n").header);
  CHECK_FALSE(read_bytes("a.csv", "좋아요,긍정\n싫어요,부정\n최고,긍정\n").header);
  CHECK(read_bytes("a.csv", "내용 요약,느낌\n싫어요,부정\n최고,긍정\n").header);
  CHECK(read_bytes("a.csv", "문장,1\n싫어요,0\n").header);
  TableOptions none;
  none.header = false;
  CHECK(read_bytes("a.csv", "문장,라벨\n싫어요,0\n", none).rows.size() == 2);
  TableOptions numbers;
  numbers.wanted = {"1", "2"};
  CHECK_FALSE(read_bytes("a.csv", "가,나\n다,라\n", numbers).header);
  // pandas writes its index under no name.
  CHECK(read_bytes("a.csv", ",text,label\n0,좋아요,1\n1,싫어요,0\n").columns ==
        Cells{"1", "text", "label"});
}

TEST_CASE("a label that is called as columns are is no name, and what is only likely one is told") {
  const auto acts = [](const std::string& first) {
    std::string out = first;
    for (int i = 0; i < 30; ++i)
      out += "말 " + std::to_string(i) + "\t" +
             (i % 3 == 0   ? "질문"
              : i % 3 == 1 ? "답변"
                           : "인사") +
             "\n";
    return out;
  };
  const DataTable plain = read_bytes("acts.tsv", acts(""));
  CHECK_FALSE(plain.header);
  CHECK(plain.rows.size() == 30);
  const DataTable named = read_bytes("acts.tsv", acts("말\t질문\n"));
  CHECK_FALSE(named.header);
  CHECK(read_bytes("acts.tsv", acts("문장\t질문\n")).header);
  // A text may read as its column is called.
  CHECK(read_bytes("own.csv", "번호,문장\n1,문장\n2,하나\n3,둘\n4,셋\n5,넷\n").header);
  // A Mac's header is the same one.
  CHECK(read_bytes("own.csv",
                   "\u1106\u116e\u11ab\u110c\u1161\u11bc,\u1105\u1161\u1107\u1166\u11af\n"
                   "가,1\n나,0\n")
            .notes.empty());
  // A name of two lines stands in the first, and is told in one.
  CHECK(read_bytes("own.csv", "\"글\n(원문)\",\"반\n응\"\n가,1\n나,0\n").notes ==
        Cells{"line 1 is taken for the columns' names, as its cells stand nowhere below: \"글 "
              "(원문)\", \"반 응\" (header=false reads it as the others)"});
  const DataTable likely = read_bytes("acts.tsv", acts("처음 줄이다\t감탄\n"));
  CHECK(likely.header);
  CHECK(likely.notes ==
        Cells{"line 1 is taken for the columns' names, as its cells stand nowhere below: "
              "\"처음 줄이다\", \"감탄\" (header=false reads it as the others)"});
}

TEST_CASE("names in two rows below merged cells, and names that come again among the rows") {
  const std::string rows = "1,좋아요,긍정,\n2,싫어요,부정,메모\n3,그래요,긍정,\n";
  for (const auto& [header, columns] : {
           std::pair("번호,설문,,비고\n,문장,라벨,\n", Cells{"번호", "문장", "라벨", "비고"}),
           std::pair("번호,설문 결과,,비고\n,글,반응,\n", Cells{"번호", "글", "반응", "비고"}),
           std::pair("번호,설문,,\n번호,문장,라벨,비고\n", Cells{"번호", "문장", "라벨", "비고"}),
           std::pair("조사,,결과,\n이름,값,이름,값\n",
                     Cells{"조사 이름", "조사 값", "결과 이름", "결과 값"}),
       }) {
    INFO(header);
    const DataTable table = read_bytes("own.csv", header + rows);
    CHECK(table.columns == columns);
    CHECK(table.rows.size() == 3);
    CHECK(table.notes.size() == 1);
  }
  // pandas' index has no name, and its first row none either.
  CHECK(read_bytes("own.csv", ",text,label\n0,좋아요,1\n1,싫어요,0\n").rows.size() == 2);

  const DataTable joined =
      read_bytes("own.csv", "문장,라벨\n좋아요,긍정\n문장,라벨\n싫어요,부정\n문장,부정\n");
  CHECK(joined.columns == Cells{"문장", "라벨"});
  CHECK(joined.rows.size() == 3);
  CHECK(joined.notes == Cells{"1 row repeats the columns' names: left out (the first is line 3)"});
}

TEST_CASE("empty cells behind the last column and empty rows are passed over, and counted") {
  const DataTable table = read_bytes("own.csv", "text,label,,\n좋아요,1,,\n,,,\n싫어요,0,,\n\n");
  CHECK(table.columns == Cells{"text", "label"});
  CHECK(table.rows.size() == 2);
  CHECK(table.notes == Cells{"1 row is empty: left out"});
}

TEST_CASE("JSON lines, nested fields and missing ones") {
  const DataTable table =
      read_bytes("own.jsonl",
                 "{\"text\": \"좋아\\n요\", \"labels\": {\"label\": 4.5, \"real\": null}}\n\n"
                 "{\"text\": \"싫어요\", \"labels\": {\"label\": 1}, \"tags\": [\"a\", \"b\"]}\n");
  CHECK(table.format == "JSON lines");
  CHECK(table.columns == Cells{"labels.label", "labels.real", "text", "tags"});
  CHECK(table.rows[0].cells == Cells{"4.5", "", "좋아\n요", ""});
  CHECK(table.rows[1].cells == Cells{"1", "", "싫어요", "[\"a\",\"b\"]"});
  CHECK(table.where(table.rows[1]).ends_with("own.jsonl:3"));
}

TEST_CASE("a JSON list, alone or in an object; a text that begins like one is none") {
  CHECK(read_bytes("own.json", "[{\"text\": \"가\", \"label\": 0}]").rows[0].cells ==
        Cells{"0", "가"});
  CHECK(read_bytes("own.json", "{\"version\": 1, \"data\": [{\"text\": \"가\"}]}").rows.size() ==
        1);
  CHECK(read_bytes("own.csv", "[광고] 좋아요,1\n[광고] 싫어요,0\n").rows.size() == 2);
}

TEST_CASE("rows of JSON may lie in lists within objects") {
  const std::string one = R"({"id": 1, "question": "무엇?", "choices": ["가", "나"], "answer": 2})";
  const std::string two = R"({"question": "누구?", "choices": ["다", "라"], "answer": 1})";
  const Cells columns = {"answer", "choices", "id", "question", "unit"};
  const DataTable units =
      read_bytes("own.json", R"({"title": "단원평가", "units": [{"unit": "1단원", "questions": [)" +
                                 one + "," + two +
                                 R"(]}, {"unit": "2단원", "id": 7, "questions": [)" + two + "]}]}");
  CHECK(units.columns == columns);
  REQUIRE(units.rows.size() == 3);
  CHECK(units.rows[0].cells == Cells{"2", R"(["가","나"])", "1", "무엇?", "1단원"});
  CHECK(units.rows[2].cells == Cells{"1", R"(["다","라"])", "7", "누구?", "2단원"});
  CHECK(units.notes == Cells{"its rows are the objects in \"questions\""});
  // A title beside a list is of the list; lists deeper down, and a list within a single object.
  CHECK(read_bytes("own.json", R"([{"title": "봄", "sections": [{"name": "ㄱ", "items": [)" + one +
                                   "," + two + "]}]}]")
            .rows.size() == 2);
  CHECK(
      read_bytes("own.json", R"({"quiz": {"title": "봄", "questions": [)" + one + "," + two + "]}}")
          .rows.size() == 2);
  // A list may be called as a question is.
  CHECK(read_bytes("own.json", R"({"단원": [{"이름": "1", "문항": [)" + one + "," + two + "]}]}")
            .rows.size() == 2);
  // A text that has a list beside it is a row: alternatives are none.
  const DataTable rows = read_bytes(
      "own.json",
      R"([{"question": "무엇?", "choices": [{"text": "가"}, {"text": "나"}], "answer": 1}])");
  CHECK(rows.rows.size() == 1);
  CHECK(rows.notes.empty());
}

TEST_CASE("documents whose rows are null, one object or none lose no other row, and are told") {
  const auto document = [](int id, const std::string& sentences) {
    return R"({"doc_id": )" + std::to_string(id) + sentences + "}";
  };
  const std::string one = R"({"text": "가", "label": "x"})",
                    two = R"({"text": "나", "label": "y"})",
                    both = R"(, "sentences": [)" + one + ", " + two + "]";
  const std::string documents[] = {document(0, R"(, "sentences": [])"),
                                   document(1, both),
                                   document(2, R"(, "sentences": null)"),
                                   document(3, R"(, "sentences": )" + one),
                                   document(4, ""),
                                   document(5, both)};
  std::string list, lines;
  for (const std::string& each : documents) {
    list += (list.empty() ? "" : ",") + each;
    lines += each + "\n";
  }
  for (const auto& [name, text] :
       {std::pair("own.json", "{\"data\": [" + list + "]}"),
        std::pair("own.json", "[" + list + "]"), std::pair("own.jsonl", lines)}) {
    INFO(name);
    const DataTable table = read_bytes(name, text);
    REQUIRE(table.rows.size() == 5);
    CHECK(table.columns == Cells{"doc_id", "label", "text"});
    CHECK(table.rows[2].cells == Cells{"3", "x", "가"});
    CHECK(table.notes ==
          Cells{"its rows are the objects in \"sentences\"; 3 objects have none: left out"});
    if (std::string(name) == "own.jsonl") CHECK(table.where(table.rows[2]).ends_with(":4"));
  }
}

TEST_CASE("objects that have keys of their own each are refused before they fill the memory") {
  std::string lines, wide;
  for (int i = 0; i < 3000; ++i) {
    lines += R"({"u)" + std::to_string(i) + R"(": {"text": "글", "label": "x"}})" + "\n";
    wide += (i == 0 ? "" : ",") + std::string("\"v") + std::to_string(i) + "\": 0.5";
  }
  CHECK_THAT(
      wrong("own.jsonl", lines),
      Contains("own.jsonl:501: found 1002 different keys in 501 objects, expected the same"));
  // A wide table is one.
  CHECK(read_bytes("own.jsonl", "{\"text\": \"가\", " + wide + "}\n{\"text\": \"나\"}\n")
            .columns.size() == 3001);
}

TEST_CASE("null between rows of JSON is counted, and pandas' split form is read") {
  const DataTable nulls =
      read_bytes("own.json", R"([{"text": "가", "label": 0}, null, {"text": "나", "label": 1}])");
  CHECK(nulls.rows.size() == 2);
  CHECK(nulls.notes == Cells{"1 row is empty: left out"});
  const DataTable split = read_bytes(
      "own.json",
      R"({"columns": ["text", "label"], "index": [0, 1], "data": [["가", 0], ["나", 1]]})");
  CHECK(split.columns == Cells{"label", "text"});
  REQUIRE(split.rows.size() == 2);
  CHECK(split.rows[1].cells == Cells{"1", "나"});
  CHECK_THAT(wrong("own.json", R"({"columns": ["text"], "data": [["가", 0]]})"),
             Contains("without a list of objects"));
}

TEST_CASE("a folder of texts for every label; hidden files are passed over") {
  const Scratch scratch;
  std::filesystem::create_directories(scratch / "texts/긍정");
  std::filesystem::create_directories(scratch / "texts/부정");
  write_bytes(scratch / "texts/긍정/1.txt", "좋아요\n정말");
  write_bytes(scratch / "texts/부정/1.txt", encoded("싫어요", "CP949"));
  write_bytes(scratch / "texts/부정/2.txt", "");
  write_bytes(scratch / "texts/부정/.DS_Store", "bytes");
  const DataTable table = read_table(scratch / "texts");
  REQUIRE(table.rows.size() == 2);
  CHECK(table.rows[0].cells[0] == "좋아요\n정말");
  CHECK(table.rows[1].cells[1] == "부정");
  CHECK(table.notes == Cells{"1 file is empty: left out"});
  std::filesystem::create_directories(scratch / "none");
  CHECK_THAT(mistake(scratch, [&] { read_table(scratch / "none"); }),
             Contains("none: found no texts, expected a folder for every label"));
}

TEST_CASE("every mistake in a table is one line with its place") {
  CHECK(wrong("own.csv", "text,label\n좋아요,1\n가,나,다\n가,나,다\n") ==
        "own.csv:3: found 3 cells, expected 2 (text, label); so in 2 rows; a cell that holds a "
        "separator needs "
        "\"…\" around it");
  CHECK(wrong("own.csv", "text,label\n좋아요,1\n\"싫어요,0\n가,1\n") ==
        "own.csv:3: found a quote that is never closed, expected cells as RFC 4180 has them: "
        "\"…\" around a cell, and \"\" for a quote in it");
  CHECK(wrong("own.csv", "text,text\n가,나\n") ==
        "own.csv:1: found the column \"text\" twice, expected different names");
  CHECK(wrong("own.csv", " \n") == "own.csv: is empty, expected rows");
  CHECK(wrong("own.csv", "text,label\n") ==
        "own.csv: has no rows below its columns' names, expected some");
  CHECK_THAT(wrong("own.jsonl", "{\"text\": \"가\"}\n{\"text\": \n"),
             Contains("own.jsonl:2: not valid JSON"));
  CHECK_THAT(wrong("own.json", "{\"a\": 1}"), Contains("without a list of objects"));
  const Scratch scratch;
  write_bytes(scratch / "own.csv", "sentence,label\n가,1\n");
  CHECK(mistake(scratch, [&] { read_table(scratch / "own.csv").column("sentense"); }) ==
        "own.csv: found the columns sentence, label, expected one named \"sentense\" (did you mean "
        "\"sentence\"?)");
}

TEST_CASE("a quote inside a cell that is not quoted is a letter, and told") {
  const DataTable table = read_bytes("own.csv", "text,label\n5\" 화면이 좋다,1\n보통,0\n");
  CHECK(table.rows[0].cells[0] == "5\" 화면이 좋다");
  CHECK_THAT(table.notes.at(0), Contains("first in line 2"));
}

TEST_CASE("what is written is read back, in each of its forms") {
  const Scratch scratch;
  const Cells columns = {"문장", "라벨"};
  const std::vector<Cells> rows = {
      {"네, \"좋아\"\n해요", "긍정"}, {"탭\t하나", ""}, {"보통", "부정"}};
  for (const char* name : {"out.csv", "out.tsv", "out.jsonl"}) {
    INFO(name);
    write_table(scratch / name, columns, rows);
    const DataTable table = read_table(scratch / name);
    REQUIRE(table.rows.size() == rows.size());
    for (size_t i = 0; i < rows.size(); ++i)
      for (size_t c = 0; c < columns.size(); ++c)
        CHECK(table.rows[i].cells[table.column(columns[c])] == rows[i][c]);
  }
}

TEST_CASE("a name's ending means the same in capitals") {
  const DataTable lines = read_bytes("OWN.TXT", "네, 좋아요\n아니, 싫어요\n글쎄, 몰라\n");
  CHECK(lines.format == "lines");
  CHECK(read_bytes("OWN.CSV", "문장\n네, 좋아요\n\"아니,\n싫어요\"\n").rows[1].cells ==
        Cells{"아니,\n싫어요"});
  CHECK(is_json_lines("OWN.JSONL.GZ"));
  CHECK_THAT(wrong("OWN.JSON", "문장,라벨\n가,나\n"), Contains("OWN.JSON: not valid JSON"));
  CHECK_THROWS_WITH(decode_text("PK\x03\x04  ", "OWN.XLSX"), Contains("found a spreadsheet"));
  const Scratch scratch;
  write_table(scratch / "OUT.TSV", {"문장", "라벨"}, {{"가", "나"}});
  CHECK(scratch.read("OUT.TSV") == "문장\t라벨\n가\t나\n");
  CHECK_THAT(mistake(scratch, [&] { check_table_path(scratch / "OUT.XLSX"); }),
             Contains("OUT.XLSX: found the ending .xlsx"));
}

TEST_CASE("numbers and lists stand as such in JSON lines alone, what lacks is null") {
  const Scratch scratch;
  const Cells columns = {"문장", "probability", "entities"};
  const std::vector<Cells> rows = {{"가", "0.514642", R"([{"type":"LC"}])"}, {"0.5", "", ""}};
  write_table(scratch / "out.jsonl", columns, rows, {1, 2});
  CHECK(scratch.read("out.jsonl") ==
        "{\"문장\":\"가\",\"probability\":0.514642,\"entities\":[{\"type\":\"LC\"}]}\n"
        "{\"문장\":\"0.5\",\"probability\":null,\"entities\":null}\n");
  write_table(scratch / "out.tsv", columns, rows, {1, 2});
  CHECK_THAT(scratch.read("out.tsv"), Contains("가\t0.514642\t\"[{") && Contains("\n0.5\t\t\n"));
  write_objects(scratch / "objects.jsonl", {R"({"n": 1})"}, {"prediction"}, {{"4.5"}}, {0});
  CHECK(scratch.read("objects.jsonl") == "{\"n\":1,\"prediction\":4.5}\n");
}

TEST_CASE("a table that is written again keeps the empty rows between others") {
  TableOptions options;
  options.rewritten = true;
  const DataTable table =
      read_bytes("own.csv", "문장\n좋아요\n\n싫어요\n   \n그래요\n\"\"\n끝\n\n", options);
  std::string texts;
  for (const TableRow& row : table.rows) texts += row.cells.at(0) + "|";
  CHECK(texts == "좋아요||싫어요||그래요||끝|");
  CHECK(table.rows[1].place == 3);
  CHECK(table.rows[4].place == 6);
  CHECK(table.notes.empty());
  const DataTable lines = read_bytes("own.txt", "좋아요\n\n싫어요\n", options);
  CHECK(lines.rows.size() == 3);
  const DataTable wide = read_bytes("own.csv", "번호,문장\n1,가\n,\n2,나\n,\n", options);
  REQUIRE(wide.rows.size() == 3);
  CHECK(wide.rows[1].cells == Cells{"", ""});
  CHECK(wide.notes == Cells{"1 row is empty: left out"});  // below the last
  CHECK(read_bytes("own.jsonl", "{\"문장\": \"가\"}\n{\"문장\": \"\"}\n", options).rows.size() ==
        2);
  // What is learnt from has no use for them.
  CHECK(read_bytes("own.csv", "문장\n좋아요\n\n싫어요\n").rows.size() == 2);
}

TEST_CASE("a list under the name of JSON lines is read as the list, and told") {
  const DataTable table = read_bytes("own.jsonl", "[{\"text\": \"가\"},\n {\"text\": \"나\"}]\n");
  CHECK(table.rows.size() == 2);
  CHECK(table.format == "JSON");
  CHECK_THAT(table.notes.at(0), Contains("is a JSON list and no JSON lines"));
  CHECK_THAT(wrong("own.jsonl", "[1, 2]\n"),
             Contains("own.jsonl:1: found array, expected one JSON"));
}

TEST_CASE("what Python writes for not a number is told by its line, with the way") {
  const std::string told = "found NaN, which JSON has not, expected a number or null";
  const std::string lines = "{\"text\": \"NaN\", \"n\": 1}\n{\"text\": \"나\", \"n\": NaN}\n";
  CHECK_THAT(wrong("own.jsonl", lines),
             Contains("own.jsonl:2: " + told) && Contains("allow_nan=False"));
  CHECK_THAT(wrong("own.json", "[{\"text\": \"가\"},\n {\"text\": NaN}]"),
             Contains("own.json:2: " + told));
  CHECK_THAT(wrong("own.json", "[{\"n\": -Infinity}]"), Contains("own.json:1: found Infinity"));
}

TEST_CASE("answers that Python wrote into cells are its lists and dictionaries") {
  const DataTable lists = read_bytes(
      "own.csv",
      "question,answer\n언제?,\"['1443년', '그 \"\"해\"\"']\"\n누가?,\"[\"\"세종's\"\"]\"\n");
  CHECK(lists.rows[0].cells[1] == R"(["1443년","그 \"해\""])");
  CHECK(lists.rows[1].cells[1] == R"(["세종's"])");
  CHECK(lists.notes.size() == 1);
  const DataTable pandas = read_bytes(
      "own.csv",
      ",question,answers\n0,언제?,\"{'text': ['1443년'], 'answer_start': [6]}\"\n"
      "1,누가?,\"{'text': array(['세종'], dtype=object), 'answer_start': array([0])}\"\n");
  CHECK(pandas.rows[0].cells[pandas.column("answers.text")] == R"(["1443년"])");
  CHECK(pandas.rows[1].cells[pandas.column("answers.text")] == R"(["세종"])");
  CHECK(pandas.rows[1].cells[pandas.column("answers.answer_start")] == "[0]");
  CHECK_THAT(wrong("own.csv", "question,answers\n언제?,{'text': Series([])}\n"),
             Contains("own.csv:2: column answers: found \"{'text': Series([])}\", expected a "
                      "dictionary, as {'text'"));
  // Those of JSON stay, and so do answers that are texts.
  CHECK(read_bytes("own.csv", "question,answer\n몇?,[1]\n몇?,둘\n").notes.empty());
}

TEST_CASE("a table is not written under the name of a text or of a compressed file") {
  for (const char* name : {"a.txt", "a"})
    CHECK_THROWS_WITH(check_table_path(name), Contains("expected .csv, .tsv or .jsonl"));
  for (const char* name : {"a.csv.gz", "a.tsv.zst", "a.jsonl.bz2", "a.csv.xz"})
    CHECK_THROWS_WITH(check_table_path(name),
                      Contains("found the ending .") &&
                          Contains("expected .csv, .tsv or .jsonl: no other table is written"));
}

TEST_CASE("a table of 300,000 rows is read whole") {
  std::string text = "text,label\n";
  for (int i = 0; i < 300000; ++i)
    text += "\"문장 번호 " + std::to_string(i) + ", 끝\"," + std::to_string(i % 2) + "\n";
  const DataTable table = read_bytes("own.csv", text);
  CHECK(table.rows.size() == 300000);
  CHECK(table.rows.back().cells == Cells{"문장 번호 299999, 끝", "1"});
  CHECK(table.rows.back().place == 300001);
}

}  // namespace minibert
