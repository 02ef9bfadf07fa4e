// Both forms of a particle behind a blank: which notations are found, and which form is read.
#include "rules/particle_pairs.h"

#include <catch2/catch.hpp>

#include "core/utf8.h"
#include "decomposed.h"
#include "infer/written_masks.h"
#include "random_model.h"

using namespace minibert;

namespace {

// The text with the form after a consonant or after a vowel, as guesses end in 밥 or in 차.
std::string chosen(const std::string& text, char32_t end) {
  return to_utf8(with_one_particle(to_code_points(text), [&](std::u32string_view, size_t) {
    return std::vector<GuessEnd>{{end, 0.5}};
  }));
}

}  // namespace

TEST_CASE("both forms of a particle are found in every notation, and one is read") {
  struct Case {
    std::string written, consonant, vowel;
  };
  for (const Case& one : std::vector<Case>{
           {"[MASK]을(를) 샀다", "[MASK]을 샀다", "[MASK]를 샀다"},
           {"[MASK]를(을) 샀다", "[MASK]을 샀다", "[MASK]를 샀다"},
           {"[MASK]을/를 샀다", "[MASK]을 샀다", "[MASK]를 샀다"},
           {"[MASK](을)를 샀다", "[MASK]을 샀다", "[MASK]를 샀다"},
           {"[MASK]은（는） 좋다", "[MASK]은 좋다", "[MASK]는 좋다"},
           {"[MASK]이(가).", "[MASK]이.", "[MASK]가."},
           {"[MASK](이)가 왔다", "[MASK]이 왔다", "[MASK]가 왔다"},
           {"[MASK]과/와", "[MASK]과", "[MASK]와"},
           {"[MASK](으)로 갔다", "[MASK]으로 갔다", "[MASK]로 갔다"},
           {"[MASK]으로(로) 갔다", "[MASK]으로 갔다", "[MASK]로 갔다"},
           {"[MASK](으)로써", "[MASK]으로써", "[MASK]로써"},
           {"[MASK](이)며", "[MASK]이며", "[MASK]며"},
           {"[MASK](이)랑", "[MASK]이랑", "[MASK]랑"},
           {"[MASK] 을(를) 샀다", "[MASK]을 샀다", "[MASK]를 샀다"},
           {"[MASK] 으로/로 갔다", "[MASK]으로 갔다", "[MASK]로 갔다"},
           {"[MASK] (을/를) 샀다", "[MASK]을 샀다", "[MASK]를 샀다"},
           {"[MASK][을/를] 샀다", "[MASK]을 샀다", "[MASK]를 샀다"},
           {"[MASK]( 을 / 를 ) 샀다", "[MASK]을 샀다", "[MASK]를 샀다"},
           {"[MASK]을 / 를 샀다", "[MASK]을 샀다", "[MASK]를 샀다"},
           {"[MASK]을·를 샀다", "[MASK]을 샀다", "[MASK]를 샀다"},
           {"[MASK]을 (를) 샀다", "[MASK]을 샀다", "[MASK]를 샀다"},
           {"\"[MASK]\"이/가 왔다", "\"[MASK]\"이 왔다", "\"[MASK]\"가 왔다"},
           {"“[MASK]”(이)라고", "“[MASK]”이라고", "“[MASK]”라고"},
           {"[MASK]이라고/라고", "[MASK]이라고", "[MASK]라고"},
           {"[MASK]이다/다.", "[MASK]이다.", "[MASK]다."},
           {"[MASK]예요/이에요", "[MASK]이에요", "[MASK]예요"},
           {"[MASK]이었다/였다", "[MASK]이었다", "[MASK]였다"},
           {"[MASK]은/는 [MASK]을/를 샀다", "[MASK]은 [MASK]을 샀다", "[MASK]는 [MASK]를 샀다"}}) {
    INFO(one.written);
    CHECK(chosen(one.written, U'밥') == one.consonant);
    CHECK(chosen(one.written, U'차') == one.vowel);
  }
  // 로 follows ㄹ, too.
  CHECK(chosen("[MASK](으)로", U'울') == "[MASK]로");
  CHECK(chosen("[MASK]을/를", U'울') == "[MASK]을");
  for (const std::string other : {"책을(를) [MASK]", "[MASK]을/를/이/가", "[MASK] 이것/것",
                                  "[MASK] (을)를", "[MASK] (가) 나", "[MASK]을 샀다", "[MASK](를)",
                                  "[MASK]을(은)", "[MASK](이)", "[MASK]이/가게", "[MASK]을(를", ""})
    CHECK(chosen(other, U'차') == other);
}

