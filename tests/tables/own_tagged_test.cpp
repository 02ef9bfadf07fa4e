// Tagged sentences in the forms that people have them in.
#include "data/own/own_tagged.h"

#include <catch2/catch.hpp>

#include "files.h"

namespace minibert {
namespace {

using Catch::Matchers::Contains;
using testing::mistake;
using testing::Scratch;
using testing::source_of;
using testing::write_bytes;
using Tags = std::vector<std::string>;

// The sentences of a file, measured as a test split is, so that they keep their order.
std::vector<TaggedSentence> read_tags(const std::string& name, const std::string& text,
                                      OwnSource source = {}, Tags* told = nullptr) {
  const Scratch scratch;
  write_bytes(scratch / name, text);
  source.test = {scratch / name};
  return load_own_tagged(source,
                         [&](const std::string& line) {
                           if (told != nullptr) told->push_back(line);
                         })
      .test;
}

std::string wrong(const std::string& text, Tags* told = nullptr) {
  const Scratch scratch;
  write_bytes(scratch / "own.tsv", text);
  OwnSource source;
  source.test = {scratch / "own.tsv"};
  return mistake(scratch, [&] {
    load_own_tagged(source, [&](const std::string& line) {
      if (told != nullptr) told->push_back(line);
    });
  });
}

}  // namespace

TEST_CASE(
    "rows that begin with a date and have ten words are no CoNLL-U, whose cells stand between "
    "tabs") {
  const Scratch scratch;
  std::string rows = "작성일,내용,분류\n";
  for (int i = 0; i < 60; ++i)
    rows += "2024-01-10 12:30:22,음식 아침 영화 사람 학교 이야기 친구 오늘 " + std::to_string(i) +
            (i % 2 == 0 ? "번,불만\n" : "번,칭찬\n");
  write_bytes(scratch / "log.csv", rows);
  CHECK(form_of(source_of(scratch / "log.csv")) == OwnForm::labelled);
}

TEST_CASE("KLUE's characters") {
  const auto sentences = read_tags(
      "own.tsv", "## comment\r\n박\tB-PS\r\n씨\tI-PS\r\n \tO\r\n#\tO\r\n\r\n서\tB-LC\r\n");
  REQUIRE(sentences.size() == 2);
  CHECK(sentences[0].text == "박씨 #");
  CHECK(sentences[0].tags == Tags{"B-PS", "I-PS", "O", "O"});
}

TEST_CASE("CoNLL: words of any number of columns, the tag last") {
  const auto sentences = read_tags(
      "own.txt", "-DOCSTART- -X- O\n\n박 NN B-PS\n지성이 NN I-PS\n왔다 VV O\n\n서울 NN B-LC\n");
  REQUIRE(sentences.size() == 2);
  CHECK(sentences[0].text == "박 지성이 왔다");
  CHECK(sentences[0].tags == Tags{"B-PS", "I-PS", "I-PS", "I-PS", "I-PS", "O", "O", "O"});
  OwnSource source;
  source.columns.label = "2";
  CHECK_THROWS_WITH(read_tags("own.txt", "박 NN B-PS\n\n서울 NN B-LC\n\n", source),
                    Contains("found the tag \"NN\", expected O, B-… or I-…"));
}

TEST_CASE("CoNLL-U: every word is an entity of its tag; ranges and empty nodes as written") {
  const std::string text =
      "# text = 나는 간다.\n"
      "1-2\t나는\t_\t_\t_\t_\t_\t_\t_\t_\n"
      "1\t나\t나\tPRON\tNP\t_\t3\tnsubj\t_\t_\n"
      "2\t는\t는\tADP\tJX\t_\t1\tcase\t_\t_\n"
      "3\t간다\t가\tVERB\tVV\t_\t0\troot\t_\tSpaceAfter=No\n"
      "3.1\t_\t_\t_\t_\t_\t_\t_\t_\t_\n"
      "4\t.\t.\tPUNCT\tSF\t_\t3\tpunct\t_\t_\n\n";
  const auto sentences = read_tags("own.conllu", text);
  REQUIRE(sentences.size() == 1);
  CHECK(sentences[0].text == "나는 간다.");
  CHECK(sentences[0].tags == Tags{"B-PRON+ADP", "I-PRON+ADP", "O", "B-VERB", "I-VERB", "B-PUNCT"});
  OwnSource source;
  source.columns.label = "xpos";
  CHECK(read_tags("own.conllu", text, source)[0].tags[3] == "B-VV");
  source.columns.label = "xxpos";
  CHECK_THROWS_WITH(read_tags("own.conllu", text, source),
                    Contains("label: found \"xxpos\", expected one of"));
}

TEST_CASE("JSON with a list of words and a list of tags") {
  const auto sentences = read_tags(
      "own.jsonl", "{\"tokens\": [\"박지성이\", \"왔다\"], \"tags\": [\"B-PS\", \"O\"]}\n");
  CHECK(sentences.at(0).text == "박지성이 왔다");
  OwnSource source;
  source.labels = {{"0", "O"}, {"1", "B-PS"}};
  CHECK(read_tags("own.jsonl", "{\"tokens\": [\"박\"], \"ner_tags\": [1]}\n", source)[0].tags ==
        Tags{"B-PS"});
}

TEST_CASE("BIOES, BILOU and IOB1 are read as BIO") {
  const auto tags_of = [](const Tags& tags) {
    std::string text;
    for (const std::string& tag : tags) text += "말 x " + tag + "\n";
    const Tags of_characters = read_tags("own.conll", text + "\n").at(0).tags;
    Tags of_words;
    for (size_t i = 0; i < of_characters.size(); i += 2) of_words.push_back(of_characters[i]);
    return of_words;
  };
  CHECK(tags_of({"B-PS", "I-PS", "E-PS", "S-PS", "O"}) ==
        Tags{"B-PS", "I-PS", "I-PS", "B-PS", "O"});
  CHECK(tags_of({"B-PS", "L-PS", "U-LC"}) == Tags{"B-PS", "I-PS", "B-LC"});
  CHECK(tags_of({"I-PS", "I-PS", "B-PS", "I-LC"}) == Tags{"B-PS", "I-PS", "B-PS", "B-LC"});
  CHECK(read_tags("own.tsv", "박\tS-PS\n씨\tO\n와\tO\n\n").at(0).tags == Tags{"B-PS", "O", "O"});
}

TEST_CASE("words that begin with # are words, and WordPiece's ## goes on with the one before") {
  const auto pieces = read_tags(
      "own.conll", "박\tB-PS\n##철수\tI-PS\n##는\tO\n서울\tB-LC\n##에\tO\n\n## tag line\n");
  REQUIRE(pieces.size() == 1);
  CHECK(pieces[0].text == "박철수는 서울에");
  CHECK(pieces[0].tags == Tags{"B-PS", "I-PS", "I-PS", "O", "O", "B-LC", "I-LC", "O"});
  const auto hashtags =
      read_tags("own.conll", "# O\n서울 B-LC\n여행 O\n\n# text = 나는 간다\n나 O\n");
  REQUIRE(hashtags.size() == 2);
  CHECK(hashtags[0].text == "# 서울 여행");
  CHECK(hashtags[1].text == "나");
}

TEST_CASE("a first column that counts words is no word") {
  const auto sentences =
      read_tags("own.conll", "1\t박철수\tB-PS\n2\t왔다\tO\n\n1\t서울\tB-LC\n2\t1\tO\n3\t번지\tO\n");
  REQUIRE(sentences.size() == 2);
  CHECK(sentences[0].text == "박철수 왔다");
  CHECK(sentences[1].text == "서울 1 번지");
}

TEST_CASE("tags of other spellings, and lines that are blank but for white space") {
  const auto naver =
      read_tags("own.tsv", "1\t비토리오\tPER_B\n2\t양\tPER_I\n3\t왔다\t-\n\n1\t네\t-\n");
  REQUIRE(naver.size() == 2);
  CHECK(naver[0].text == "비토리오 양 왔다");
  CHECK(naver[0].tags == Tags{"B-PER", "I-PER", "I-PER", "I-PER", "I-PER", "I-PER", "O", "O", "O"});
  const auto spaced = read_tags("own.tsv", "박철수 \tB_PS \n왔다\tO\n\t\n서울\tB_LC\n \n네\tO\n");
  REQUIRE(spaced.size() == 3);
  CHECK(spaced[0].text == "박철수 왔다");
  CHECK(spaced[1].tags == Tags{"B-LC", "I-LC"});
  for (const char* text :
       {"박\tB-PS\n씨\tO\n\t\n서\tB-LC\n", "1\t박\tPS_B\n2\t씨\t-\n \n1\t서\t-\n"})
    CHECK(looks_tagged(text));
  CHECK_FALSE(looks_tagged("좋다\tO\n싫다\tO\n\n그렇다\tO\n"));  // labels
}

TEST_CASE("JSON: numbers without names are refused, a mistyped tag is told, types alone are read") {
  const auto sentence = [](const char* tags) {
    return std::string("{\"tokens\": [\"박\", \"씨\", \"왔다\"], \"ner_tags\": ") + tags + "}\n";
  };
  const auto told = [&](const std::string& text) {
    try {
      read_tags("own.jsonl", text);
      return std::string();
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  CHECK_THAT(told(sentence("[1, 2, 0]")),
             Contains("own.jsonl:1: found the number 1 as a tag, expected the key \"labels\""));
  CHECK_THAT(told(sentence(R"(["B-PS", "I-PS", "O"])") + sentence(R"(["B-PS", "I-PS", "o"])")),
             Contains("own.jsonl:2: found the tag \"o\", expected O, B-… or I-…"));
  CHECK(read_tags("own.jsonl", sentence(R"(["NNP", "NNB", "VV"])")).at(0).tags ==
        Tags{"B-NNP", "O", "B-NNB", "O", "B-VV", "I-VV"});
}

TEST_CASE("sentences have their place, and those in two splits and tags of one are told") {
  const Scratch scratch;
  std::string train;
  for (int i = 0; i < 40; ++i) train += "박" + std::to_string(i) + " B-PS\n왔다 O\n\n";
  write_bytes(scratch / "train.txt", train);
  write_bytes(scratch / "test.txt", "# a comment\n서울 B-LC\n\n박3 B-PS\n왔다 O\n\n");
  OwnSource source = source_of(scratch / "train.txt");
  source.test = {scratch / "test.txt"};
  std::vector<std::string> told;
  const TaggedSplits splits =
      load_own_tagged(source, [&](const std::string& line) { told.push_back(line); });
  CHECK(splits.test.at(0).where == scratch / "test.txt" + ":2");
  CHECK(splits.test.at(1).where == scratch / "test.txt" + ":4");
  CHECK_THAT(told, Catch::VectorContains(
                       std::string("note: 1 of the 2 texts of test stands in training, too")));
  CHECK_THAT(
      told, Catch::VectorContains(std::string("note: training lacks the tags B-LC, I-LC of test")));
}

TEST_CASE("a first line names the columns of words and tags, and is told") {
  for (const std::string names : {"word\ttag", "단어\t개체명", "Token\tNER"}) {
    INFO(names);
    const std::string text = names + "\n김철수\tB-PER\n는\tO\n\n서울\tB-LOC\n";
    CHECK(looks_tagged(text));
    Tags told;
    const auto sentences = read_tags("own.tsv", text, {}, &told);
    REQUIRE(sentences.size() == 2);
    CHECK(sentences[0].text == "김철수 는");
    CHECK(sentences[0].where.ends_with("own.tsv:2"));
    CHECK_THAT(told.at(0),
               Contains("words \"" + names.substr(0, names.find('\t')) + "\", tags \""));
  }
  // The tag need not be the last then, and names are taken by --column.
  const std::string three = "form\tner\tpos\n김철수\tB-PER\tNNP\n는\tO\tJX\n\n서울\tB-LOC\tNNP\n";
  CHECK(looks_tagged(three));
  CHECK(read_tags("own.tsv", three).at(1).tags == Tags{"B-LOC", "I-LOC"});
  OwnSource source;
  source.columns.label = "pos";
  CHECK_THROWS_WITH(read_tags("own.tsv", three, source),
                    Contains("own.tsv:2: found the tag \"NNP\", expected O"));
  // Names that are not known are no tags, and what is known is told.
  CHECK_THAT(wrong("낱말\t이름표\n김철수\tB-PER\n\n서울\tB-LOC\n"),
             Contains("own.tsv:1: found the tag \"이름표\"") &&
                 Contains("names of columns are known as word and tag, or 단어 and 태그"));
}

TEST_CASE("a table of words with a column of sentences, in each row or in a sentence's first") {
  Tags told;
  const std::string kaggle =
      "Sentence #,Word,POS,Tag\nSentence: 1,김철수,NN,B-PER\n,\"1,000\",CD,O\n,갔다,VV,O\n"
      "Sentence: 2,서울,NN,B-LOC\n,역,NN,I-LOC\n";
  CHECK(looks_tagged(kaggle));
  const auto merged = read_tags("own.csv", kaggle, {}, &told);
  REQUIRE(merged.size() == 2);
  CHECK(merged[0].text == "김철수 1,000 갔다");
  CHECK(merged[1].tags == Tags{"B-LOC", "I-LOC", "I-LOC", "I-LOC"});
  CHECK(merged[1].where.ends_with("own.csv:5"));
  CHECK_THAT(told.at(0), Contains("words \"Word\", tags \"Tag\", sentences \"Sentence #\""));
  CHECK_THAT(told.at(1),
             Contains("3 rows do not say their sentence: they go on with the one above"));
  for (const std::string separator : {",", "\t", ";"}) {
    std::string text = "sentence_id,word,tag\n0,김철수,S-PER\n0,는,O\n1,서울,B-LOC\n1,역,E-LOC\n";
    for (char& c : text)
      if (c == ',') c = separator[0];
    INFO(text);
    CHECK(looks_tagged(text));
    const auto sentences = read_tags("own.csv", text);
    REQUIRE(sentences.size() == 2);
    CHECK(sentences[0].tags == Tags{"B-PER", "I-PER", "I-PER", "O", "O"});
  }
  // Blank rows end sentences, too; nothing at all is told, as no sentence has so many words.
  for (const std::string blank : {"\n", ",\n"}) {
    const std::string text = "김철수,B-PER\n는,O\n" + blank + "서울,B-LOC\n";
    CHECK(looks_tagged(text));
    CHECK(read_tags("own.csv", text).size() == 2);
  }
  std::string endless = "word,tag\n", lines = "word\ttag\n";
  for (int i = 0; i < 300; ++i) {
    endless += "말" + std::to_string(i) + (i % 2 == 0 ? ",O\n" : ",B-PER\n");
    lines += "말" + std::to_string(i) + (i % 2 == 0 ? "\tO\n" : "\tB-PER\n");
  }
  for (const std::string& text : {endless, lines}) {
    CHECK(looks_tagged(text));
    CHECK_THAT(wrong(text), Contains("own.tsv: found 300 words with tags and nothing that ends a "
                                     "sentence, expected a blank line or row"));
  }
  // Texts with labels are none.
  CHECK_FALSE(looks_tagged("text,label\n아주 좋다,O\n정말 싫다,B-1\n"));
  CHECK_FALSE(looks_tagged("word,tag\n좋다,긍정\n싫다,부정\n"));
}

TEST_CASE("words of which none is an entity are words to be tagged, and no tagged ones") {
  const std::string outside = "단어0\tO\n단어1\tO\n\n단어2\tO\n";
  CHECK(looks_like_words(outside));
  CHECK_FALSE(looks_tagged(outside));
  CHECK_FALSE(looks_like_words("아주 좋다\tO\n정말 싫다\tO\n\n그냥 그렇다\tO\n"));
  CHECK_FALSE(looks_like_words("좋다\tO\n싫다\tX\n\n그렇다\tX\n"));
}

TEST_CASE("a tag that is none says nothing of the scheme") {
  Tags told;
  CHECK_THAT(wrong("김철수\tB-PER\n서울\tLOC\n갔다\tO\n\n", &told),
             Contains("own.tsv:2: found the tag \"LOC\", expected O, B-…"));
  CHECK(told.empty());
}

TEST_CASE("every tag of lines has its line") {
  const auto sentences = read_tags("own.tsv", "박\tB-PS\n씨\tO\n\n서울역\tB-LC\n앞\tI-LC\n");
  CHECK(place_of_tag(sentences.at(1), 0).ends_with("own.tsv:4"));
  CHECK(place_of_tag(sentences.at(1), 4).ends_with("own.tsv:5"));
  const auto listed = read_tags("own.jsonl", R"({"tokens": ["박", "씨"], "tags": ["B-PS", "O"]})");
  CHECK(place_of_tag(listed.at(0), 1).ends_with("own.jsonl:1"));
}

TEST_CASE("every mistake in tags is one line with its place") {
  CHECK(wrong("박\tI-PS\n씨\tO\n\n박\tB-PS\n\n") ==
        "own.tsv:1: found the tag \"I-PS\" after the sentence's start, expected B-PS first");
  CHECK_THAT(wrong("박\tB-PS\n씨\tX-PS\n\n"), Contains("own.tsv:2: found the tag \"X-PS\""));
  CHECK_THAT(wrong("박\tB-PS\n씨\tI-LC\n\n"), Contains("expected B-LC first"));
  CHECK_THAT(wrong("박\n"), Contains("own.tsv:1: found \"박\", expected a word and its tag"));
  CHECK_THAT(wrong("## nothing\n"), Contains("has no sentences"));
}

}  // namespace minibert
