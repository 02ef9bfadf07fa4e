// Tables line up on a terminal that gives a Hangul syllable two columns.
#include "compare/table.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "core/text.h"
#include "core/utf8.h"

namespace minibert {
namespace {

TEST_CASE("width is counted in terminal columns") {
  CHECK(display_width("") == 0);
  CHECK(display_width("bert") == 4);
  CHECK(display_width("한국어") == 6);
  CHECK(display_width("한국어 bert") == 11);
  CHECK(display_width("12.34 ± 0.56") == 12);
  CHECK(display_width("訓民正音") == 8);
  CHECK(display_width("《훈민정음》") == 12);
  CHECK(display_width("Ａ") == 2);                  // full-width A
  CHECK(display_width("e\xcc\x81") == 1);           // e with a combining accent
  CHECK(display_width("\u1112\u1161\u11ab") == 2);  // 한 in three Jamo
  CHECK(display_width("ㄱㅏ") == 4);                // letters that stand alone
  CHECK(display_width("🙂") == 2);
}

TEST_CASE("every ASCII character that prints takes one column, every Hangul syllable two") {
  for (char32_t c = U' '; c <= U'~'; ++c) CHECK(display_width(to_utf8({&c, 1})) == 1);
  std::u32string syllables;
  for (char32_t c = U'가'; c <= U'힣'; ++c) syllables.push_back(c);
  CHECK(display_width(to_utf8(syllables)) == 2 * syllables.size());
}

const Table kTable = {{{"이름", false}, {"EM"}, {"note", false}},
                      {{"버트", "33.10", "가|나"}, {"lstm", "5.25", ""}}};

TEST_CASE("a plain table is aligned and has no trailing blanks") {
  CHECK(plain_table(kTable) ==
        "이름     EM  note\n"
        "버트  33.10  가|나\n"
        "lstm   5.25\n");
}

TEST_CASE("a Markdown table escapes bars and marks the alignment") {
  CHECK(markdown_table(kTable) ==
        "| 이름 |    EM | note   |\n"
        "| ---- | ----: | ------ |\n"
        "| 버트 | 33.10 | 가\\|나 |\n"
        "| lstm |  5.25 |        |\n");
}

TEST_CASE("CSV fields are quoted where they must be") {
  CHECK(csv_field("bert") == "bert");
  CHECK(csv_field("a,b") == "\"a,b\"");
  CHECK(csv_field("the \"course\"") == "\"the \"\"course\"\"\"");
  CHECK(csv_field("두\n줄") == "\"두\n줄\"");
}

TEST_CASE("numbers are grouped by thousands and rounded") {
  CHECK(with_thousands(0) == "0");
  CHECK(with_thousands(999) == "999");
  CHECK(with_thousands(1000) == "1,000");
  CHECK(with_thousands(10541056) == "10,541,056");
  CHECK(with_thousands(-1234.6) == "-1,235");
  CHECK(with_thousands(-999) == "-999");
  CHECK(fixed(2.345, 1) == "2.3");
  CHECK(fixed(NAN, 2).empty());
}

TEST_CASE("a difference has its sign, and one that is not known is an empty text") {
  CHECK(with_sign(1.234, 2) == "+1.23");
  CHECK(with_sign(-1.234, 2) == "-1.23");
  CHECK(with_sign(-0.001, 2) == "0.00");
  CHECK(with_sign(NAN, 2).empty());
  CHECK(in_brackets(-1.234, 0.5, 2) == "[-1.23, +0.50]");
  CHECK(in_brackets(NAN, 0.5, 2).empty());
  CHECK(in_brackets(0.5, NAN, 2).empty());
}

TEST_CASE("a table wider than the terminal is cut into several with the first column") {
  const Table table{{{"arm", false}, {"EM"}, {"F1"}, {"초/문항"}},
                    {{"lstm", "1.00", "2.00", "3.00"}, {"bert", "4.00", "5.00", "6.00"}}};
  CHECK(plain_table(table, 18) ==
        "arm     EM    F1\nlstm  1.00  2.00\nbert  4.00  5.00\n\n"
        "arm   초/문항\nlstm     3.00\nbert     6.00\n");
  CHECK(plain_table(table, 100) == plain_table(table));
  // At least one column stands beside the first, however narrow the terminal.
  CHECK(std::ranges::count(plain_table(table, 1), '\n') == 3 * 3 + 2);
}

TEST_CASE("running text is broken at spaces, by the columns that it takes") {
  CHECK(wrapped("하나 둘 셋\nnext line\n", 7) == "하나 둘\n셋\nnext\nline\n");
  CHECK(wrapped("longer than that", 4) == "longer\nthan\nthat");
  CHECK(wrapped("", 10).empty());
}

}  // namespace
}  // namespace minibert
