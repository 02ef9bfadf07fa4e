// Loads tagged sentences of any data set: KLUE-NER's, and files that an experiment names.
#pragma once

#include <functional>
#include <string>

#include "data/files/examples.h"
#include "data/registry.h"

namespace minibert {

// Reads the tagged files of a data set (files/tagged_file.h), split by file, or by sentence if the
// registry has "rows" (like load_labelled). Files that an experiment names go through
// read_tagged_files(). `say` hears of tags that were changed on reading. Throws Error like
// read_tagged_file(); a usage Error for a data set without tagged sentences.
TaggedSplits load_tagged(
    const ResolvedData& data,
    const std::function<void(const std::string&)>& say = [](const std::string&) {});

}  // namespace minibert
