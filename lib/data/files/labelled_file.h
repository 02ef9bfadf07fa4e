// Rows of a table as labelled examples.
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
  std::string group;  // of the column of groups; empty: its text is its group
};

// Appends a table's rows to `out`, by columns that `layout` names. Cells count without white space around them; several
// texts are joined by spaces. The example's id is "<split>-<row>", its row counted in `out` from 1. Its label is as it is
// written, or as "labels" names it; of several the set (score/label_set.h), by "label_separator" or from columns of 0 and
// 1; of choices the number of the right one, from 1. A row with an empty cell is an Error, or with layout.skip_empty left
// out and told to `say`. Throws Error naming file and line: a label that "labels" does not list, an answer that is no
// number of a choice, another number of choices than the first row has.
void add_labelled_rows(const FileTable& table, const TableLayout& layout, const std::string& split,
                       const Say& say, std::vector<LabelledRow>* out);

// The alternatives of a row: cells of several columns, or the JSON list of one. Throws Error that begins with `where`.
std::vector<std::string> choices_in(const std::vector<std::string>& cells,
                                    const std::string& where);

// What labels are learnt as. Of names and sets each stays in training at least once; numbers may be any.
enum class LabelUse { names, sets, numbers };

// Reads files of `source`, whose columns find_columns() completes for each, and holds out what has no file: rows of one
// group, else with equal texts, stay together. `say` gets a line for each file, and for texts of dev or test that
// training has, too. Throws Error as read_table() and add_labelled_rows() do; a usage Error for a split that is empty,
// one label in all rows, choices without "first_choice", several labels in files whose source names no separator
// (`use`: sets).
LabelledSplits read_labelled_files(const FileSource& source, LabelUse use, const Say& say);

}  // namespace minibert
