// What data sets evaluate on: to leave it out of a training text, or to tell which test examples one has
// read already.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "data/registry.h"
#include "data/text_overlap.h"

namespace minibert {

// Adds what a data set evaluates on: the contexts of all its questions, the paragraphs of its dev
// and test texts, the columns of its dev and test tables that have ten letters or more. Errors: as
// the readers; a data set that has none of these.
void add_evaluation_texts(const ResolvedData& data, TextOverlap* overlap);

// What the data sets of these ids evaluate on, finished. `find` resolves an id.
TextOverlap evaluation_overlap(const std::vector<std::string>& ids,
                               const std::function<ResolvedData(const std::string&)>& find);

struct TestExample {
  std::string id, text;  // of a question its context
};

// Of the test split, by the ids that predictions have. Errors: as the readers; a data set without
// questions, tables or tagged sentences.
std::vector<TestExample> test_examples(const ResolvedData& data);

struct ExampleOverlap {
  size_t examples = 0;
  std::vector<std::string> ids;  // of those that the text holds, in the split's order
};

// `texts` as CorpusReader takes them. An example counts when at least `share` (0 to 1) of its n-grams of
// thirty letters stand in them, of a shorter one when it is a whole paragraph there (text_overlap.h).
// Throws as CorpusReader does.
ExampleOverlap find_overlap(const std::vector<TestExample>& examples,
                            const std::vector<std::string>& texts, double share);

}  // namespace minibert
