// Line breaking and caret places, with characters one unit wide and chips of four.
#include "editor/text_layout.h"

#include <catch2/catch.hpp>

#include "editor/editor_model.h"

using namespace minibert::page;

namespace {

TextLayout layout(std::u32string_view text, float width) {
  TextLayout result;
  result.build(text, find_masks(text), width, 4, [](std::u32string_view) { return 1.0f; });
  return result;
}

std::vector<Range> ranges(const TextLayout& layout) {
  std::vector<Range> all;
  for (const Line& line : layout.lines()) all.push_back(line.range);
  return all;
}

}  // namespace

TEST_CASE("lines break at spaces, and inside a word only when it fills a line") {
  CHECK(ranges(layout(U"", 5)) == std::vector<Range>{{0, 0}});
  CHECK(ranges(layout(U"가나다", 5)) == std::vector<Range>{{0, 3}});
  CHECK(ranges(layout(U"가나 다라 마바", 5)) == std::vector<Range>{{0, 6}, {6, 8}});
  CHECK(ranges(layout(U"가나다라마바사", 3)) == std::vector<Range>{{0, 3}, {3, 6}, {6, 7}});
  CHECK(ranges(layout(U"가 나다라마바", 3)) == std::vector<Range>{{0, 2}, {2, 5}, {5, 7}});
}

TEST_CASE("a chip is not broken and counts with its own width") {
  CHECK(ranges(layout(U"가나 [MASK] 다", 5)) == std::vector<Range>{{0, 3}, {3, 10}, {10, 11}});
  CHECK(layout(U"[MASK]", 9).lines()[0].width == 4);
}

TEST_CASE("caret places and positions agree") {
  const TextLayout at = layout(U"가나 [MASK] 다라", 8);
  CHECK(ranges(at) == std::vector<Range>{{0, 10}, {10, 12}});
  CHECK(at.place(3).x == 3);
  CHECK(at.place(9).x == 7);
  CHECK(at.place(10).line == 1);
  CHECK(at.place(12).x == 2);
  CHECK(at.position(0, 4.9f) == 3);
  CHECK(at.position(0, 5.1f) == 9);
  CHECK(at.position(0, 99) == 9);
  CHECK(at.position(1, 99) == 12);
  CHECK(at.position(7, -1) == 10);
}

TEST_CASE("a hit never lands inside a cluster") {
  const TextLayout at = layout(U"\u1112\u1161\u11AB가", 9);
  for (float x = 0; x < 4; x += 0.25f) {
    const size_t position = at.position(0, x);
    CHECK((position == 0 || position == 3 || position == 4));
  }
}

TEST_CASE("a character of several code points takes one glyph's room") {
  const TextLayout at = layout(U"가\U0001F468\u200D\U0001F469\u200D\U0001F467나", 9);
  CHECK(at.lines()[0].width == 3);
  CHECK(at.place(6).x == 2);
  CHECK(at.position(0, 1.9f) == 6);
}

TEST_CASE("the caret stands to the right of what is written from the right") {
  // 가, space, aleph, bet, space, 나: drawn as 가 bet aleph 나.
  const TextLayout at = layout(U"가 \u05D0\u05D1 나", 9);
  CHECK(at.place(0).x == 0);
  CHECK(at.place(2).x == 4);  // before the aleph, which is on the right
  CHECK(at.place(3).x == 3);
  CHECK(at.place(4).x == 4);  // before the space
  CHECK(at.place(6).x == 6);
  CHECK(at.position(0, 3.1f) == 3);
  CHECK(at.spans(0, {2, 3}) == std::vector<Stretch>{{3, 4}});
  CHECK(at.spans(0, {0, 3}) == std::vector<Stretch>{{0, 2}, {3, 4}});
  CHECK(at.spans(0, {0, 6}) == std::vector<Stretch>{{0, 6}});
  // What is typed at its end goes on to the left.
  CHECK(layout(U"\u05D0\u05D1", 9).place(2).x == 0);
}

TEST_CASE("a chip stays between what is before and after it, whatever their direction") {
  const TextLayout at = layout(U"\u05D0\u05D1 [MASK] \u05D2", 20);
  CHECK(at.spans(0, {0, 2}) == std::vector<Stretch>{{0, 2}});
  CHECK(at.spans(0, {3, 9}) == std::vector<Stretch>{{3, 7}});
  CHECK(at.place(3).x == 3);
}
