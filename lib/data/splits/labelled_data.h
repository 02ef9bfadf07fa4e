// Loads labelled texts of any data set: tables of the registry, and files that an experiment names.
#pragma once

#include <functional>
#include <string>

#include "data/files/examples.h"
#include "data/files/labelled_file.h"
#include "data/registry.h"

namespace minibert {

// Reads the tables of a data set. If the registry has "rows", the texts of that split are sorted by
// their SHA-256: the first `train` percent are the training split, the next `dev` percent dev, the
// rest test. The result is equal on every machine, and equal texts are never in two splits. Files
// that an experiment names (ResolvedData::source) go through read_labelled_files(), which reports
// to `say`. Throws Error like read_table() and add_labelled_rows(); a usage Error for a data set
// without tables or without columns of text.
LabelledSplits load_labelled(
    const ResolvedData& data,
    const std::function<void(const std::string&)>& say = [](const std::string&) {},
    LabelUse use = LabelUse::names);

}  // namespace minibert
