// Words and characters with tags.
#include "data/files/tagged_file.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "core/text.h"
#include "read.h"

namespace minibert {
namespace {

using Catch::Matchers::Contains;
using testing::mistake_in;
using testing::Scratch;
using testing::write_bytes;
using Texts = std::vector<std::string>;

std::vector<TaggedSentence> tags_of(const std::string& name, const std::string& bytes,
                                    const TableLayout& layout = {}, Texts* told = nullptr) {
  const Scratch scratch;
  write_bytes(scratch / name, bytes);
  return read_tagged_file(scratch / name, tag_form_of(scratch / name), layout, "train", 1,
                          [&](const std::string& line) {
                            if (told != nullptr) told->push_back(line);
                          });
}

std::string refused_tags(const std::string& name, const std::string& bytes,
                         const TableLayout& layout = {}) {
  return mistake_in(name, bytes, [&](const std::string& path) {
    read_tagged_file(path, tag_form_of(path), layout, "train", 1, [](const std::string&) {});
  });
}

constexpr char kConllu[] =
    "# sent_id = 1\n"
    "1\t학교\t학교\tNOUN\tNNG\t_\t3\tobl\t_\t_\n"
    "2-3\t갔다\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
    "2\t가\t가\tVERB\tVV\t_\t0\troot\t_\t_\n"
    "3\t았다\t았다\tAUX\tEP\t_\t2\taux\t_\t_\n"
    "4\t.\t.\tPUNCT\tSF\t_\t2\tpunct\t_\t_\n\n";

}  // namespace

TEST_CASE("words of CoNLL become characters, spaces inside entities belong to them") {
  const auto read_words = tags_of(
      "a.conll", "-DOCSTART- O\n\n이순신 B-PS\n장군 I-PS\n은 O\n\n# O\n서울 B-LC\n부산 B-LC\n");
  REQUIRE(read_words.size() == 2);
  CHECK(read_words[0].id == "train-1");
  CHECK(read_words[0].text == "이순신 장군 은");
  CHECK(joined(read_words[0].tags, " ") == "B-PS I-PS I-PS I-PS I-PS I-PS O O");
  CHECK(read_words[1].text == "# 서울 부산");
  CHECK(joined(read_words[1].tags, " ") == "O O B-LC I-LC O B-LC I-LC");
  CHECK(place_of_tag(read_words[0], 4).ends_with("a.conll:4"));
  // Between tabs a word may hold spaces.
  CHECK(tags_of("a.tsv", "이 순신\tNN\tB-PS\n은\tJX\tO\n")[0].text == "이 순신 은");
}

TEST_CASE("the word's and the tag's columns may be named by their numbers") {
  const std::string lines = "1\t서울\tB-LC\tNNP\n2\t에\tO\tJKB\n";
  TableLayout layout;
  layout.text = {"2"}, layout.label = "3";
  const auto sentences = tags_of("a.conll", lines, layout);
  CHECK(sentences[0].text == "서울 에");
  CHECK(sentences[0].tags[0] == "B-LC");
  layout.label = "5";
  CHECK(refused_tags("a.conll", lines, layout) ==
        "a.conll:1: label: found \"5\", expected a column's number, 1 to 4");
}

TEST_CASE("characters of KLUE are read one a line, a space and a # among them") {
  Texts told;
  const auto sentences = tags_of(
      "a.tsv", "## 주석\t글\n박\tB-PS\n씨\tO\n \tO\n#\tO\n\n서\tB-LC\n울\tI-LC\n", {}, &told);
  REQUIRE(sentences.size() == 2);
  CHECK(sentences[0].text == "박씨 #");
  CHECK(joined(sentences[1].tags, " ") == "B-LC I-LC");
  CHECK(told.empty());
}

TEST_CASE("CoNLL-U's words are entities of their part of speech; ranges are one word") {
  const auto upos = tags_of("a.conllu", kConllu);
  REQUIRE(upos.size() == 1);
  CHECK(upos[0].text == "학교 갔다.");
  CHECK(joined(upos[0].tags, " ") == "B-NOUN I-NOUN O B-VERB+AUX I-VERB+AUX B-PUNCT");
  TableLayout layout;
  layout.label = "xpos";
  CHECK(tags_of("a.conllu", kConllu, layout)[0].tags[0] == "B-NNG");
}

TEST_CASE("an I- that goes on with nothing is a beginning, and is counted") {
  Texts told;
  const auto sentences = tags_of(
      "a.conll", "대구 I-LC\n시 I-LC\n에 O\n서울 I-LC\n박지성 I-PS\n\n부산 I-LC\n", {}, &told);
  CHECK(joined(sentences[0].tags, " ") == "B-LC I-LC I-LC I-LC O O O B-LC I-LC O B-PS I-PS I-PS");
  CHECK(sentences[1].tags[0] == "B-LC");
  REQUIRE(told.size() == 1);
  CHECK_THAT(told[0], Contains("4 tags I-… go on with no entity of the same type: read as B-…"));
}

TEST_CASE("files with tags are told from tables by their first word") {
  CHECK(looks_tagged("## 주석\n\n서울\tB-LC\n"));
  CHECK(looks_tagged("그 O\n"));
  CHECK(looks_tagged(kConllu));
  CHECK_FALSE(looks_tagged("text\tlabel\n서울\tB-LC\n"));
  CHECK_FALSE(looks_tagged("text,label\n"));
  CHECK_FALSE(looks_tagged(""));
}

TEST_CASE("every mistake in tagged words is one line that names file and line") {
  CHECK(refused_tags("a.conll", "서울 B-LC\n부산 S-LC\n") ==
        "a.conll:2: found the tag \"S-LC\", expected O, B-… or I-…");
  CHECK(refused_tags("a.conll", "서울 B-LC\n부산\n") ==
        "a.conll:2: found \"부산\", expected a word and its tag");
  CHECK(refused_tags("a.conll", "서울\tB-LC\n \tO\n") ==
        "a.conll:2: found \" \tO\", expected a word in column 1");
  CHECK_THAT(refused_tags("a.conllu", std::string(kConllu) + "1\t학교\n"),
             Contains("the ten columns of CoNLL-U"));
  CHECK_THAT(refused_tags("a.conll", "# 없음\n"), Contains("has no sentences"));
}

TEST_CASE("sentences are held out with every tag kept in training") {
  const Scratch scratch;
  std::string text;
  for (int i = 0; i < 100; ++i)
    text += "서울" + std::to_string(i) + (i == 3 ? " B-OG" : " B-LC") + "\n간다 O\n\n";
  write_bytes(scratch / "a.conll", text);
  FileSource source;
  source.train = {scratch / "a.conll"};
  const TaggedSplits splits = read_tagged_files(source, [](const std::string&) {});
  CHECK(splits.train.size() + splits.dev.size() + splits.test.size() == 100);
  CHECK(splits.test.size() >= 9);
  CHECK(std::ranges::count_if(splits.train, [](const TaggedSentence& one) {
          return one.tags.front() == "B-OG";
        }) == 1);
}

}  // namespace minibert
