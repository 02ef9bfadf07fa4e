// Makes a pretraining text of the training part of labelled tables.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/registry.h"

namespace minibert {

struct TableTextCounts {
  std::string id;
  uint64_t examples = 0, documents = 0, paragraphs = 0, bytes = 0;
};

// Writes the training examples of each data set as plain text for CorpusReader. An example is one
// or two paragraphs: its text, then its pair or its right alternative. Examples that share no
// article stand together in documents, `per_document` in each, in an order that follows from
// `seed`; an empty line ends a document. Dev and test rows and all labels are left out: the text
// holds only sentences that people wrote or said. Replaces `out`. Throws Error like load_labelled,
// and if `out` cannot be written.
std::vector<TableTextCounts> write_table_text(const std::vector<ResolvedData>& sets,
                                              const std::string& out, uint64_t seed = 1,
                                              size_t per_document = 8);

}  // namespace minibert
