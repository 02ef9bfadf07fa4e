// Reads the texts that data sets evaluate on, to leave them out of training or to find them there.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "data/registry.h"
#include "data/text_overlap.h"

namespace minibert {

// Adds the evaluation texts of a data set: the contexts of all its questions, the paragraphs of its
// dev and test texts, the cells of its dev and test tables with ten letters or more, and its tagged
// dev and test sentences. Throws the readers' errors, and Error for a data set without any.
void add_evaluation_texts(const ResolvedData& data, TextOverlap* overlap);

// Adds the evaluation texts of all `ids` and finishes. `find` resolves an id.
TextOverlap evaluation_overlap(const std::vector<std::string>& ids,
                               const std::function<ResolvedData(const std::string&)>& find);

struct TestExample {
  std::string id, text;  // `text`: for a question, its context
};

// Reads the test split, with the ids of predictions. Throws the readers' errors, and Error for a
// data set without questions, tables or tagged sentences.
std::vector<TestExample> test_examples(const ResolvedData& data);

struct ExampleOverlap {
  size_t examples = 0;
  std::vector<std::string> ids;  // examples in the text, in the split's order
};

// Finds the examples in `texts`, files as CorpusReader takes them: at least `share` (0 to 1) of an
// example's n-grams of thirty letters must be there; a shorter example must be a whole paragraph
// (text_overlap.h). Throws like CorpusReader.
ExampleOverlap find_overlap(const std::vector<TestExample>& examples,
                            const std::vector<std::string>& texts, double share);

}  // namespace minibert
