// One's own files as labelled texts.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "data/examples.h"
#include "data/own/own_splits.h"
#include "data/own_source.h"

namespace minibert {

// Columns as find_columns() has them, of the first file. A row without a text, a pair, a choice or a
// label is left out and counted, and so is one whose label has no name in "labels", as label_cells.h says. With
// `several` a label is a set (score/label_set.h), which may be empty
// where a list or columns say so. Every label stays in training, but numbers of which most stand a few
// times alone. Labels are composed() and without white space around them; numbers that are equal (1 and 1.0) are one
// label, named by the shortest. Rows of one group (without a group column: with equal texts) stay in one
// split. `say` is told of every file what it is, what was left out, what was taken for what, and how
// many texts of dev or test stand in training too, and which labels training lacks. Errors name file and line: a label that "labels"
// does not list, an id that stands twice; a split that is empty; labels that are the same in every row.
LabelledSplits load_own_labelled(const OwnSource& source, const Say& say, bool several = false);

// Labels of a split that training lacks, and how many texts have one.
struct UnseenLabels {
  std::set<std::string> labels;
  size_t texts = 0;
};
// `several`: a label is a set, as load_own_labelled() has it.
UnseenLabels unseen_labels(const LabelledSplits& splits, const std::vector<LabelledExample>& split,
                           bool several);

// "reviews.csv: CSV in CP949, header, 1200 rows"
std::string described(const DataTable& table);

}  // namespace minibert
