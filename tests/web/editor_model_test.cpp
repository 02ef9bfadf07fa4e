// Editing a sentence: composition, chips, selection and undo, without a browser.
#include "editor/editor_model.h"

#include <catch2/catch.hpp>

#include "core/utf8.h"

using namespace minibert;
using namespace minibert::page;

namespace {

std::string utf8(const EditorModel& editor) { return to_utf8(editor.text()); }

EditorModel with(std::u32string_view text) {
  EditorModel editor;
  editor.reset(text);
  return editor;
}

// What a browser sends while an input method composes `preedit` at `at` in `before`.
void compose(EditorModel& editor, std::u32string before, size_t at, std::u32string_view preedit) {
  before.insert(at, preedit);
  const size_t end = at + preedit.size();
  editor.sync(before, {end, end}, {at, end});
}

// The browser's element after the composition ended in `text`.
void commit(EditorModel& editor, std::u32string_view text, size_t caret) {
  editor.sync(text, {caret, caret}, {});
}

}  // namespace

TEST_CASE("a composed word appears syllable by syllable and is there once when it is committed") {
  EditorModel editor = with(U"나는 ");
  for (const std::u32string_view preedit : {U"ㅎ", U"하", U"한"}) {
    compose(editor, U"나는 ", 3, preedit);
    CHECK(editor.text() == U"나는 " + std::u32string(preedit));
    CHECK(editor.composition() == Range{3, 4});
    CHECK(editor.selection().caret == 4);
  }
  compose(editor, U"나는 한", 4, U"구");
  compose(editor, U"나는 한", 4, U"국");
  commit(editor, U"나는 한국", 5);
  CHECK(utf8(editor) == "나는 한국");
  CHECK_FALSE(editor.composing());
}

TEST_CASE("one undo takes back a whole composed word, not its jamo") {
  EditorModel editor = with(U"나는 ");
  compose(editor, U"나는 ", 3, U"ㅎ");
  compose(editor, U"나는 ", 3, U"하");
  compose(editor, U"나는 ", 3, U"한");
  commit(editor, U"나는 한", 4);
  compose(editor, U"나는 한", 4, U"국");
  commit(editor, U"나는 한국", 5);
  REQUIRE(editor.undo());
  CHECK(utf8(editor) == "나는 ");
  REQUIRE(editor.redo());
  CHECK(utf8(editor) == "나는 한국");
}

TEST_CASE("of a text as long as a book the last steps alone are kept") {
  EditorModel editor = with(std::u32string(1'500'000, U'가'));
  for (int i = 0; i < 10; ++i) editor.set_text(std::u32string(1'500'000 - i, U'나'));
  size_t steps = 0;
  while (editor.undo()) ++steps;
  CHECK(steps == 2);
  CHECK(editor.text().size() == 1'500'000 - 7);
}

TEST_CASE("undo goes word by word") {
  EditorModel editor = with(U"");
  editor.sync(U"서", {1, 1}, {});
  editor.sync(U"서울", {2, 2}, {});
  editor.sync(U"서울 ", {3, 3}, {});
  editor.sync(U"서울 시", {4, 4}, {});
  REQUIRE(editor.undo());
  CHECK(utf8(editor) == "서울 ");
  REQUIRE(editor.undo());
  CHECK(utf8(editor) == "");
  CHECK_FALSE(editor.undo());
}

TEST_CASE("a composition that replaces a selection is one undo step") {
  EditorModel editor = with(U"나는 학교에 간다");
  editor.select({3, 6});
  editor.sync(U"나는 ㅈ 간다", {4, 4}, {3, 4});
  editor.sync(U"나는 집 간다", {4, 4}, {3, 4});
  commit(editor, U"나는 집 간다", 4);
  CHECK(utf8(editor) == "나는 집 간다");
  REQUIRE(editor.undo());
  CHECK(utf8(editor) == "나는 학교에 간다");
  CHECK(editor.selection() == Selection{3, 6});
}

TEST_CASE("an escaped composition leaves the text as it was") {
  EditorModel editor = with(U"한국");
  compose(editor, U"한국", 2, U"ㅇ");
  commit(editor, U"한국", 2);
  CHECK(utf8(editor) == "한국");
  CHECK_FALSE(editor.composing());
}

TEST_CASE("chips are found, and the caret steps over them whole") {
  EditorModel editor = with(U"수도는 [MASK]이다");
  REQUIRE(editor.masks() == std::vector<Range>{{4, 10}});
  editor.set_caret(4, false);
  editor.move(Motion::right, false);
  CHECK(editor.selection().caret == 10);
  editor.move(Motion::left, false);
  CHECK(editor.selection().caret == 4);
  editor.set_caret(7, false);
  CHECK((editor.selection().caret == 4 || editor.selection().caret == 10));
}

