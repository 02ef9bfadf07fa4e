// Cells that hold several labels, and columns that are one label each.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/own_source.h"

namespace minibert {

// Which of kLabelSeparators the cells of a column have: lists where all are lists and one is not of one
// label, a separator where labels stand in several combinations. One in brackets separates nothing: "슬픔(우울, 상실)".
// Empty: each cell is one label.
std::string label_separator_of(std::span<const std::string_view> cells);

// The same where a text may have several: lists where all are, else the first of bar, semicolon and comma
// that any cell has.
std::string likely_separator_of(std::span<const std::string_view> cells);

// What several labels of a cell stand between that is none of kLabelSeparators, for people: a slash, a line break or #.
// Empty: each cell is one label.
std::string foreign_separator_of(std::span<const std::string_view> cells);

// In "labels" of own_source.h "#" stands for any number: {"#점": "#"} reads 85점 as 85, {"#": "#"} 12,000 as 12000 and
// {"#,#": "#"} 3,5 as 3.5; a number alone is one, too. A label whose name is empty leaves its rows out.
inline constexpr std::string_view kAnyNumber = "#";
using LabelNames = std::vector<std::pair<std::string, std::string>>;

bool is_way_of_numbers(std::string_view written, std::string_view name);

// Whether "labels" names any label: ways of writing numbers and what leaves rows out are no names.
bool gives_names(const OwnSource& source);

// The number of a cell that is written that way, as from_chars reads it; nothing: it is another.
std::optional<std::string> number_written(std::string_view cell, std::string_view way);

// What "labels" has to say so that all cells of a column are plain numbers or leave their rows out (결시, 미응시, -, …):
// numbers with one unit (점, %, 명, 원, 개) or none. Nothing: a cell is something else. Empty cells are passed over.
std::optional<LabelNames> ways_of_scores(std::span<const std::string_view> cells);

// The labels of a cell, as they are written; a cell without the separator is one label. Throws Error that
// begins with `where`: no list, a label that is empty or has the bar between the labels of a set.
std::vector<std::string> labels_in_cell(std::string_view cell, const std::string& separator,
                                        const std::string& where);

// The alternatives of a cell: the texts and numbers of a list, JSON's or Python's, or numbered_parts(). Throws Error
// that begins with `where`.
std::vector<std::string> texts_in_list(std::string_view cell, const std::string& where);

// The digits, with their sign, of a label that is a whole number: "1" of "1.0", as a table has it whose column lacks
// some numbers. Empty for what is none.
std::string_view whole_number(std::string_view label);

// Whether a cell is a list of marked parts of a text, as annotation tools write them: objects with "start" and "end",
// or lists of two places and a label.
bool holds_spans(std::string_view cell);

// Whether a cell of a label's own column says yes (1, 1.0, true, yes, y, o, 예) or no (0, 0.0, false, no, n,
// x, -, 아니오), in small or capital letters; nothing: it says something else.
std::optional<bool> flag_of(std::string_view cell);

}  // namespace minibert
