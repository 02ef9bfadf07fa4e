// Cells that say which alternative is right.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "data/own/alternatives.h"

namespace minibert {

// Whether an answer is one of a row's alternatives: its number from 0 or 1, its letter or its text.
bool may_answer(std::string_view answer, const Alternatives& row);

// How a column says it, row by row: by a number ("3", "③", "(3)", "3번", "정답: ③", or "다" where alternatives are
// numbered so), by a list that marks it ([0, 1, 0]), a letter, one of these with the alternative's text behind, or the text alone. Numbers of plain digits
// are counted from 0 where one is 0 and fewer are the last, else from 1. Where alternatives themselves are such numbers
// the column has either numbers or texts: what all its cells are, else what most are.
class ChoiceAnswers {
 public:
  // Looks at an answer, as composed() has it and without white space around; before any is read.
  void look_at(std::string_view answer, const Alternatives& row);

  // "1", "2", …: the right alternative. Throws Error that begins with `where` for a cell that says none.
  std::string right(std::string_view answer, const Alternatives& row,
                    const std::string& where) const;
  // How numbers are counted, for people; empty: there are none.
  std::string told() const;

 private:
  bool by_number() const;
  bool by_text() const;
  bool from_0() const;

  size_t filled_ = 0, numbers_ = 0, texts_ = 0, texts_alone_ = 0;
  size_t counted_ = 0,
         bare_ = 0;  // of the numbers: those that are no letters, those of plain digits
  size_t zeros_ = 0, lasts_ = 0;  // of plain digits
  bool are_numbers_ = false;      // alternatives
};

}  // namespace minibert
