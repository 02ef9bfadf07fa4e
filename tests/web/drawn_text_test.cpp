// What is drawn from left to right: one glyph for one character, joined letters, both directions. Hebrew and
// Arabic are written as code points here, so that no editor turns them around.
#include "text/drawn_text.h"

#include <catch2/catch.hpp>

using namespace minibert::page;

namespace {

// Every glyph from the left, with "|" between.
std::u32string drawn(std::u32string_view text) {
  std::vector<Cluster> clusters = clusters_of(text, {0, text.size()});
  std::u32string all;
  for (const size_t i : order_from_left(text, clusters)) {
    if (!all.empty()) all += '|';
    all += shown(text, clusters[i]);
  }
  return all;
}

// Of single letters, without the bars.
std::u32string order(std::u32string_view text) {
  std::u32string all;
  std::vector<Cluster> clusters = clusters_of(text, {0, text.size()});
  for (const size_t i : order_from_left(text, clusters)) all += shown(text, clusters[i]);
  return all;
}

}  // namespace

TEST_CASE("text from the left alone stays in its order, a character a glyph") {
  CHECK(order(U"나는 (abc) 12,3%") == U"나는 (abc) 12,3%");
  CHECK(drawn(U"e\u0301a\U0001F44D\U0001F3FD") == U"e\u0301|a|\U0001F44D\U0001F3FD");
  CHECK(drawn(U"\U0001F1F0\U0001F1F7\U0001F468\u200D\U0001F469") ==
        U"\U0001F1F0\U0001F1F7|\U0001F468\u200D\U0001F469");
  CHECK(drawn(U"").empty());
}

TEST_CASE("Hebrew stands from the right within text from the left") {
  CHECK(order(U"\u05D0\u05D1\u05D2") == U"\u05D2\u05D1\u05D0");
  CHECK(order(U"나는 \u05D0\u05D1 \u05D2\u05D3 간다") == U"나는 \u05D3\u05D2 \u05D1\u05D0 간다");
  // White space and a full stop at its end are the sentence's.
  CHECK(order(U"\u05D0\u05D1. ") == U"\u05D1\u05D0. ");
  CHECK(order(U"a \u05D0, \u05D1 b") == U"a \u05D1 ,\u05D0 b");
}

TEST_CASE("numbers in text from the right stay readable, and brackets turn") {
  CHECK(order(U"\u05D0 12.5% \u05D1") == U"\u05D1 12.5% \u05D0");
  CHECK(order(U"\u05D0 123") == U"123 \u05D0");
  CHECK(order(U"123 \u05D0") == U"123 \u05D0");
  CHECK(order(U"\u05D0 (\u05D1) \u05D2") == U"\u05D2 (\u05D1) \u05D0");
  CHECK(order(U"\u05D0 (\u05D1) 나") == U"(\u05D1) \u05D0 나");
  CHECK(order(U"나 (\u05D0) 다") == U"나 (\u05D0) 다");
  CHECK(order(U"\u05D0 (나) \u05D1") == U"\u05D0 (나) \u05D1");
  CHECK(order(U"\u05D0 \u0661\u0662") == U"\u0661\u0662 \u05D0");
}

TEST_CASE("Arabic letters reach to their neighbours, and lam and alef are one glyph") {
  // beh, teh: the second reaches to the first, which is on its right.
  CHECK(drawn(U"\u0628\u062A") == U"\u200D\u062A|\u0628\u200D");
  // dal reaches to the one before it alone.
  CHECK(drawn(U"\u0628\u062F\u0628") == U"\u0628|\u200D\u062F|\u0628\u200D");
  CHECK(drawn(U"\u0621\u0628") == U"\u0628|\u0621");
  // The lam is drawn with the alef, and takes no room of its own.
  CHECK(drawn(U"\u0644\u0627") == U"\u0644\u0627|");
  CHECK(drawn(U"\u0628\u0644\u0627") == U"\u200D\u0644\u0627||\u0628\u200D");
  // A mark stays with its letter and breaks nothing.
  CHECK(drawn(U"\u0628\u064E\u062A") == U"\u200D\u062A|\u0628\u064E\u200D");
  // Nothing joins over a space.
  CHECK(drawn(U"\u0628 \u0628") == U"\u0628| |\u0628");
}
