// Words with tags as a spreadsheet has them: a row each, with a column of sentences or blank rows between them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/own/tagged_words.h"
#include "data/tables/text_encoding.h"

namespace minibert {

struct WordSheet {
  char separator = ',';
  std::optional<WordColumns> named = {};  // by the first row
  size_t entities = 0;                    // in the rows that were looked at
  size_t word() const { return named ? named->word : 0; }
};

// Nothing where fewer than nine rows in ten have a word and a tag at their places. Between tabs it is a sheet where a
// column holds sentences, else CoNLL.
std::optional<WordSheet> word_sheet_of(std::string_view text);

// Appends its sentences. A new one begins where the column of sentences says another, or behind a blank row. Throws
// Error naming file and line: a tag that is none, no word, nothing that ends a sentence.
void read_word_sheet(const DecodedText& text, const std::string& path, const WordSheet& sheet,
                     const OwnSource& source, const Say& say, std::vector<TaggedSentence>* out);

}  // namespace minibert
