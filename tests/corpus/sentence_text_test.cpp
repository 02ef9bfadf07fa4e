#include "data/made/sentence_text.h"

#include <catch2/catch.hpp>
#include <set>

#include "core/files.h"
#include "data/corpus.h"
#include "support/scratch.h"

namespace minibert::testing {
namespace {

using Sentences = std::vector<std::string>;

Sentences of(const std::string& paragraph, bool utterances = false) {
  return single_sentences(paragraph, utterances, {});
}

}  // namespace

TEST_CASE("a paragraph gives its sentences without what is no sentence of words") {
  CHECK(of("비가 많이 왔다. 우산은 없었어요! 누가 우산을 가져갔을까? 모른다") ==
        Sentences{"비가 많이 왔다.", "우산은 없었어요!", "누가 우산을 가져갔을까?"});
  CHECK(of("2001년에 높이 3.5미터의 큰 탑을 세웠다. 서울특별시 종로구") ==
        Sentences{"2001년에 높이 3.5미터의 큰 탑을 세웠다."});
  CHECK(of("탑(높이 3미터. 돌로 만들었다.") == Sentences{"돌로 만들었다."});
  CHECK(of("그는 \"집에 가자. 늦었다\"고 말했다.").empty());
  CHECK(of("틀은 {{틀}} 이렇게 쓴다.").empty());
  CHECK(of("The quick brown fox 이다.").empty());
  CHECK(of("가자.").empty());
  CHECK(of("한국어위키백과입니다.").empty());  // one word
  std::string long_one;
  for (int i = 0; i < 20; ++i) long_one += "아주 긴 ";
  CHECK(of(long_one + "말이다.").empty());
}

TEST_CASE("an utterance gets the mark that its last syllable asks for") {
  CHECK(of("내일 아침에 일찍 깨워줘", true) == Sentences{"내일 아침에 일찍 깨워줘."});
  CHECK(of("내일은 비가 올까 ", true) == Sentences{"내일은 비가 올까?"});
  CHECK(of("내일 아침 날씨", true).empty());
  CHECK(of("내일은 비가 올까", false).empty());
}

TEST_CASE("every sentence is a document of its own, once, and the same for the same seed") {
  const Scratch folder;
  write_file_atomically(folder / "a.txt",
                        "제목\n첫 문장은 짧은 글이다. 둘째 문장은 더 길다.\n\n"
                        "다른 제목\n첫 문장은 짧은 글이다. 셋째 문장도 여기 있다.\n");
  write_file_atomically(folder / "b.txt", "지금 몇 시인지 알려줘\n둘째 문장은 더 길다\n");
  const std::vector<SentenceSource> sources = {{folder / "a.txt", false}, {folder / "b.txt", true}};
  const auto counts = write_sentence_text(sources, folder / "out.txt", {});
  REQUIRE(counts.size() == 2);
  CHECK(counts[0].paragraphs == 4);
  CHECK(counts[0].sentences == 3);
  CHECK(counts[1].sentences == 1);  // the other stands in a.txt
  CorpusReader reader({folder / "out.txt"});
  std::set<std::string> read;
  for (Document document; reader.next(&document);) {
    CHECK(document.paragraphs.size() == 1);
    CHECK(read.insert(document.paragraphs.front()).second);
  }
  CHECK(read.size() == 4);
  CHECK(read.contains("지금 몇 시인지 알려줘."));
  const std::string bytes = read_file(folder / "out.txt");
  write_sentence_text(sources, folder / "out.txt", {});
  CHECK(read_file(folder / "out.txt") == bytes);
  const auto fewer = write_sentence_text(sources, folder / "out.txt", {.most = 2});
  CHECK(fewer[0].found == 3);
  CHECK(fewer[0].sentences == 2);
}

TEST_CASE("a text that is not UTF-8 makes no sentences in silence") {
  const Scratch folder;
  write_file_atomically(folder / "a.txt", "\xb4\xeb\xc7\xd1\n우리는 함께 길을 걸었다.\n");
  const std::vector<SentenceSource> sources = {{folder / "a.txt", false}};
  CHECK_THROWS_WITH(write_sentence_text(sources, folder / "out.txt", {}),
                    Catch::Contains("a.txt:1: not valid UTF-8"));
}

}  // namespace minibert::testing
