// Labelled texts of any data set: tables of the registry, and files that an experiment names.
#pragma once

#include <functional>
#include <string>

#include "data/files/examples.h"
#include "data/files/labelled_file.h"
#include "data/registry.h"

namespace minibert {

// Reads the tables of a data set. Where the registry has "rows", the texts of that split are sorted by
// their SHA-256, and the first `train` percent of them are the training split, the next `dev` percent
// dev, the rest test: the same on every machine, and equal texts never in two splits. Files that an experiment names
// (ResolvedData::source) are read as read_labelled_files() says, which tells `say` about them.
// Throws Error as read_table() and add_labelled_rows() do; a usage Error for a data set without tables, or without
// columns for texts.
LabelledSplits load_labelled(
    const ResolvedData& data,
    const std::function<void(const std::string&)>& say = [](const std::string&) {},
    LabelUse use = LabelUse::names);

}  // namespace minibert
