// Cells that hold several labels, and columns that are one label each.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/own/written_numbers.h"
#include "data/own_source.h"

namespace minibert {

// Which of kLabelSeparators the cells of a column have: lists where all are lists, or one of several
// labels is, and one is not of one label, a separator where labels stand in several combinations. One in brackets separates nothing: "슬픔(우울, 상실)".
// Empty: each cell is one label.
std::string label_separator_of(std::span<const std::string_view> cells);

// The same where a text may have several: lists where all are, else the first of bar, semicolon, comma and hash
// that any cell has.
std::string likely_separator_of(std::span<const std::string_view> cells);

// What several labels of a cell stand between that is none of kLabelSeparators, for people: a slash or a line break.
// Empty: each cell is one label.
std::string foreign_separator_of(std::span<const std::string_view> cells);

// What "labels" of own_source.h says: ways of writing numbers (written_numbers.h), names for what is written, and what
// leaves its rows out, whose name is empty.
using LabelNames = std::vector<std::pair<std::string, std::string>>;

// Whether "labels" names any label: ways of writing numbers and what leaves rows out are no names.
bool gives_names(const OwnSource& source);

// What "labels" has to say so that all cells of a column are plain numbers or leave their rows out (결시, 미응시, -, …):
// numbers that are written in one way, as way_of_numbers() has it. Nothing: a cell is something else. Empty cells are
// passed over.
std::optional<LabelNames> ways_of_scores(std::span<const std::string_view> cells);

// The labels of a cell, as they are written; a cell without the separator is one label. Throws Error that
// begins with `where`: no list, a label that is empty or has the bar between the labels of a set.
std::vector<std::string> labels_in_cell(std::string_view cell, const std::string& separator,
                                        const std::string& where);

// The texts and numbers of a cell that is a list, JSON's or Python's; nothing: it is none.
std::optional<std::vector<std::string>> texts_in_list(std::string_view cell);

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
