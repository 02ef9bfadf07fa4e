// Columns that hold the alternatives of a question, and their cells.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/own/alternatives.h"
#include "data/own/numbered_cells.h"
#include "data/tables/table.h"

namespace minibert {

// Columns of alternatives by their names: choice1, choice2, …; also option, ending, alternative, candidate,
// 선택지, 선지, 답지, 보기 or nothing before numbers from 0 or 1 (1번, ①) or letters from A; of numbers and letters
// alone only where the table's header has them, every row fills two or more with more than 0 and 1, leaves none empty
// before a filled one, and has no two equal ones. "options.A" is below a key. Else one column of that name, or below it
// ("choices.text"), whose cells are lists, or most of them numbered (numbered_cells.h). Empty: there are none.
std::vector<std::string> choice_columns(const DataTable& table);

// The column whose cells have numbers before alternatives, whatever it is called: beside a column of answers that
// nearly all are one of them. Empty: there is none.
std::vector<std::string> answered_column(const DataTable& table);

// Whether cells of the only column hold what is asked, too, before the first number.
bool ask_too(const DataTable& table, const std::vector<std::string>& choices);

// Throws a usage Error where there are none, and cells of such a column hold several parts in a way that is not read.
void refuse_joined_alternatives(const DataTable& table);

// Whether a column is called as alternatives are, be it that choice_columns() finds none.
bool may_name_alternatives(const DataTable& table);

// Are two of a question's alternatives equal, but for white space around them?
bool have_equal(const std::vector<std::string>& choices);

// How a table's cells hold alternatives: a column for each, a list, or numbers before them in one cell. Numbers that
// stand before all of a list or of several columns are taken off.
class ChoiceCells {
 public:
  // `text`: the columns of what is asked; the one of the alternatives may be among them.
  ChoiceCells(const DataTable& table, const std::vector<std::string>& choices,
              const std::vector<std::string>& text);

  // Is what stands before the alternatives in their cell asked?
  bool asks() const { return asks_; }
  // `cells`: of the columns of alternatives, none of them empty.
  Alternatives of(const std::vector<std::string>& cells) const;
  // How the first cell of numbered alternatives is cut, for people. Empty: none has some.
  std::string told(const DataTable& table) const;

 private:
  Alternatives numbered(std::string_view cell) const;

  std::string name_;  // of the only column
  bool asks_ = false;
  NumberedColumn column_;
};

}  // namespace minibert