TEST_CASE("the form is read with which the model's guesses agree more probably") {
  const AlignedBytes file(test::random_mbq(test::small_model(), MbqWeights::int8));
  infer::FillMask model;
  REQUIRE(model.load(file.span()).ok());
  const std::string text = "그는 ( )을(를) 서울에서 보았다.";
  double agree[2] = {};
  for (const bool consonant : {false, true}) {
    infer::FillResult filled;
    REQUIRE(
        model
            .fill(consonant ? "그는 [MASK]을 서울에서 보았다." : "그는 [MASK]를 서울에서 보았다.",
                  infer::kParticleGuesses, &filled)
            .ok());
    for (const auto& [last, probability] : infer::guess_ends(filled, 0))
      if (last >= U'가' && last <= U'힣' && ((last - U'가') % 28 != 0) == consonant)
        agree[consonant] = std::max<double>(agree[consonant], probability);
  }
  REQUIRE(agree[0] != agree[1]);
  infer::FillResult expected, found;
  const std::string form = agree[1] > agree[0] ? "을" : "를";
  REQUIRE(model.fill("그는 [MASK]" + form + " 서울에서 보았다.", 3, &expected).ok());
  REQUIRE(infer::fill_written(model, text, 3, &found).ok());
  CHECK(found.filled == expected.filled);
  REQUIRE(found.masks.size() == 1);
  // Places are those of the text as it was given.
  const auto at = [&](const auto& part) { return text.substr(part.begin, part.end - part.begin); };
  CHECK(at(found.masks[0]) == "( )");
  bool has_pair = false;
  for (const infer::Token& token : found.tokens) has_pair = has_pair || at(token) == "을(를)";
  CHECK(has_pair);
  CHECK(at(found.tokens[found.tokens.size() - 2]) == ".");
  // A mask that is one already is read so, too; bytes that are no text are refused as ever.
  REQUIRE(infer::fill_written(model, "그는 [MASK]을(를) 서울에서 보았다.", 3, &found).ok());
  CHECK(found.filled == expected.filled);
  CHECK_FALSE(infer::fill_written(model, "\xff[MASK]을(를)", 3, &found).ok());
}

TEST_CASE("a decomposed text is read as the composed one, with places of its own") {
  const AlignedBytes file(test::random_mbq(test::small_model(), MbqWeights::int8));
  infer::FillMask model;
  REQUIRE(model.load(file.span()).ok());
  for (const std::string written :
       {"나는 (빈칸)을/를 서울에서 보았다.", "나는 [MASK](으)로 갔다."}) {
    const std::string apart = test::decomposed(written);
    infer::FillResult whole, found;
    REQUIRE(infer::fill_written(model, written, 3, &whole).ok());
    REQUIRE(infer::fill_written(model, apart, 3, &found).ok());
    CHECK(found.filled == whole.filled);
    REQUIRE(found.tokens.size() == whole.tokens.size());
    const auto at = [](const std::string& text, const auto& part) {
      return text.substr(part.begin, part.end - part.begin);
    };
    for (size_t i = 0; i < found.tokens.size(); ++i)
      CHECK(at(apart, found.tokens[i]) == test::decomposed(at(written, whole.tokens[i])));
    CHECK(at(apart, found.masks[0]) == test::decomposed(at(written, whole.masks[0])));
  }
}
