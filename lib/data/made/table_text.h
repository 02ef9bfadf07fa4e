// The training part of labelled tables as a text to pretrain on.
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

// Writes the training examples of each data set as plain text that CorpusReader reads. An example is one
// paragraph or two: its text, then its pair or the alternative that is right. Examples that share no
// article stand in one document, `per_document` of them, in an order that follows from `seed`; an empty
// line ends a document. Dev and test rows are not written. Labels are not either: the text holds no more
// than what was written or said. Replaces `out`. Errors: as load_labelled; a file that cannot be written.
std::vector<TableTextCounts> write_table_text(const std::vector<ResolvedData>& sets,
                                              const std::string& out, uint64_t seed = 1,
                                              size_t per_document = 8);

}  // namespace minibert
