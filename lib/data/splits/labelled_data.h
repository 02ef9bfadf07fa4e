// Tables of labelled texts: one example a row, its texts and its label in named columns
// (data/registry.h says which). Split by file, or by row where the registry shares rows out.
#pragma once

#include <functional>
#include <string>

#include "data/examples.h"
#include "data/registry.h"

namespace minibert {

// Reads the tables of a data set. Where the registry has "rows", the texts of that split are sorted by
// their SHA-256, and the first `train` percent of them are the training split, the next `dev` percent
// dev, the rest test: the same on every machine, and equal texts never in two splits.
// Errors name file and line: not UTF-8, another number of columns than the header has, a missing
// column, an empty text, a label that is not among the registry's; a data set without tables, or
// without columns for texts. One's own files are read as data/own/own_labelled.h says, which tells
// `say` about them, and with several labels a text where they say so, or `several` does.
LabelledSplits load_labelled(
    const ResolvedData& data,
    const std::function<void(const std::string&)>& say = [](const std::string&) {},
    bool several = false);

}  // namespace minibert
