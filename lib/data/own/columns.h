// Which columns of a table hold what, where nobody says so: only what can be nothing else.
#pragma once

#include <string>
#include <vector>

#include "data/own_source.h"
#include "data/tables/table.h"

namespace minibert {

// What labels that are numbers are taken for.
enum class LabelsAs {
  found,  // scores where there are fractions or more than twenty different ones, else classes
  classes,
  scores,  // with a unit or commas, too; marks for none are left out
};

// `given` with what is not given filled in from the usual names (usual_columns.h), and a text or label
// that has no usual name from what the cells are: the only column with few different values is the
// label, the only other one of words the text; where all that could be labels say yes or no, all of these
// are (OwnColumns::flags). Where scores are `wanted` and no column has a label's name, or that one holds no number, the
// label is the only column of numbers that come again, else the only one of any numbers; one that counts the rows is
// none. A group has at least ten different values. A title is the text where no longer one stands beside it.
// Alternatives are found as choice_columns() and answered_column() say; then the right one is the answer or else the
// label, and what is asked the text. A text or label that could be several columns, or none, is a usage Error that names
// the key to set.
// A column of days, of times of day or of addresses is neither. Where the label is asked for, columns of numbers are
// named.
// Columns of questions are filled in where question, context and answer are all there. Alternatives that stand in one
// cell as choice_columns() does not read them are a usage Error where nothing is given.
OwnColumns find_columns(const DataTable& table, const OwnColumns& given,
                        LabelsAs wanted = LabelsAs::found);

// What find_columns() took by its name although another column could be meant, or did not take: a line each, for people.
std::vector<std::string> doubts(const DataTable& table, const OwnColumns& given,
                                const OwnColumns& taken);

// Columns that could be a second text, or say which split a row is of, and are neither: a line each, for people.
std::vector<std::string> unread(const DataTable& table, const OwnColumns& given,
                                const OwnColumns& taken);

// The same as find_columns() for alternatives alone, of which the right one need not be known: text and choices, both empty
// where there are none.
OwnColumns find_alternatives(const DataTable& table, const OwnColumns& given);

// The only column, or the only one of words that are mostly different; empty where there is none or several.
std::string only_text_column(const DataTable& table);

// "text 문장, label 라벨", for people.
std::string described(const OwnColumns& columns);

// Does the table hold a question, a context and an answer a row?
bool has_questions(const DataTable& table, const OwnColumns& given);

}  // namespace minibert
