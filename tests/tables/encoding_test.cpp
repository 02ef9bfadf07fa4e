// The encodings that Korean files come in.
#include <catch2/catch.hpp>

#include "data/tables/text_encoding.h"
#include "files.h"

namespace minibert {
namespace {

using Catch::Matchers::Contains;
using testing::encoded;
using testing::Scratch;

const std::string kText = "문장,라벨\r\n정말 좋아요! 뷁,긍정\r\n別로 ㅠㅠ,부정\r\n";

}  // namespace

TEST_CASE("text is told to be UTF-8, UTF-16 or CP949 by its bytes, with a mark or without") {
  const std::pair<std::string, std::string> cases[] = {
      {kText, "UTF-8"},
      {"\xef\xbb\xbf" + kText, "UTF-8"},
      {"\xff\xfe" + encoded(kText, "UTF-16LE"), "UTF-16LE"},
      {"\xfe\xff" + encoded(kText, "UTF-16BE"), "UTF-16BE"},
      {encoded(kText, "UTF-16LE"), "UTF-16LE"},
      {encoded(kText, "UTF-16BE"), "UTF-16BE"},
      {encoded(kText, "CP949"), "CP949"},
  };
  for (const auto& [bytes, encoding] : cases) {
    const DecodedText decoded = decode_text(bytes, "own.csv");
    INFO(encoding);
    CHECK(decoded.encoding == encoding);
    CHECK(decoded.text == kText);
  }
}

TEST_CASE("zero bytes make no UTF-16 of a text, nor does a line break's byte in Hangul unmake it") {
  using namespace std::string_literals;
  const std::string zeros = "text,label\n\0가,1\n나,0\n다,1\n"s;
  REQUIRE(zeros.size() % 2 == 0);
  CHECK(decode_text(zeros, "own.csv").encoding == "UTF-8");
  CHECK(decode_text(zeros, "own.csv").text == zeros);
  const std::string young = "문장,라벨\n젊다,1\n젊어,0\n젊은 날의 젊음,1\n";
  for (const char* encoding : {"UTF-16LE", "UTF-16BE"}) {
    CHECK(decode_text(encoded(young, encoding), "own.csv").encoding == encoding);
    CHECK(decode_text(encoded(young, encoding), "own.csv").text == young);
  }
}

TEST_CASE("an archive is told as such, with the way to a text") {
  const std::pair<std::string, std::string> cases[] = {
      {"reviews.csv" + std::string(246, '\0') + "ustar  ", "a tar archive"},
      {"7z\xbc\xaf'\x1c", "a 7z archive"},
      {"Rar!\x1a\x07", "a RAR archive"},
  };
  for (const auto& [bytes, expected] : cases)
    CHECK_THROWS_WITH(decode_text(bytes + "text", "reviews.tar.gz"),
                      Catch::StartsWith("reviews.tar.gz: found " + expected) &&
                          Contains("expected a text file: unpack it first"));
}

TEST_CASE("a spreadsheet is told as such") {
  for (const std::string start : {"PK\x03\x04\x14", "\xd0\xcf\x11\xe0\xa1"})
    CHECK_THROWS_WITH(
        decode_text(start + std::string(20, '\0'), "평가.xlsx"),
        Catch::StartsWith("평가.xlsx: found a spreadsheet") && Contains("save the sheet as CSV"));
}

TEST_CASE("a page that is saved as a spreadsheet is told as such, whatever it begins with") {
  const std::string page = "<HTML><table><tr><td>문장</td><td>감정</td></tr></table></HTML>";
  const std::pair<std::string, std::string> cases[] = {
      {page, "an HTML page"},
      {"\xef\xbb\xbf \r\n" + page, "an HTML page"},
      {"<!DOCTYPE html>\n" + page, "an HTML page"},
      {"<table border=1><tr>", "an HTML page"},
      {"\xff\xfe" + encoded(page, "UTF-16LE"), "an HTML page"},
      {encoded(page, "CP949"), "an HTML page"},
      {"<?xml version=\"1.0\"?>\n<rows>", "an XML document"},
  };
  for (const auto& [bytes, expected] : cases) {
    INFO(bytes);
    CHECK_THROWS_WITH(decode_text(bytes, "평가.xls"),
                      "평가.xls: found " + expected +
                          ", expected a text file: open it in a spreadsheet and save it as CSV "
                          "(UTF-8)");
  }
  // A single text may be a page.
  CHECK(decode_text(page, "글.html", Markup::is_text).text == page);
  CHECK(decode_text("<광고> 좋아요,1\n", "own.csv").encoding == "UTF-8");
}

TEST_CASE("what an office program leaves beside an open document is told as such") {
  for (const char* name : {"반/~$평가.xlsx", "반/.~lock.평가.csv#"})
    CHECK_THROWS_WITH(decode_text(",teacher,pc,26.11.2026 10:00;", name),
                      Contains("found the lock file of a document that is open"));
  CHECK(decode_text("~$,1\n", "~평가.csv").text == "~$,1\n");
}

TEST_CASE("bytes of another encoding are refused with the line that converts them") {
  const std::string western = "text,label\ncaf\xe9 cr\xe8me,1\nna\xefve,0\n";
  CHECK_THROWS_WITH(decode_text(western, "own.csv"),
                    Contains("own.csv:2: not valid UTF-8 at byte 14 of the file") &&
                        Contains("iconv -f ENCODING -t UTF-8 'own.csv' > utf8.csv"));
  CHECK_THROWS_WITH(decode_text(kText + "\xff\xfe\n", "own.csv"), Contains("own.csv:4: not valid"));
  CHECK_THROWS_WITH(decode_text(std::string("\xff\xfe") + "a", "own.csv"),
                    Contains("own.csv: begins as UTF-16LE but cannot be read as such"));
}

}  // namespace minibert
