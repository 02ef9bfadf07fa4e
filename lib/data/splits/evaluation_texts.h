// Reads the texts that data sets evaluate on: to leave them out of a training text, or to tell
// which test examples it has read already.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "data/registry.h"
#include "data/text_overlap.h"

namespace minibert {

// Adds the texts that a data set evaluates on: the contexts of all its questions, the paragraphs of
// its dev and test texts, the cells of its dev and test tables that have ten letters or more.
// Errors: those of the readers, and a data set that has none of these.
void add_evaluation_texts(const ResolvedData& data, TextOverlap* overlap);

// Adds those of the data sets of these ids, and finishes. `find` resolves an id.
TextOverlap evaluation_overlap(const std::vector<std::string>& ids,
                               const std::function<ResolvedData(const std::string&)>& find);

struct TestExample {
  std::string id, text;  // of a question its context
};

// Reads the test split, with the ids that predictions have. Errors: those of the readers, and a
// data set without questions, tables or tagged sentences.
std::vector<TestExample> test_examples(const ResolvedData& data);

struct ExampleOverlap {
  size_t examples = 0;
  std::vector<std::string> ids;  // the examples that the text holds, in the split's order
};

// Finds the examples that `texts`, files as CorpusReader takes them, hold: those with at least
// `share` (0 to 1) of their n-grams of thirty letters in them; a shorter example must be a whole
// paragraph there (text_overlap.h). Throws as CorpusReader does.
ExampleOverlap find_overlap(const std::vector<TestExample>& examples,
                            const std::vector<std::string>& texts, double share);

}  // namespace minibert
