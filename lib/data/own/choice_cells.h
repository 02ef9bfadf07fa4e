// Columns that hold the alternatives of a question, and cells that say which of them is right.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/tables/table.h"

namespace minibert {

// Columns of alternatives by their names: choice1, choice2, …; also option, ending, alternative, candidate,
// 보기, 선택지, 선지 or nothing before numbers from 0 or 1 (1번, ①) or letters from A; of numbers and letters alone
// only where the table's header has them, every row fills two or more with more than 0 and 1, leaves none empty before a
// filled one, and has no two equal ones. Else one column of that name, or below it ("choices.text"), whose cells are
// lists, or most of them numbered (numbered_cells.h). Empty: there are none.
std::vector<std::string> choice_columns(const DataTable& table);

// Throws a usage Error where there are none, and every cell of such a column holds as many parts in a way that is not
// read.
void refuse_joined_alternatives(const DataTable& table);

// Whether a column is called as alternatives are, be it that choice_columns() finds none.
bool may_name_alternatives(const DataTable& table);

// Are two of a question's alternatives equal, but for white space around them?
bool have_equal(const std::vector<std::string>& choices);

// How a column says which alternative is right: by its number from 0 or from 1, a letter, or its text.
enum class ChoiceAnswer { from_0, from_1, letter, text };

// Of a column's cells, where the largest number of alternatives is `choices` and `by_text` cells are the text of one:
// numbers ("3", "③", "3번") are counted from 0 where one is 0 and none the last, else from 1. Where a few cells are
// none of the form that most have, that form is the column's, and right_choice() names these.
ChoiceAnswer choice_answer_of(std::span<const std::string_view> cells, size_t choices,
                              size_t by_text);

// "1", "2", …: the right alternative. Throws Error that begins with `where` for a cell that says none.
std::string right_choice(std::string_view cell, ChoiceAnswer answer,
                         const std::vector<std::string>& choices, const std::string& where);

}  // namespace minibert
