// One's own files as tagged sentences.
#pragma once

#include <string>

#include "data/examples.h"
#include "data/own/own_splits.h"
#include "data/own_source.h"
#include "data/tables/table.h"

namespace minibert {

// The form is told from the lines: KLUE's characters ("character<tab>tag"); CoNLL-U (ten columns; its
// column `label`, else upos: every word is an entity of its tag's type); CoNLL (the word in the first
// column or that named by text, the tag in the last or that named by label, cells separated by tabs or
// spaces; O, B-… and I-…, also B_… and …_B; a first column that counts words is passed over, and a piece that begins
// with ## goes on with its word); a table with a word a row, whose sentences a column names ("Sentence #", also in its
// first row alone) or blank rows end; JSON with a list of words and a list of tags a row. A first line may name the
// columns ("word", "tag"). Words become characters: a
// word's first has its tag, the others go on with it, spaces inside an entity belong to it. Errors name
// file and line.
TaggedSplits load_own_tagged(const OwnSource& source, const Say& say);

// Do the first lines of a text look like words or characters with tags, of which some are entities?
bool looks_tagged(const std::string& text);

// The same where no word need be an entity: a file to be tagged.
bool looks_like_words(const std::string& text);

// Throws a usage Error where a table that has no label holds parts of its texts that are marked, as annotation tools
// write names: {"start_offset": 0, "end_offset": 3, "label": "PER"}.
void refuse_marked_parts(const DataTable& table, const OwnColumns& given);

}  // namespace minibert
