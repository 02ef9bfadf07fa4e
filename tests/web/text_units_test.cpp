// Caret boundaries and words.
#include "text/text_units.h"

#include <catch2/catch.hpp>

using namespace minibert::page;

namespace {

std::vector<size_t> boundaries(std::u32string_view text) {
  std::vector<size_t> all{0};
  while (all.back() < text.size()) all.push_back(next_boundary(text, all.back()));
  return all;
}

}  // namespace

TEST_CASE("the caret stands between what people take for characters") {
  struct Case {
    const char* name;
    std::u32string text;
    std::vector<size_t> expected;
  };
  const Case cases[] = {
      {"precomposed syllables", U"한국", {0, 1, 2}},
      {"decomposed syllables", U"\u1112\u1161\u11AB\u1100\u116E\u11A8", {0, 3, 6}},
      {"a precomposed syllable with a tail of its own", U"\uD558\u11AB", {0, 2}},
      {"a closed syllable takes no vowel", U"\uD55C\u1161", {0, 1, 2}},
      {"compatibility jamo stand alone", U"ㅎㅏ", {0, 1, 2}},
      {"a combining accent", U"e\u0301a", {0, 2, 3}},
      {"a family joined by U+200D", U"\U0001F468\u200D\U0001F469\u200D\U0001F467x", {0, 5, 6}},
      {"a skin tone", U"\U0001F44D\U0001F3FD", {0, 2}},
      {"two flags", U"\U0001F1F0\U0001F1F7\U0001F1FA\U0001F1F8", {0, 2, 4}},
      {"a flag of tags", U"\U0001F3F4\U000E0067\U000E0062\U000E007Fx", {0, 4, 5}},
      {"Hanja", U"漢字", {0, 1, 2}},
      {"nothing", U"", {0}},
  };
  for (const Case& c : cases) {
    INFO(c.name);
    CHECK(boundaries(c.text) == c.expected);
    for (size_t i = c.expected.size(); i-- > 1;)
      CHECK(previous_boundary(c.text, c.expected[i]) == c.expected[i - 1]);
  }
}

TEST_CASE("a word is a run of letters; at its edge it wins over a space or a full stop") {
  const std::u32string text = U"나는 학교에 간다.";
  CHECK(word_at(text, 0) == Range{0, 2});
  CHECK(word_at(text, 2) == Range{0, 2});
  CHECK(word_at(text, 4) == Range{3, 6});
  CHECK(word_at(text, 9) == Range{7, 9});
  CHECK(word_at(text, 10) == Range{9, 10});
  CHECK(word_at(U"「서울」", 2) == Range{1, 3});
  CHECK(word_at(U"", 0).empty());
}

TEST_CASE(
    "words of a script whose letters are shaped together are one glyph, others a character each") {
  const std::u32string text = U"나 \u05D0\u05D1 \u05D2 다";
  CHECK(glyph_end(text, 0) == 1);
  CHECK(glyph_end(text, 2) == 6);  // not the space behind them
  CHECK(glyph_end(text, 6) == 7);
  CHECK(glyph_end(U"e\u0301a", 0) == 2);
  CHECK(glyph_end(U"\u0628 (1) \u062A", 0) == 1);  // a number is a word of another script
  CHECK(glyph_end(std::u32string(100, U'\u0E01'), 0) <= 41);
}

TEST_CASE("a UTF-16 position is a code point's, past surrogate pairs and not past the end") {
  UnitPlaces places(U"가😀나");
  CHECK(places.point_at(0) == 0);
  CHECK(places.point_at(1) == 1);
  CHECK(places.point_at(3) == 2);
  CHECK(places.point_at(4) == 3);
  CHECK(places.point_at(9) == 3);
  CHECK(places.point_at(1) == 1);  // back again
  CHECK(places.range(1, 4) == Range{1, 3});
  CHECK(places.units_at(2) == 3);
  CHECK(places.units_at(1) == 1);
  CHECK(places.units_at(9) == 4);
}