TEST_CASE("backspace and delete take a whole chip") {
  EditorModel editor = with(U"수도는 [MASK]이다");
  editor.set_caret(10, false);
  editor.erase(Motion::left);
  CHECK(utf8(editor) == "수도는 이다");
  REQUIRE(editor.undo());
  editor.set_caret(4, false);
  editor.erase(Motion::right);
  CHECK(utf8(editor) == "수도는 이다");
}

TEST_CASE("a phone's backspace that takes only the bracket takes the whole chip") {
  EditorModel editor = with(U"수도는 [MASK]이다");
  editor.set_caret(10, false);
  const bool repaired = editor.sync(U"수도는 [MASK이다", {9, 9}, {});
  CHECK(repaired);
  CHECK(utf8(editor) == "수도는 이다");
  CHECK(editor.selection() == Selection{4, 4});
}

TEST_CASE("typing beside a chip leaves it alone") {
  EditorModel editor = with(U"[MASK]");
  editor.set_caret(6, false);
  CHECK_FALSE(editor.sync(U"[MASK]은", {7, 7}, {}));
  CHECK(utf8(editor) == "[MASK]은");
  CHECK_FALSE(editor.sync(U"가[MASK]은", {1, 1}, {}));
  CHECK(editor.masks() == std::vector<Range>{{1, 7}});
}

TEST_CASE("[MASK] typed by hand becomes a chip") {
  EditorModel editor = with(U"[MASK");
  editor.sync(U"[MASK]", {6, 6}, {});
  CHECK(editor.masks().size() == 1);
}

TEST_CASE("a field without chips keeps every text as it is") {
  EditorModel editor(false);
  editor.reset(U"왕은 [MASK] ___ ( )");
  CHECK(editor.masks().empty());
  CHECK(utf8(editor) == "왕은 [MASK] ___ ( )");
  editor.select({0, 2});
  editor.mask_selection();
  CHECK(utf8(editor) == "왕은 [MASK] ___ ( )");
  editor.set_caret(5, false);
  CHECK(editor.selection().caret == 5);
}

TEST_CASE("masking takes the word at the caret, the selection, or nothing") {
  EditorModel editor = with(U"나는 학교에 간다.");
  editor.set_caret(5, false);
  editor.mask_selection();
  CHECK(utf8(editor) == "나는 [MASK]에 간다.");
  editor.undo();
  editor.select({2, 7});
  editor.mask_selection();
  CHECK(utf8(editor) == "나는 [MASK] 간다.");
  editor.undo();
  editor.set_caret(editor.text().size(), false);
  editor.mask_selection();
  CHECK(utf8(editor) == "나는 학교에 간다.[MASK]");
}

TEST_CASE("masking at a chip's edge does not mask it again") {
  EditorModel editor = with(U"수도는 [MASK]이다");
  editor.set_caret(10, false);
  editor.mask_selection();
  CHECK(utf8(editor) == "수도는 [MASK]이다");
}

TEST_CASE("one guess fills one chip, and the caret stands after it") {
  EditorModel editor = with(U"[MASK]의 수도는 [MASK]이다");
  REQUIRE(editor.fill_mask(1, U"서울"));
  CHECK(utf8(editor) == "[MASK]의 수도는 서울이다");
  CHECK(editor.selection().caret == 14);
  CHECK_FALSE(editor.fill_mask(1, U"부산"));
}

TEST_CASE("filling all is one undo step") {
  EditorModel editor = with(U"[MASK]의 수도는 [MASK]이다");
  editor.fill_all({U"대한민국", U"서울"});
  CHECK(utf8(editor) == "대한민국의 수도는 서울이다");
  CHECK(editor.selection().caret == 12);
  REQUIRE(editor.undo());
  CHECK(utf8(editor) == "[MASK]의 수도는 [MASK]이다");
}

TEST_CASE("selection moves: shift extends, an arrow collapses, words, ends") {
  EditorModel editor = with(U"나는 학교에 간다");
  editor.set_caret(0, false);
  editor.move(Motion::word_right, true);
  CHECK(editor.selection() == Selection{0, 2});
  editor.move(Motion::right, false);
  CHECK(editor.selection() == Selection{2, 2});
  editor.move(Motion::text_end, true);
  CHECK(editor.selection() == Selection{2, 9});
  editor.move(Motion::left, false);
  CHECK(editor.selection() == Selection{2, 2});
  editor.move(Motion::text_end, false);
  editor.move(Motion::word_left, false);
  CHECK(editor.selection().caret == 7);
  editor.erase(Motion::word_left);
  CHECK(utf8(editor) == "나는 간다");
}

TEST_CASE("a double click selects a word, or a chip") {
  EditorModel editor = with(U"나는 학교에 [MASK]다.");
  editor.select_word(4);
  CHECK(editor.selection() == Selection{3, 6});
  editor.select_word(9);
  CHECK(editor.selection() == Selection{7, 13});
}

TEST_CASE("a new edit after undo drops what could have been redone") {
  EditorModel editor = with(U"가");
  editor.insert(U"나");
  editor.undo();
  editor.insert(U"다");
  CHECK_FALSE(editor.redo());
  CHECK(utf8(editor) == "가다");
}

