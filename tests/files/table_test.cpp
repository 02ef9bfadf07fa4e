// Tables in every form and encoding, read and written, and one clear line for what is none.
#include "data/files/table.h"

#include <catch2/catch.hpp>

#include "core/files.h"
#include "data/files/write_table.h"
#include "read.h"

namespace minibert {
namespace {

using Catch::Matchers::Contains;
using testing::encoded;
using testing::mistake_in;
using testing::Scratch;
using testing::write_bytes;
using Cells = std::vector<std::string>;

FileTable table_of(const std::string& name, const std::string& bytes,
                   const TableOptions& options = {}) {
  const Scratch scratch;
  write_bytes(scratch / name, bytes);
  return read_table(scratch / name, options);
}

std::string table_mistake(const std::string& name, const std::string& bytes) {
  return mistake_in(name, bytes, [](const std::string& path) { read_table(path); });
}

}  // namespace

TEST_CASE("CSV is read as RFC 4180 says") {
  const FileTable table =
      table_of("a.csv", "text,label\r\n\"네, \"\"좋아\"\"\n해요\",1\r\n\r\n별로, 0 \r\n");
  CHECK(table.format == "CSV");
  CHECK(table.columns == Cells{"text", "label"});
  REQUIRE(table.rows.size() == 2);
  CHECK(table.rows[0].cells == Cells{"네, \"좋아\"\n해요", "1"});
  CHECK(table.rows[1].cells[0] == "별로");
  // Lines are those of the file, whatever cells hold.
  CHECK(table.where(table.rows[0]).ends_with("a.csv:2"));
  CHECK(table.where(table.rows[1]).ends_with("a.csv:5"));
}

TEST_CASE("between tabs a quote is a letter") {
  const FileTable table = table_of("a.tsv", "text\tlabel\n\"네\" 좋아\t1\n\"별로\t0\n");
  CHECK(table.format == "TSV");
  REQUIRE(table.rows.size() == 2);
  CHECK(table.rows[0].cells[0] == "\"네\" 좋아");
  CHECK(table.rows[1].cells[0] == "\"별로");
}

TEST_CASE("the separator is that of the name, of the header row, or the one that is named") {
  CHECK(table_of("a.tsv", "a,b\tc\nx,y\tz\n").columns == Cells{"a,b", "c"});
  CHECK(table_of("a.txt", "a\tb\nx\ty\n").columns == Cells{"a", "b"});
  CHECK(table_of("a.csv", "a;b\nx,1;y\n").rows[0].cells == Cells{"x,1", "y"});
  CHECK(table_of("a.csv", "a,b\nx;1,y\n").rows[0].cells == Cells{"x;1", "y"});
  CHECK(table_of("a.csv", "a;b,c\nx,y\n", {.separator = "comma"}).columns == Cells{"a;b", "c"});
}

TEST_CASE("a file without a header row takes the names that are given") {
  const FileTable table =
      table_of("a.txt", "0\t하나\n1\t둘\n", {.separator = "tab", .header = {"label", "text"}});
  REQUIRE(table.rows.size() == 2);
  CHECK(table.rows[0].cells[table.column("text")] == "하나");
}

TEST_CASE("JSON lines and lists of objects are rows whose columns are the keys") {
  const std::string object = R"({"text": "좋아", "n": 1.5, "list": ["가", 2], "in": {"a": 1}})";
  for (const bool lines : {false, true}) {
    const FileTable table =
        lines ? table_of("a.jsonl", object + "\n\n{\"text\": null, \"more\": true}\n")
              : table_of("a.json", "[" + object + ", {\"text\": null, \"more\": true}]");
    REQUIRE(table.rows.size() == 2);
    CHECK(table.rows[0].cells[table.column("text")] == "좋아");
    CHECK(table.rows[0].cells[table.column("n")] == "1.5");
    CHECK(table.rows[0].cells[table.column("list")] == R"(["가",2])");
    CHECK(table.rows[0].cells[table.column("more")].empty());
    CHECK(table.rows[1].cells[table.column("text")].empty());
    CHECK(table.rows[1].cells[table.column("more")] == "true");
    CHECK(table.objects.size() == 2);
    CHECK(table.where(table.rows[1]).ends_with(lines ? "a.jsonl:3" : "a.json: [1]"));
  }
}

TEST_CASE("blank lines are passed over, or rows of their own where they are asked for") {
  CHECK(table_of("a.csv", "text\n하나\n\n  \n둘\n\n").rows.size() == 2);
  const FileTable kept = table_of("a.csv", "text\n하나\n\n  \n둘\n\n", {.keep_blank = true});
  REQUIRE(kept.rows.size() == 5);
  CHECK(kept.rows[1].place == 3);
  CHECK(kept.rows[1].cells == Cells{""});
  CHECK(table_of("a.tsv", "a\tb\n\n1\t2\n\t\n", {.keep_blank = true}).rows.size() == 3);
  CHECK(table_of("a.jsonl", "{\"a\": 1}\n\n{\"a\": 2}\n", {.keep_blank = true}).rows.size() == 3);
}

TEST_CASE("files are UTF-8, UTF-16 with its mark, or CP949") {
  const std::string text = "문장,라벨\n정말 재미있어요,긍정\n";
  for (const auto& [mark, encoding, told] :
       {std::tuple("", "UTF-8", "UTF-8"), std::tuple("\xef\xbb\xbf", "UTF-8", "UTF-8"),
        std::tuple("\xff\xfe", "UTF-16LE", "UTF-16LE"),
        std::tuple("\xfe\xff", "UTF-16BE", "UTF-16BE"), std::tuple("", "CP949", "CP949")}) {
    const FileTable table = table_of("a.csv", mark + encoded(text, encoding));
    CHECK(table.encoding == told);
    CHECK(table.columns == Cells{"문장", "라벨"});
    CHECK(table.rows[0].cells == Cells{"정말 재미있어요", "긍정"});
  }
  // Names of columns are composed: those of a Mac are the same.
  CHECK(table_of("a.csv", "\xe1\x84\x80\xe1\x85\xa1,b\n1,2\n").columns == Cells{"가", "b"});
}

TEST_CASE("every mistake in a table is one line that names file and line") {
  CHECK(table_mistake("a.csv", "text,label\n좋아,1,2\n") ==
        "a.csv:2: found 3 columns, expected 2 (text, label); a cell that holds a separator stands "
        "in \"…\"");
  CHECK(table_mistake("a.tsv", "text\tlabel\n좋아\n") ==
        "a.tsv:2: found 1 columns, expected 2 (text, label)");
  CHECK(table_mistake("a.csv", "text,label\n\"네, 좋아 해요,1\n하나,2\n") ==
        "a.csv:2: found a quote that is never closed, expected one at the cell's end");
  CHECK_THAT(table_mistake("a.csv", "text,label\n\"네\" 좋아,1\n"),
             Contains("a.csv:2: found a quote inside a cell"));
  CHECK(table_mistake("a.csv", "text,text\n1,2\n") ==
        "a.csv:1: found the column \"text\" twice, expected different names");
  CHECK(table_mistake("a.csv", "\n") == "a.csv: is empty, expected a header");
  CHECK(table_mistake("a.csv", "text,label\n") == "a.csv: has no rows, expected some");
  CHECK_THAT(table_mistake("a.jsonl", "{\"a\": 1}\n{\"a\": \n"),
             Contains("a.jsonl:2: not valid JSON") && Contains("expected one JSON object a line"));
  CHECK(table_mistake("a.jsonl", "[1]\n") ==
        "a.jsonl:1: found array, expected one JSON object a line");
  CHECK_THAT(table_mistake("a.json", "{\"a\": 1}"),
             Contains("a.json: found object, expected a list"));
  CHECK_THAT(table_mistake("a.json", "[1, 2]"), Contains("found a list of other values"));
  CHECK_THAT(table_mistake("a.csv", "text\n\xff\xff\n"),
             Contains("a.csv:2: not valid UTF-8 at byte 0"));
  CHECK(table_mistake("a.csv", "PK\x03\x04") ==
        "a.csv: found a spreadsheet, document or archive (ZIP), expected a text file: save it as "
        "CSV (UTF-8)");
}

TEST_CASE("compressed files are read by the name before .gz and .zst") {
  CHECK(is_json_lines("a.jsonl.gz"));
  CHECK(is_json("b/a.JSON.zst"));
  CHECK_FALSE(is_json("a.csv"));
}

TEST_CASE("what is written is read again, whatever the cells hold") {
  const Scratch scratch;
  const Cells columns = {"문장", "label"};
  const std::vector<Cells> rows = {{"네, \"좋아\"\n해요", "가"}, {"셋\t넷", "나"}};
  write_table(scratch / "a.csv", columns, rows);
  CHECK(read_file(scratch / "a.csv").starts_with("\xef\xbb\xbf문장,label\n\"네, "));
  const FileTable csv = read_table(scratch / "a.csv");
  CHECK(csv.rows[0].cells == rows[0]);
  CHECK(csv.rows[1].cells == rows[1]);
  write_table(scratch / "a.tsv", columns, rows);
  CHECK(read_table(scratch / "a.tsv").rows[0].cells == Cells{"네, \"좋아\" 해요", "가"});
  CHECK(read_table(scratch / "a.tsv").rows[1].cells == Cells{"셋 넷", "나"});
}

TEST_CASE("JSON lines keep objects, numbers and lists") {
  const Scratch scratch;
  write_table(scratch / "a.jsonl", {"prediction", "n"}, {{"가", "0.5"}, {"", ""}}, {1},
              {R"({"text": "하나", "in": [1]})", "{}"});
  CHECK(read_file(scratch / "a.jsonl") ==
        "{\"text\":\"하나\",\"in\":[1],\"prediction\":\"가\",\"n\":0.5}\n"
        "{\"prediction\":\"\",\"n\":null}\n");
  CHECK_THROWS_WITH(write_table(scratch / "a.xlsx", {}, {}),
                    Contains("expected .csv, .tsv or .jsonl"));
}

}  // namespace minibert
