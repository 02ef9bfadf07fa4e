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
    CHECK(has_part(
        found.notes,
        "sentences of \"문장\", right words of \"정답\", kinds of \"종류\", of the columns"));
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

TEST_CASE("the right word is told by alternatives, behind the sentence or by the whole sentence") {
  const Scratch scratch;
  const auto first = [&](const std::string& name, const std::string& bytes) {
    INFO(name);
    const MaskedSentences found = list_of(scratch, name, bytes);
    REQUIRE(found.sentences.size() == 2);
    check(found.sentences[0], "나는 [MASK]에 간다.", {"학교"});
  };
  first("columns.csv",
        "문제,보기1,보기2,정답\n나는 ( )에 간다.,집,학교,2\n( )을 먹는다.,밥,산,1\n");
  first("cell.csv", "문제,보기,정답\n나는 ( )에 간다.,① 집 ② 학교,②\n( )을 먹는다.,① 밥 ② 산,①\n");
  first("letters.csv", "문제,A,B,answer\n나는 ( )에 간다.,집,학교,B\n( )을 먹는다.,밥,산,A\n");
  first("list.jsonl",
        "{\"text\": \"나는 [MASK]에 간다.\", \"choices\": [\"집\", \"학교\"], \"label\": 1}\n"
        "{\"text\": \"[MASK]을 먹는다.\", \"choices\": [\"밥\", \"산\"], \"label\": 0}\n");
  first("behind.txt", "1. 나는 ___에 간다. 정답: 학교\n2. ___을 먹는다. 정답: 밥\n");
  first("arrow.txt", "나는 ( )에 간다. -> 학교\n( )을 먹는다. -> 밥\n");
  first("whole.csv", "문장,정답\n나는 ( )에 간다.,나는 학교에 간다.\n( )을 먹는다.,밥을 먹는다.\n");
  first("marks.csv", "문장,정답\n나는 (가)에 간다.,1) 학교\n(나)을 먹는다.,2) 밥\n");
  first("counted.csv", "1,나는 ( )에 간다.,학교\n2,( )을 먹는다.,밥\n");
  check(list_of(scratch, "words.csv", "문장,정답\n나는 ( )에 간다.,'학교'. 또는 집(우리 집)\n")
            .sentences[0],
        "나는 [MASK]에 간다.", {"학교", "집(우리 집)", "집"});
}

TEST_CASE("what stands about the sentences of a worksheet is no part of them") {
  const Scratch scratch;
  for (const std::string lines :
       {"1. 나는 [학교]에 간다.\n2. [밥]을 먹는다.\n", "① 나는 [학교]에 간다.\n② [밥]을 먹는다.\n",
        "[1] 나는 [학교]에 간다.\n[2] [밥]을 먹는다.\n",
        "- 나는 [학교]에 간다.\n- [밥]을 먹는다.\n",
        "1학년 국어\nQ1. 나는 [학교]에 간다. [2점]\nQ2. [밥]을 먹는다. [3점]\n"}) {
    INFO(lines);
    const MaskedSentences found = list_of(scratch, "sheet.txt", lines);
    REQUIRE(found.sentences.size() == 2);
    check(found.sentences[0], "나는 [MASK]에 간다.", {"학교"});
    check(found.sentences[1], "[MASK]을 먹는다.", {"밥"});
    CHECK(has_part(found.notes, "numbers before the sentences are cut off"));
  }
  // Of numbers that do not go up, nothing is cut.
  check(
      list_of(scratch, "years.txt", "1945. 8. 15. [광복]이 되었다.\n1919. 3. 1. [만세]를 불렀다.\n")
          .sentences[0],
      "1945. 8. 15. [MASK]이 되었다.", {"광복"});
  // LAMA has several sentences for a word.
  const MaskedSentences lama = list_of(scratch, "lama.jsonl",
                                       "{\"masked_sentences\": [\"수도는 [MASK]이다.\", \"[MASK]에 "
                                       "산다.\"], \"obj_label\": \"서울\"}\n");
  REQUIRE(lama.sentences.size() == 2);
  check(lama.sentences[1], "[MASK]에 산다.", {"서울"});
}

TEST_CASE("rows without a sentence, a blank or a word are left out and told") {
  const Scratch scratch;
  const MaskedSentences found =
      list_of(scratch, "rows.csv",
              "번호,문장,정답\n1,나는 ( )에 간다.,학교\n2,( )는 ( )에 간다.,집\n3,밥을 먹는다.,밥\n"
              "4,너는 ( )에 간다.,\n5,( )에 산다.,N/A\n합계,,\n");
  REQUIRE(found.sentences.size() == 1);
  CHECK(has_part(found.notes, "2 rows have no blank: left out (the first is "));
  CHECK(has_part(found.notes, "rows.csv:4, \"밥을 먹는다.\")"));
  CHECK(has_part(found.notes, "1 row has several blanks: left out"));
  CHECK(has_part(found.notes, "2 rows have no right word: left out"));
  const MaskedSentences cut =
      list_of(scratch, "cut.csv", "비가 와서, [우산]을 챙겼다.\n나는, [학교]에 간다.\n");
  CHECK(has_part(cut.notes, "sentences of \"2\", of the columns 1, 2"));
  const MaskedSentences lines =
      list_of(scratch, "lines.txt", "중학교 1학년\n나는 [학교]에 간다.\n[밥]을 먹는다.\n");
  CHECK(lines.sentences.size() == 2);
  CHECK(has_part(lines.notes, "1 row has no blank: left out"));
}

TEST_CASE(
    "a list of masked sentences that is wrong is answered with the file and what is expected") {
  const Scratch scratch;
  const auto wrong = [&](const std::string& name, const std::string& bytes) {
    return mistake(scratch, [&] { list_of(scratch, name, bytes); });
  };
  CHECK_THAT(wrong("none.txt", "비가 왔다.\n밥을 먹었다.\n"),
             Contains("none.txt: found no sentences with a blank, expected [MASK]"));
  CHECK_THAT(wrong("asides.txt", "나는 학교에 간다(매일).\n세종(1397)은 왕이다.\n"),
             Contains("asides.txt: found no sentences with a blank"));
  CHECK_THAT(wrong("bare.txt", "나는 ( )에 간다.\n너는 ( )에 간다.\n"),
             Contains("bare.txt: found sentences without their right words, expected"));
  CHECK_THAT(wrong("words.csv", "문장,가,나\n나는 ( )에 간다.,학교,집\n너는 ( )에 간다.,집,절\n"),
             Contains("words.csv: found the columns 문장, 가, 나") && Contains("--column answer="));
  CHECK_THAT(
      wrong("two.csv", "문장,정답\n( )는 ( )에 간다.,집\n"),
      Contains("two.csv: found no sentence with a blank and its right words: 1 row has several "
               "blanks"));
  CHECK_THAT(wrong("both.csv", "가,나,정답\n( )에 간다.,( )에 온다.,학교\n"),
             Contains("both.csv: found sentences with blanks in several columns") &&
                 Contains("--column text="));
  CHECK_THAT(wrong("list.json", "[]"), Contains("list.json"));
}

}  // namespace minibert