TEST_CASE("the revision grows with every change of the text and with nothing else") {
  EditorModel editor = with(U"가나");
  const uint64_t before = editor.revision();
  editor.move(Motion::right, false);
  CHECK(editor.revision() == before);
  editor.insert(U"다");
  CHECK(editor.revision() == before + 1);
  editor.undo();
  CHECK(editor.revision() == before + 2);
}

TEST_CASE("blanks as teachers write them become masks") {
  const std::pair<const char32_t*, const char32_t*> cases[] = {
      {U"나는 ___에 간다", U"나는 [MASK]에 간다"},
      {U"나는 ________에", U"나는 [MASK]에"},
      {U"나는 ( )에 간다", U"나는 [MASK]에 간다"},
      {U"나는 (   )에 간다", U"나는 [MASK]에 간다"},
      {U"<mask>과 [mask]", U"[MASK]과 [MASK]"},
      {U"한_글 __", U"한_글 __"},
      {U"나는 __에 ()", U"나는 [MASK]에 [MASK]"},
      {U"나는 （ ）에", U"나는 [MASK]에"},
      {U"나는 [ MASK ]에", U"나는 [MASK]에"},
      {U"나는 [Mask]에", U"나는 [MASK]에"},
      {U"나는 【MASK】에", U"나는 [MASK]에"},
      {U"나는 (mask)에", U"나는 [MASK]에"},
      {U"나는 ［ＭＡＳＫ］에", U"나는 [MASK]에"},
      {U"나는 ＜ｍａｓｋ＞에 （　）", U"나는 [MASK]에 [MASK]"},
      {U"［］ ［ＭＡＳ］ ＭＡＳＫ", U"［］ ［ＭＡＳ］ ＭＡＳＫ"},
      {U"나는 [ ]에 (빈칸)", U"나는 [MASK]에 [MASK]"},
      {U"<Blank>에 (\u00A0), 1443년(?)", U"[MASK]에 [MASK], 1443년(?)"},
      {U"( ㉠ )은 (㉡)에 【 ㉮ 】", U"[MASK]은 [MASK]에 [MASK]"},
      {U"( ㄱ )은 ( ? ) (?) (ㄱ) ( 1 )", U"[MASK]은 [MASK] (?) (ㄱ) ( 1 )"},
      {U"〔 〕과 「 」에 《빈칸》 { }", U"[MASK]과 [MASK]에 [MASK] [MASK]"},
      {U"나는 ●●에 △△, ⬜ ■ (\t)", U"나는 [MASK]에 [MASK], [MASK] ■ [MASK]"},
      {U"{} 「」 a < > b", U"{} 「」 a < > b"},
      {U"( ① )은 (①) 하나, (1) 둘 ㉠", U"[MASK]은 (①) 하나, (1) 둘 ㉠"},
      {U"나는 □에 □□", U"나는 [MASK]에 [MASK]"},
      {U"나는 ○○에", U"나는 [MASK]에"},
      {U"제4대 ……이다", U"제4대 [MASK]이다"},
      {U"글쎄…… 나는 …… 간다", U"글쎄…… 나는 …… 간다"},
      {U"○ 하나, [a] <b> []", U"○ 하나, [a] <b> []"},
      {U"[MASK]", U"[MASK]"},
      {U"(서울)에 (가", U"(서울)에 (가"},
  };
  for (const auto& [written, masked] : cases) {
    EditorModel editor;
    editor.insert(written);
    CHECK(editor.text() == masked);
  }
  EditorModel editor;
  editor.sync(U"나는 __", {5, 5}, {});
  CHECK(editor.text() == U"나는 __");
  CHECK(editor.sync(U"나는 ___", {6, 6}, {}));
  CHECK(editor.text() == U"나는 [MASK]");
  CHECK(editor.selection().caret == 9);
  editor.undo();
  CHECK(editor.text() == U"나는 ___");
}

TEST_CASE("a blank that is typed on stays one mask") {
  EditorModel editor;
  for (const char32_t c : std::u32string_view(U"나는 _____에 □□□과 ○○○")) editor.insert({&c, 1});
  CHECK(editor.text() == U"나는 [MASK]에 [MASK]과 [MASK]");
}

TEST_CASE("a particle stays outside the mask") {
  const std::pair<const char32_t*, const char32_t*> cases[] = {
      {U"학교에", U"[MASK]에"},       {U"학교에서", U"[MASK]에서"}, {U"책을", U"[MASK]을"},
      {U"나는", U"[MASK]는"},         {U"서울로", U"[MASK]로"},     {U"사이", U"[MASK]"},
      {U"대통령이다", U"[MASK]이다"}, {U"에서", U"[MASK]"},         {U"간다", U"[MASK]"},
      {U"Seoul에", U"[MASK]"},
  };
  for (const auto& [word, masked] : cases) {
    EditorModel editor;
    editor.insert(word);
    editor.mask_selection();
    CHECK(editor.text() == masked);
  }
}
