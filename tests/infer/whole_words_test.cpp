// Names of whole words, from the logits of pieces; and the best tags that make entities.
#include "infer/whole_words.h"

#include <catch2/catch.hpp>
#include <map>

#include "core/utf8.h"
#include "decomposed.h"
#include "rules/tag_decode.h"

using namespace minibert;

namespace {

const std::vector<std::string> kTags = {"O", "B-PS", "I-PS", "B-OG", "I-OG", "B-DT", "I-DT"};

// A piece: what it stands for, and the logits of tags; of all others 0.
struct Piece {
  std::string text;
  std::map<std::string, float> logits;
};

// "<지난 토요일:DT>에": the entities that whole words give. Pieces lie one behind the other, with a "_" for a space
// before them.
std::string marked(const std::vector<Piece>& pieces) {
  std::u32string text;
  std::vector<PieceCharacters> places;
  std::vector<float> logits;
  for (const Piece& piece : pieces) {
    std::u32string characters = to_code_points(piece.text);
    if (characters.starts_with(U"_")) {
      text += U' ';
      characters.erase(0, 1);
    }
    const auto begin = static_cast<uint32_t>(text.size());
    text += characters;
    places.push_back({begin, static_cast<uint32_t>(text.size())});
    for (const std::string& tag : kTags)
      logits.push_back(piece.logits.contains(tag) ? piece.logits.at(tag) : 0);
  }
  std::vector<std::string> of_pieces;
  for (const uint32_t tag : infer::tags_of_whole_words(text, places, logits, kTags))
    of_pieces.push_back(kTags[tag]);
  const std::vector<std::string> tags = character_tags(places, of_pieces, text.size());
  const std::vector<std::string_view> views(tags.begin(), tags.end());
  std::string out;
  size_t at = 0;
  for (const Entity& entity : strict_entities(views)) {
    out += to_utf8(text.substr(at, entity.begin - at)) + "<" +
           to_utf8(text.substr(entity.begin, entity.end - entity.begin)) + ":" + entity.type + ">";
    at = entity.end;
  }
  return out + to_utf8(text.substr(at));
}

}  // namespace

TEST_CASE(
    "a word whose pieces disagree is one name, of the kind that all of them make most probable") {
  CHECK(marked({{"롯", {{"B-PS", 5}, {"B-OG", 4}}},
                {"데월", {{"I-OG", 5}, {"B-OG", 6}}},
                {"드에", {{"I-OG", 5}}},
                {"_갔다", {{"O", 9}}}}) == "<롯데월드에:OG> 갔다");
}

TEST_CASE("a name does not begin inside a word") {
  CHECK(marked({{"이", {{"O", 2}, {"B-PS", 1}}}, {"순신", {{"B-PS", 5}, {"I-PS", 4}}}}) ==
        "<이순신:PS>");
  CHECK(marked({{"대", {{"O", 6}}}, {"선", {{"B-PS", 2}, {"I-PS", 1}}}, {"_이", {{"O", 6}}}}) ==
        "대선 이");
}

TEST_CASE("a name inside a word stays where the model is sure of it") {
  CHECK(marked({{"난", {{"O", 9}}}, {"강혜", {{"B-PS", 9}}}, {"정이", {{"I-PS", 9}}}}) ==
        "난<강혜정이:PS>");
  CHECK(marked({{"남", {{"B-OG", 9}}}, {"북", {{"B-OG", 9}}}}) == "<남:OG><북:OG>");
}

TEST_CASE("a name ends before a particle, and else inside a word only where that is sure") {
  const std::map<std::string, float> unsure = {{"O", 5}, {"I-OG", 4}};
  const Piece seoul = {"서울", {{"B-OG", 9}}};
  CHECK(marked({seoul, {"에서", unsure}}) == "<서울:OG>에서");
  CHECK(marked({seoul, {"역에", unsure}}) == "<서울역에:OG>");
  CHECK(marked({seoul, {"역에", {{"O", 9}}}}) == "<서울:OG>역에");
  CHECK(marked({seoul, {"2호", unsure}}) == "<서울:OG>2호");
  CHECK(marked({seoul, {",", unsure}}) == "<서울:OG>,");
}

TEST_CASE("in a decomposed text names end where they end in its composed form") {
  const std::map<std::string, float> unsure = {{"O", 5}, {"I-OG", 4}};
  const Piece seoul = {test::decomposed("서울"), {{"B-OG", 9}}};
  CHECK(marked({seoul, {test::decomposed("에서"), unsure}}) == test::decomposed("<서울:OG>에서"));
  CHECK(marked({seoul, {test::decomposed("역에"), unsure}}) == test::decomposed("<서울역에:OG>"));
  CHECK(marked({{test::decomposed("지난"), {{"B-DT", 9}}},
                {test::decomposed("_토"), {{"I-DT", 9}}},
                {test::decomposed("요"), {{"I-DT", 9}}},
                {test::decomposed("일에"), {{"O", 16}}}}) ==
        test::decomposed("<지난 토요일에:DT>"));
}

TEST_CASE("a weekday is not cut, however sure the model is") {
  CHECK(marked({{"지난", {{"B-DT", 9}}},
                {"_토", {{"I-DT", 9}}},
                {"요", {{"I-DT", 9}}},
                {"일에", {{"O", 16}}}}) == "<지난 토요일에:DT>");
}

TEST_CASE("a space that is a piece of its own belongs to the name around it") {
  CHECK(marked({{"5", {{"B-DT", 9}}}, {"", {{"O", 9}}}, {"_월", {{"I-DT", 9}}}}) == "<5 월:DT>");
  CHECK(infer::tags_of_whole_words(U"", {}, {}, kTags).empty());
  CHECK(infer::tags_of_whole_words(U"가", {{0, 0}}, std::vector<float>{0, 1, 0, 0, 0, 0, 0},
                                   kTags) == std::vector<uint32_t>{1});
}

TEST_CASE("the best tags are those of each piece where these make entities") {
  const std::vector<std::string> tags = {"I-A", "O", "B-A"};
  std::vector<BorderCost> costs(3);
  CHECK(best_tag_path(std::vector<float>{0, 0, 1, 1, 0, 0, 0, 1, 0}, tags, costs) ==
        std::vector<uint32_t>{2, 0, 1});
  // An I- continues nothing at the beginning, or behind an O.
  const std::vector<float> unlike = {5, 0, 4, 0, 5, 0, 3, 0, 0};
  CHECK(best_tag_path(unlike, tags, costs) == std::vector<uint32_t>{2, 1, 1});
  costs[1].end = 2.5F;
  CHECK(best_tag_path(unlike, tags, costs) == std::vector<uint32_t>{2, 0, 0});
}

TEST_CASE("tags of which none may begin are given all the same") {
  CHECK(best_tag_path(std::vector<float>{0, 1, 1, 0}, {"I-A", "I-B"}, std::vector<BorderCost>(2))
            .size() == 2);
}

TEST_CASE("a long text without a space is read at once") {
  const size_t length = 200000;
  const std::u32string text(length, U'가');
  std::vector<PieceCharacters> places;
  for (uint32_t i = 0; i < length; ++i) places.push_back({i, i + 1});
  std::vector<float> logits(length * kTags.size(), 0);
  for (size_t i = 0; i < length; ++i) logits[i * kTags.size() + (i == 0 ? 1 : 2)] = 1;
  const std::vector<uint32_t> tags = infer::tags_of_whole_words(text, places, logits, kTags);
  CHECK(tags.front() == 1);
  CHECK(std::vector<uint32_t>(tags.begin() + 1, tags.end()) ==
        std::vector<uint32_t>(length - 1, 2));
}
