// Sentences with a blank and their right words, as people write such lists.
#include "data/own/masked_sentences.h"

#include <catch2/catch.hpp>

#include "files.h"

namespace minibert {
namespace {

using Catch::Matchers::Contains;
using testing::encoded;
using testing::has_part;
using testing::mistake;
using testing::Scratch;
using testing::write_bytes;
using Words = std::vector<std::string>;

MaskedSentences list_of(const Scratch& scratch, const std::string& name, const std::string& bytes,
                        const OwnSource& source = {}) {
  write_bytes(scratch / name, bytes);
  return read_masked_sentences(scratch / name, source);
}

void check(const MaskedSentence& one, const std::string& text, const Words& accept,
           const std::string& kind = "") {
  CHECK(one.text == text);
  CHECK(one.accept == accept);
  CHECK(one.kind == kind);
}

}  // namespace

TEST_CASE("the shipped lists of masked sentences are read with kinds and right words") {
  const MaskedSentences found = read_masked_sentences("tests/quality/cloze.json");
  REQUIRE(found.sentences.size() == 200);
  check(found.sentences[0], "오늘은 [MASK]가 너무 추워서 집에만 있었다.", {"날씨"}, "everyday");
  CHECK(found.sentences[1].accept == Words{"비", "소나기"});
}

TEST_CASE("masked sentences stand in tables of any form") {
  const Scratch scratch;
  const std::string sheet =
      "번호,문장,정답,종류\n1,오늘은 (  )가 춥다.,날씨,일상\n2,\"비가 와서 ___을 폈다.\",\"우산, "
      "양산\",일상\n";
  for (const bool excel : {false, true}) {
    const MaskedSentences found =
        list_of(scratch, "sheet.csv", excel ? encoded(sheet, "CP949") : sheet);
    REQUIRE(found.sentences.size() == 2);
    check(found.sentences[0], "오늘은 [MASK]가 춥다.", {"날씨"}, "일상");
    check(found.sentences[1], "비가 와서 [MASK]을 폈다.", {"우산", "양산"}, "일상");
    CHECK(
        has_part(found.notes, "sentences of \"문장\", right words of \"정답\", kinds of \"종류\""));
  }
  // Without names, the first sentence is none.
  const MaskedSentences bare =
      list_of(scratch, "two.tsv", "나는 [MASK]에 간다.\t학교 / 집\n밥을 [MASK].\t먹는다\n");
  REQUIRE(bare.sentences.size() == 2);
  check(bare.sentences[0], "나는 [MASK]에 간다.", {"학교", "집"});
  check(list_of(scratch, "lama.jsonl",
                "{\"masked_sentence\": \"한국의 수도는 [MASK]이다.\", \"obj_label\": \"서울\", "
                "\"uuid\": \"a1\"}\n"
                "{\"masked_sentence\": \"인구는 [MASK] 명이다.\", \"obj_label\": \"1,000\", "
                "\"uuid\": \"a2\"}\n")
            .sentences[1],
        "인구는 [MASK] 명이다.", {"1,000"});
  check(list_of(scratch, "list.json",
                R"([{"text": "나는 <mask>에 간다.", "answers": ["학교", "집"]}])")
            .sentences[0],
        "나는 [MASK]에 간다.", {"학교", "집"});
  check(list_of(scratch, "python.csv", "sentence,answers\n나는 [MASK]에 간다.,\"['학교', '집']\"\n")
            .sentences[0],
        "나는 [MASK]에 간다.", {"학교", "집"});
  OwnSource named;
  named.columns.text = {"빈칸"};
  named.columns.answer = "b";
  named.columns.group = "c";
  check(list_of(scratch, "named.csv", "a,b,빈칸,c\n( ),학교,나는 ( )에 간다.,장소\n", named)
            .sentences[0],
        "나는 [MASK]에 간다.", {"학교"}, "장소");
}

TEST_CASE("a sentence may hold its right word in brackets") {
  const Scratch scratch;
  for (const std::string word : {"[우산]", "{우산}", "(우산)", "「우산」"}) {
    const MaskedSentences found = list_of(
        scratch, "mine.txt", "비가 와서, " + word + "을 챙겼다.\n" + word + "은 어디 있니?\n");
    REQUIRE(found.sentences.size() == 2);
    check(found.sentences[0], "비가 와서, [MASK]을 챙겼다.", {"우산"});
    check(found.sentences[1], "[MASK]은 어디 있니?", {"우산"});
  }
  check(list_of(scratch, "mac.txt", "\u1107\u1161\u11b8을 [\u1106\u1165\u11a8\u1103\u1161].\n")
            .sentences[0],
        "밥을 [MASK].", {"먹다"});
}

TEST_CASE(
    "a list of masked sentences that is wrong is answered with file, line and what is expected") {
  const Scratch scratch;
  const auto wrong = [&](const std::string& name, const std::string& bytes) {
    return mistake(scratch, [&] { list_of(scratch, name, bytes); });
  };
  CHECK_THAT(wrong("none.txt", "비가 왔다.\n밥을 먹었다.\n"),
             Contains("none.txt: found no column of sentences with a blank"));
  CHECK_THAT(wrong("bare.txt", "나는 ( )에 간다.\n너는 ( )에 간다.\n"),
             Contains("bare.txt: found sentences alone, expected the right words"));
  CHECK_THAT(wrong("words.csv", "문장,가,나\n나는 ( )에 간다.,학교,집\n너는 ( )에 간다.,집,절\n"),
             Contains("words.csv: found the columns 문장, 가, 나") && Contains("--column answer="));
  CHECK_THAT(wrong("two.csv", "문장,정답\n나는 ( )에 간다.,학교\n( )는 ( )에 간다.,집\n"),
             Contains("two.csv:3: 문장: found \"( )는 ( )에 간다.\", expected one [MASK]"));
  CHECK_THAT(
      wrong("both.csv", "가,나,정답\n( )에 간다.,( )에 온다.,학교\n"),
      Contains("both.csv: found sentences with blanks in 가, 나") && Contains("--column text="));
  CHECK_THAT(wrong("empty.csv", "문장,정답\n나는 ( )에 간다.,학교\n너는 ( )에 간다.,\n"),
             Contains("empty.csv:3: 정답: found \"\", expected a word"));
  CHECK_THAT(wrong("list.json", "[]"), Contains("list.json"));
}

}  // namespace minibert
