// Two runs side by side: what they were made with, and which examples only one of them gets right.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "core/measure.h"
#include "record/run_record.h"

namespace minibert {

struct KeyDifference {
  std::string
      key;  // "train.epochs", "environment.cpu", "data.id"; an arm's keys stand without "arms.0."
  nlohmann::json first, second;  // null where a run has no such key
};

// How configuration, environment and data differ, in this order; lists are compared whole. When the runs
// were made says nothing and is left out.
std::vector<KeyDifference> key_differences(const RunRecord& first, const RunRecord& second);

// The settings, by key, that both have with different values: all of the configuration but seeds and what a seed is
// put into, which name other runs.
std::vector<KeyDifference> setting_differences(const RunRecord& first, const RunRecord& second);

// Whether rows of two runs' predictions are one example: they have the same right answer and, where both runs store
// it, the same text. Where neither stores texts, the runs must name the same test files. Keeps references to both.
class SameExamples {
 public:
  SameExamples(const RunRecord& first, const RunRecord& second);
  // Why no row of one is a row of the other: "is measured on other test files (test.csv)"; empty: some may be.
  const std::string& why() const { return why_; }
  // "right answer" or "text" where the rows differ in it, else null.
  const char* differs(size_t row_of_first, size_t row_of_second) const;

 private:
  // One column of both runs.
  template <class T>
  struct Column {
    std::span<const T> first, second;
    bool differs(size_t row, size_t other) const { return first[row] != second[other]; }
  };
  std::vector<Column<std::string>> gold_texts_, texts_;  // of those that both have
  std::vector<Column<double>> gold_numbers_;
  std::string why_;
};

struct ExampleDifference {
  std::string id;
  double first, second;          // the figure; of a right answer 1
  std::string gold;              // "" where predictions have none
  std::string said, other_said;  // what the first and the second run predicted
};

struct ExamplePairs {
  std::string figure;  // "exact_match", …; "right" where only gold and prediction tell
  size_t examples = 0, both_right = 0;
  size_t first_alone = 0, second_alone = 0;  // examples that the other run has not
  std::vector<ExampleDifference> first_better, second_better;  // the largest differences first
};

// Pairs all examples that both predicted, by id; they must be the same ones (SameExamples). `figure`: a column of both that `measures` knows; empty:
// the first that says how right an example is (Measure::right), or whether prediction is gold. Throws a
// usage Error where there is no such column, no common example, or one that differs. Both are loaded with predictions.
ExamplePairs pair_examples(const RunRecord& first, const RunRecord& second,
                           const std::string& figure, std::span<const Measure> measures);

}  // namespace minibert
