// Files of characters or words with tags: KLUE's characters, CoNLL and CoNLL-U.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/files/examples.h"
#include "data/files/file_source.h"
#include "data/files/held_out.h"

namespace minibert {

// * characters: "character<tab>tag" a line.
// * words (CoNLL): one a line in the first cell, its tag in the last, between tabs, else spaces.
// * conllu: ten cells between tabs; each word is an entity whose type is its `upos`. Words of a range ("3-4") are one.
enum class TagForm { characters, words, conllu };

// Whether the first line of a text that is neither blank nor a comment is a word with a tag of BIO, or one of CoNLL-U.
bool looks_tagged(std::string_view text);

// Reads one file, in an encoding of text_encoding.h. Blank lines end sentences; lines that begin with "##", "# " or
// "-DOCSTART-" are comments, the first two unless a tag ends them. `layout.text` and `layout.label` name other columns: by
// number from 1, of CoNLL-U by name. Tags are O, B-… and I-…; words become characters, of which the first has the
// word's tag and the others go on with it; a space inside of an entity belongs to it. An I- that goes on with nothing
// is read as B-, and `say` is told how many. Ids are "<split>-<sentence>", counted from `first_id`. Throws Error naming
// file and line.
std::vector<TaggedSentence> read_tagged_file(const std::string& path, TagForm form,
                                             const TableLayout& layout, const std::string& split,
                                             size_t first_id, const Say& say);

// The form of a file by its lines: CoNLL-U where the first word's line is its; characters where all words are one.
TagForm tag_form_of(const std::string& path);

// Reads files of `source` and holds out what has no file; equal sentences stay together. Throws Error as
// read_tagged_file(), and a usage Error for a split that is empty.
TaggedSplits read_tagged_files(const FileSource& source, const Say& say);

}  // namespace minibert
