// Word lists for questions by rule: they tell the kind of an answer and how to ask for it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace minibert {

enum class ClozeKind {
  date,    // 1945년, 3월 1일, 19세기
  count,   // 12명: a number and what is counted
  amount,  // 35%: a number and a unit
  title,   // 《…》
  person,
  place,
  thing,  // any other noun
};
inline constexpr int kClozeKinds = 7;
const char* to_word(ClozeKind kind);

// A noun's kind by its last syllables, and the noun to ask with: 한성조약 is a thing, "어느 조약"; 부산광역시 a
// place, "어느 도시".
struct NounClass {
  ClozeKind kind;
  std::u32string_view head;
};
std::optional<NounClass> noun_class(std::u32string_view noun);

// Returns true for a word for people: 화가, 대통령.
bool is_role(std::u32string_view word);
// Returns true for a possible Korean name: a family name and two syllables that do not end like the
// name of an office or a party.
bool is_korean_name(std::u32string_view word);
// Returns true for a foreign-sounding word: it has a syllable that Korean words lack.
bool sounds_foreign(std::u32string_view word);
// Returns true for a kind of work: 영화, 소설.
bool is_work(std::u32string_view word);
// Return true for a counting word behind a number (명, 개), and for a unit (km, 원).
bool is_counter(std::u32string_view word);
bool is_unit(std::u32string_view word);
// Returns true for a noun that is no answer: 때문, 경우.
bool is_empty_noun(std::u32string_view word);
// Returns true for a word that ties a sentence to others (그러나, 그는); questions leave it out.
bool is_left_out(std::u32string_view word);
// Returns true for a word that makes the date before it vague (말, 무렵).
bool is_vague_after_date(std::u32string_view word);

}  // namespace minibert
