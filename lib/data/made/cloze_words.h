// The word lists that questions by rule are made with: which words tell what an answer is, and how
// one asks for it.
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

// What a noun is by its last syllables, and the noun that one asks with: 한성조약 is a thing, "어느
// 조약"; 부산광역시 a place, "어느 도시".
struct NounClass {
  ClozeKind kind;
  std::u32string_view head;
};
std::optional<NounClass> noun_class(std::u32string_view noun);

// Whether people are called so: 화가, 대통령.
bool is_role(std::u32string_view word);
// Whether the word may be a Korean's name: a family name and two syllables that do not end as the
// name of an office or a party does.
bool is_korean_name(std::u32string_view word);
// Whether the word sounds like a foreign name in Hangul: it has a syllable that Korean words lack.
bool sounds_foreign(std::u32string_view word);
// Whether the word is what a work is: 영화, 소설.
bool is_work(std::u32string_view word);
// Whether the word counts what a number stands before (명, 개), or is a unit of measure (km, 원).
bool is_counter(std::u32string_view word);
bool is_unit(std::u32string_view word);
// Nouns that are no answer: 때문, 경우.
bool is_empty_noun(std::u32string_view word);
// Words that tie a sentence to others (그러나, 그는): no question has them.
bool is_left_out(std::u32string_view word);
// Words that make a date before them vague (말, 무렵).
bool is_vague_after_date(std::u32string_view word);

}  // namespace minibert
