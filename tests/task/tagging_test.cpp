// Tags of characters as tags of pieces, and back.
#include <catch2/catch.hpp>

#include "core/text.h"
#include "core/utf8.h"
#include "task/tagging/tagging_data.h"

namespace minibert {
namespace {

using Tags = std::vector<std::string>;

const Tokenizer& tagging_tokenizer() {
  static const Tokenizer one = Tokenizer::from_bytes(
      train_tokenizer({"experiments/sample/corpus.txt"}, {.vocab_size = 1500}, true));
  return one;
}

}  // namespace

TEST_CASE("pieces know the characters they stand for, whatever spaces lie between") {
  TaggingSplit split;
  const std::string text = "세종대왕은  1443년에 훈민정음을 만들었다.";
  append_tagging_row(tagging_tokenizer(), text, 64, &split);
  REQUIRE(split.characters.size() == 1);
  CHECK(split.rows.ids[0].size() == split.characters[0].size() + 2);
  const std::u32string characters = to_code_points(text);
  uint32_t last = 0;
  std::u32string covered;
  for (const PieceCharacters& piece : split.characters[0]) {
    CHECK(piece.begin >= last);
    last = piece.end;
    covered += characters.substr(piece.begin, piece.end - piece.begin);
  }
  CHECK(covered == U"세종대왕은1443년에훈민정음을만들었다.");
}

TEST_CASE("tags go to pieces and come back where entities begin and end with pieces") {
  // Characters: 0-1 | 2 | 3 is a space | 4-5 | 6
  const std::vector<PieceCharacters> pieces = {{0, 2}, {2, 3}, {4, 6}, {6, 7}};
  const Tags tags = {"O", "B-PS", "I-PS"};
  const Tags characters = {"B-PS", "I-PS", "O", "O", "B-PS", "I-PS", "I-PS"};
  const auto targets = piece_tags(pieces, characters, tags, "own.tsv:1");
  CHECK(targets == std::vector<int64_t>{1, 0, 1, 2});
  CHECK(character_tags(pieces, {"B-PS", "O", "B-PS", "I-PS"}, 7) == characters);
}

TEST_CASE("a tag that the model lacks is told with its place") {
  CHECK_THROWS_WITH(piece_tags({{0, 2}}, {"B-LC", "I-LC"}, {"O", "B-PS"}, "own.tsv:7"),
                    "own.tsv:7: found the tag \"B-LC\", expected one of: O, B-PS");
}

TEST_CASE("a space within an entity belongs to it, one between entities does not") {
  const std::vector<PieceCharacters> pieces = {{0, 1}, {2, 3}, {4, 5}};
  CHECK(character_tags(pieces, {"B-OG", "I-OG", "B-OG"}, 5) ==
        Tags{"B-OG", "I-OG", "I-OG", "O", "B-OG"});
}

TEST_CASE("an I- that continues nothing begins an entity") {
  const std::vector<PieceCharacters> pieces = {{0, 1}, {1, 2}, {2, 3}};
  CHECK(character_tags(pieces, {"I-OG", "I-PS", "I-PS"}, 3) == Tags{"B-OG", "B-PS", "I-PS"});
}

TEST_CASE("a text longer than the model reads keeps its first pieces and is O beyond") {
  TaggingSplit split;
  append_tagging_row(tagging_tokenizer(), "가 나 다 라 마 바 사", 5, &split);
  CHECK(split.rows.ids[0].size() == 5);
  CHECK(split.characters[0].size() == 3);
  const Tags tags = character_tags(split.characters[0], Tags(3, "B-PS"), 13);
  CHECK(tags[0] == "B-PS");
  CHECK(tags[12] == "O");
}

}  // namespace minibert
