// The text of a field and the edits that the page makes of it, without a browser.
#include "state/field_text.h"

#include <catch2/catch.hpp>

using namespace minibert::page;

namespace {

FieldText with(std::u32string_view text, Range selection = {}, bool masks = true) {
  FieldText field(masks);
  field.reset(text);
  field.set(text, selection);
  return field;
}

std::u32string applied(const FieldText& field, const Edit& edit) {
  std::u32string text = field.text();
  return text.replace(edit.range.begin, edit.range.size(), edit.with);
}

}  // namespace

TEST_CASE("masks are found, of a field that has some") {
  CHECK(with(U"[MASK]의 수도는 [MASK]이다").masks() == std::vector<Range>{{0, 6}, {12, 18}});
  CHECK(with(U"[MASK", {}).masks().empty());
  CHECK(with(U"[MASK]", {}, false).masks().empty());
}

TEST_CASE(
    "a revision is of a text, not of a selection, and a text as it was opened is not edited") {
  FieldText field;
  field.reset(U"나는");
  const uint64_t revision = field.revision();
  field.set(U"나는", {1, 2});
  CHECK(field.revision() == revision);
  CHECK(field.selection() == Range{1, 2});
  CHECK_FALSE(field.edited());
  field.set(U"나도", {2, 2});
  CHECK(field.revision() > revision);
  CHECK(field.edited());
  field.reset(U"너는");
  CHECK_FALSE(field.edited());
}

TEST_CASE("the word at the caret is masked without its particle, a selection without its spaces") {
  struct Case {
    std::u32string_view text;
    Range selection;
    std::u32string_view expected;
  };
  for (const Case& c :
       std::vector<Case>{{U"나는 학교에 간다", {5, 5}, U"나는 [MASK]에 간다"},
                         {U"나는 학교에 간다", {6, 6}, U"나는 [MASK]에 간다"},
                         {U"나는 학교에 간다", {2, 7}, U"나는 [MASK] 간다"},
                         {U"나는 학교에 간다", {3, 6}, U"나는 [MASK] 간다"},
                         {U"나는  간다", {3, 3}, U"나는 [MASK] 간다"},
                         {U"", {0, 0}, U"[MASK]"},
                         {U"나는 [MASK]에", {3, 3}, U"나는 [MASK]에"},  // beside a mask: nothing
                         {U"나는 [MASK]에", {9, 9}, U"나는 [MASK]에"}}) {
    const FieldText field = with(c.text, c.selection);
    CHECK(applied(field, field.mask_for_word()) == c.expected);
  }
}

TEST_CASE("blanks as people write them become masks, in as small an edit as there is") {
  const FieldText one = with(U"나는 ( )에 간다");
  const Edit edit = one.masks_for_blanks();
  CHECK(edit.range == Range{3, 6});
  CHECK(edit.with == U"[MASK]");
  const FieldText several = with(U"( )의 수도는 ___이다");
  CHECK(applied(several, several.masks_for_blanks()) == U"[MASK]의 수도는 [MASK]이다");
  for (const std::u32string_view text : {U"나는 [MASK]에", U"f(x)", U""}) {
    const FieldText none = with(text);
    CHECK(applied(none, none.masks_for_blanks()) == text);
  }
  const FieldText plain = with(U"( )에", {}, false);
  CHECK(applied(plain, plain.masks_for_blanks()) == U"( )에");
  FieldText opened;
  opened.reset(U"나는 ( )에");
  CHECK(opened.text() == U"나는 [MASK]에");
}

TEST_CASE("all masks are filled in one edit, as many as there are words for") {
  const FieldText field = with(U"가 [MASK] 나 [MASK] 다");
  CHECK(applied(field, field.filled({U"하나", U"둘"})) == U"가 하나 나 둘 다");
  CHECK(applied(field, field.filled({U"하나"})) == U"가 하나 나 [MASK] 다");
  CHECK(applied(field, field.filled({})) == field.text());
}

TEST_CASE("a text beyond the limit is cut between characters, and that is told") {
  FieldText field;
  CHECK(field.reset(std::u32string(kMostCharacters, U'가')));
  CHECK(field.text().size() == kMostCharacters);
  CHECK_FALSE(field.reset(std::u32string(kMostCharacters + 1, U'가')));
  CHECK(field.text().size() == kMostCharacters);
  CHECK_FALSE(field.reset(U"가" + std::u32string(kMostCharacters, U'😀')));
  CHECK(UnitPlaces(field.text()).units_at(field.text().size()) <= kMostCharacters);
}
