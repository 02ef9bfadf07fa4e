// Words of several pieces in a mask's place: against what fill() says of one piece, and of a text that
// has the masks written out.
#include "infer/word_guesses.h"

#include <catch2/catch.hpp>

#include "infer/fill_json.h"
#include "random_model.h"

using namespace minibert;
using namespace minibert::test;
using infer::FillMask;
using infer::FillResult;
using infer::WordGuess;
using infer::WordScore;

namespace {

struct LoadedGuesser {
  AlignedBytes file{random_mbq(small_model(), MbqWeights::int8)};
  FillMask fill_mask;
  LoadedGuesser() { REQUIRE(fill_mask.load(file.span()).ok()); }
  FillResult fill(const std::string& text, size_t top_k) {
    FillResult result;
    REQUIRE(fill_mask.fill(text, top_k, &result).ok());
    return result;
  }
  WordScore score(const std::string& text, size_t mask, const std::string& word) {
    WordScore score;
    const auto status = infer::score_word(fill_mask, text, mask, word, &score);
    INFO(status.message());
    REQUIRE(status.ok());
    return score;
  }
  std::vector<WordGuess> guess(const std::string& text, size_t mask, size_t top) {
    std::vector<WordGuess> words;
    REQUIRE(infer::guess_words(fill_mask, text, mask, top, &words).ok());
    return words;
  }
};

const std::string kText = "고구려는 [MASK]에 세운 [MASK] 나라이다.";

}  // namespace

TEST_CASE("a word of one piece has the rank and the probability that fill() gives it") {
  LoadedGuesser loaded;
  for (const size_t mask : {0, 1}) {
    const auto guesses = loaded.fill(kText, 40).masks[mask].guesses;
    size_t compared = 0;
    for (size_t k = 0; k < guesses.size(); ++k) {
      const auto score = loaded.score(kText, mask, guesses[k].text);
      if (score.pieces.size() != 1) continue;  // the tokenizer divides it otherwise
      ++compared;
      CHECK(score.pieces[0].id == guesses[k].id);
      CHECK(score.pieces[0].rank == k + 1);
      CHECK(score.probability == Approx(guesses[k].probability).epsilon(1e-5));
    }
    CHECK(compared > 10);
  }
}

TEST_CASE("a word of two pieces is scored as two masks, the second with the first filled") {
  LoadedGuesser loaded;
  const auto score = loaded.score("나라[MASK] 나라", 0, "는데요");
  REQUIRE(score.pieces.size() >= 2);
  std::string masks, known;
  float product = 1;
  for (size_t i = 0; i < score.pieces.size(); ++i) masks += "[MASK]";
  const auto first = loaded.fill("나라" + masks + " 나라", 100000).masks[0].guesses;
  const auto& piece = score.pieces[0];
  REQUIRE(piece.rank >= 1);
  CHECK(first[piece.rank - 1].id == piece.id);
  CHECK(first[piece.rank - 1].probability == Approx(piece.probability).epsilon(1e-5));
  for (const auto& each : score.pieces) product *= each.probability;
  CHECK(score.probability == Approx(product));
}

TEST_CASE("a guessed word has the probability that its score has, best first") {
  LoadedGuesser loaded;
  const auto words = loaded.guess(kText, 0, 30);
  REQUIRE(words.size() == 30);
  const auto single = loaded.fill(kText, 1).masks[0].guesses[0];
  bool has_best_piece = false;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0) CHECK(words[i].probability <= words[i - 1].probability);
    CHECK_FALSE(words[i].text.empty());
    CHECK(words[i].ids.size() <= infer::kMostWordPieces);
    if (words[i].ids.size() > 1)
      CHECK(words[i].probability ==
            Approx(loaded.score(kText, 0, words[i].text).probability).epsilon(1e-5));
    if (words[i].text != single.text) continue;
    has_best_piece = true;
    CHECK(words[i].probability == Approx(single.probability).epsilon(1e-5));
  }
  CHECK(has_best_piece);
}

TEST_CASE("the best words are the same however many are asked for") {
  LoadedGuesser loaded;
  for (const std::string& text : {kText, std::string("나라[MASK] 나라")}) {
    const auto many = loaded.guess(text, 0, 50);
    for (const size_t top : {1, 5, 20}) {
      const auto few = loaded.guess(text, 0, top);
      REQUIRE(few.size() == top);
      for (size_t i = 0; i < top; ++i) CHECK(few[i].ids == many[i].ids);
    }
  }
}

TEST_CASE("a text that is as long as the model reads still has words of one piece") {
  LoadedGuesser loaded;
  std::string text = "[MASK]";
  while (true) {
    std::vector<infer::Token> tokens;
    REQUIRE(loaded.fill_mask.tokenize(text + " 나라", &tokens).ok());
    if (tokens.size() > 64) break;
    text += " 나라";
  }
  std::vector<infer::Token> tokens;
  REQUIRE(loaded.fill_mask.tokenize(text, &tokens).ok());
  for (const auto& word : loaded.guess(text, 0, 10))
    CHECK(tokens.size() + word.ids.size() - 1 <= 64);
}

TEST_CASE("words and masks that cannot be scored are errors") {
  LoadedGuesser loaded;
  const auto error = [&](const std::string& text, size_t mask, const std::string& word) {
    WordScore score;
    return infer::score_word(loaded.fill_mask, text, mask, word, &score).message();
  };
  CHECK(error("나라", 0, "나라") == "the text has no [MASK]");
  CHECK(error("", 0, "나라") == "the text is empty");
  CHECK(error("[MASK] 나라", 1, "나라") == "found 1 masks, asked for number 2");
  CHECK(error("[MASK]", 0, "") == "the word is empty");
  CHECK(error("[MASK]", 0, "  ") == "the word is empty");
  CHECK(error("[MASK]", 0, "나[MASK]") == "the word has a [MASK] in it");
  CHECK(error("[MASK]", 0, "\xff") == "the text is not valid UTF-8");
  std::string long_word;
  for (int i = 0; i < 60; ++i) long_word += "나라";
  CHECK(error("[MASK]", 0, long_word).find("expected at most 12") != std::string::npos);
}

TEST_CASE("words and scores as JSON have the documented keys") {
  LoadedGuesser loaded;
  const auto words = infer::to_json(loaded.guess(kText, 1, 3), loaded.fill_mask.tokenizer());
  CHECK(words.size() == 3);
  CHECK(words[0]["pieces"][0]["piece"].is_string());
  CHECK(words[0]["probability"].is_number());
  const auto score = infer::to_json(loaded.score(kText, 1, "나라"));
  CHECK(score["pieces"][0].contains("rank"));
  CHECK(score.contains("probability"));
}
