// Which examples of an evaluation a training text has read already.
#pragma once

#include <string>
#include <vector>

#include "data/registry.h"

namespace minibert {

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
