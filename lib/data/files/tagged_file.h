// Reads files of characters or words with tags: KLUE's characters, CoNLL and CoNLL-U.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/files/examples.h"
#include "data/files/file_source.h"
#include "data/files/held_out.h"

namespace minibert {

// * characters: "character<tab>tag" a line.
// * words (CoNLL): a word a line, in the first cell; its tag in the last. Tabs or spaces between.
// * conllu: ten cells between tabs; a word is an entity of type `upos`, a range ("3-4") one word.
enum class TagForm { characters, words, conllu };

// True if the first line, except blanks and comments, is a word with a BIO tag or of CoNLL-U.
bool looks_tagged(std::string_view text);

// Reads one file, in an encoding of text_encoding.h. Blank lines end sentences. Lines that begin
// with "##", "# " or "-DOCSTART-" are comments; the first two are not if they end in a tag.
// `layout.text` and `layout.label` name other columns: by number from 1, in CoNLL-U by name. Tags
// are O, B-… and I-…. A word becomes characters: the first has the word's tag, the others continue
// it; a space inside an entity belongs to it. An I- that continues nothing is read as B-, and `say`
// gets their number. Ids are "<split>-<sentence>", counted from `first_id`. Throws Error naming
// file and line.
std::vector<TaggedSentence> read_tagged_file(const std::string& path, TagForm form,
                                             const TableLayout& layout, const std::string& split,
                                             size_t first_id, const Say& say);

// Returns the form of a file: CoNLL-U if the first word's line has its form, characters if all
// words are single characters, else words.
TagForm tag_form_of(const std::string& path);

// Reads the files of `source` and holds out splits without a file; equal sentences stay together.
// Throws Error like read_tagged_file(), and a usage Error for an empty split.
TaggedSplits read_tagged_files(const FileSource& source, const Say& say);

}  // namespace minibert
