// Tagged sentences of any data set: KLUE-NER's characters, and files that an experiment names.
#pragma once

#include <functional>
#include <string>

#include "data/files/examples.h"
#include "data/registry.h"

namespace minibert {

// Reads the tagged characters of a data set (files/tagged_file.h), split by file, or by sentence where the registry has
// "rows" (as load_labelled). Files that an experiment names are read as read_tagged_files() says. `say` is told of tags
// that were read otherwise than they are written. Throws Error as read_tagged_file(); a usage Error for a data set
// without tagged sentences.
TaggedSplits load_tagged(
    const ResolvedData& data,
    const std::function<void(const std::string&)>& say = [](const std::string&) {});

}  // namespace minibert
