// Reads rows of a table as labelled examples.
#pragma once

#include <string>
#include <vector>

#include "data/files/examples.h"
#include "data/files/file_source.h"
#include "data/files/held_out.h"
#include "data/files/table.h"

namespace minibert {

struct LabelledRow {
  LabelledExample example;
  std::string group;  // the group column's value; empty: the text is the group
};

// Appends a table's rows to `out`, by the columns that `layout` names. Cells are trimmed; several
// texts are joined by spaces. An example's id is "<split>-<row>", counted in `out` from 1. Its
// label is the cell or its name in "labels"; several labels make a set (score/label_set.h), cut by
// "label_separator" or from columns of 0 and 1; for choices it is the number of the right one, from
// 1. A row with an empty cell is an Error; layout.skip_empty leaves it out and tells `say`. Throws
// Error naming file and line for a label that "labels" does not list, an answer that is no choice's
// number, and a number of choices that differs from the first row's.
void add_labelled_rows(const FileTable& table, const TableLayout& layout, const std::string& split,
                       const Say& say, std::vector<LabelledRow>* out);

// Returns the alternatives of a row: cells of several columns, or one cell's JSON list. Throws
// Error that begins with `where`.
std::vector<std::string> choices_in(const std::vector<std::string>& cells,
                                    const std::string& where);

// How a task learns labels. Every name and set stays in training at least once; numbers need not.
enum class LabelUse { names, sets, numbers };

// Reads the files of `source`, completes the columns of each with find_columns(), and holds out
// splits without a file: rows of one group, or with equal texts, stay together. `say` gets a line
// for each file, and one for dev or test texts that training has, too. Throws Error like
// read_table() and add_labelled_rows(); a usage Error for an empty split, one label in all rows,
// choices without "first_choice", and several labels (`use`: sets) without a separator.
LabelledSplits read_labelled_files(const FileSource& source, LabelUse use, const Say& say);

}  // namespace minibert
