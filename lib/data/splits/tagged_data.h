// Sentences with a tag on every character, in the format of KLUE-NER: "character<tab>tag" a line, an
// empty line between sentences, comments from "##".
#pragma once

#include <functional>
#include <string>

#include "data/examples.h"
#include "data/registry.h"

namespace minibert {

// Split by file, or by sentence where the registry has "rows" (as load_labelled). Errors name file and
// line: not UTF-8, no tab, more than one character, a tag that is not O, B-… or I-…, an I-XX that
// continues no entity of type XX; a sentence without characters.
// One's own files are read as data/own/own_tagged.h says.
TaggedSplits load_tagged(
    const ResolvedData& data,
    const std::function<void(const std::string&)>& say = [](const std::string&) {});

}  // namespace minibert
