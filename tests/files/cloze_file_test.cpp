// Sentences with a blank and their right words.
#include "data/files/cloze_file.h"

#include <catch2/catch.hpp>

#include "read.h"

namespace minibert {
namespace {

using Catch::Matchers::Contains;
using testing::mistake_in;
using testing::Scratch;
using testing::write_bytes;
using Words = std::vector<std::string>;

std::vector<MaskedSentence> cloze_of(const std::string& name, const std::string& bytes) {
  const Scratch scratch;
  write_bytes(scratch / name, bytes);
  return read_cloze_file(scratch / name);
}

std::string refused_list(const std::string& name, const std::string& bytes) {
  return mistake_in(name, bytes, [](const std::string& path) { read_cloze_file(path); });
}

}  // namespace

TEST_CASE("the shipped lists of sentences are read with kinds and right words") {
  const auto found = read_cloze_file("tests/quality/cloze.json");
  REQUIRE(found.size() == 200);
  CHECK(found[0].text == "오늘은 [MASK]가 너무 추워서 집에만 있었다.");
  CHECK(found[0].accept == Words{"날씨"});
  CHECK(found[0].kind == "everyday");
  CHECK(found[1].accept == Words{"비", "소나기"});
}

TEST_CASE("sentences stand in a table, with typed blanks and several words between bars") {
  const auto found = cloze_of(
      "a.tsv", "text\taccept\tkind\n나는 ( )에 간다.\t학교|집\t일상\n밥을 ___.\t먹는다\t\n");
  REQUIRE(found.size() == 2);
  CHECK(found[0].text == "나는 [MASK]에 간다.");
  CHECK(found[0].accept == Words{"학교", "집"});
  CHECK(found[0].kind == "일상");
  CHECK(found[1].kind.empty());
  CHECK(cloze_of("a.csv", "문장,정답\n비가 와서 [MASK]을 폈다.,우산\n")[0].accept == Words{"우산"});
}

TEST_CASE("a sentence without one blank or without a word is one line that names it") {
  CHECK(refused_list("a.tsv", "text\taccept\n나는 간다.\t학교\n") ==
        "a.tsv:2: found 0 blanks in \"나는 간다.\", expected one, as [MASK] or ( )");
  CHECK_THAT(refused_list("a.tsv", "text\taccept\n[MASK]는 [MASK].\t나\n"),
             Contains("a.tsv:2: found 2 blanks"));
  CHECK(refused_list("a.tsv", "text\taccept\n나는 [MASK].\t |\n") ==
        "a.tsv:2: found no right word, expected at least one");
  CHECK_THAT(refused_list("a.tsv", "글\t답\n나는 [MASK].\t간다\n"),
             Contains("found the columns 글, 답, expected \"text\" and \"accept\""));
  CHECK_THAT(refused_list("a.json", "[]"), Contains("a.json: found no list \"sentences\""));
  CHECK_THAT(refused_list("a.json", R"({"sentences": [{"text": 1}]})"),
             Contains("a.json: sentences[0]: expected {"));
}

}  // namespace minibert
