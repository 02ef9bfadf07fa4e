// Compares two runs: their settings, and the examples that only one of them gets right.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "core/measure.h"
#include "record/run_record.h"

namespace minibert {

struct KeyDifference {
  std::string key;  // "train.epochs", "environment.cpu", "data.id"; an arm's keys have no "arms.0."
  nlohmann::json first, second;  // null if a run lacks the key
};

// Returns the differences of configuration, environment and data, in this order; lists are compared
// whole. Times of the runs are ignored.
std::vector<KeyDifference> key_differences(const RunRecord& first, const RunRecord& second);

// Returns the settings that both have with different values: the configuration without seeds and
// values that contain a seed, which name other runs.
std::vector<KeyDifference> setting_differences(const RunRecord& first, const RunRecord& second);

// Tells if rows of two runs' predictions are one example: they have the same right answer and, if
// both runs store it, the same text. If neither stores texts, the runs must name the same test
// files. Keeps references to both.
class SameExamples {
 public:
  SameExamples(const RunRecord& first, const RunRecord& second);
  // Why no rows are the same: "is measured on other test files (test.csv)"; empty: some may be.
  const std::string& why() const { return why_; }
  // "right answer" or "text" if the rows differ in it, else null.
  const char* differs(size_t row_of_first, size_t row_of_second) const;

 private:
  // One column of both runs.
  template <class T>
  struct Column {
    std::span<const T> first, second;
    bool differs(size_t row, size_t other) const { return first[row] != second[other]; }
  };
  std::vector<Column<std::string>> gold_texts_, texts_;  // of the columns that both have
  std::vector<Column<double>> gold_numbers_;
  std::string why_;
};

struct ExampleDifference {
  std::string id;
  double first, second;          // the figure; 1 for a right answer
  std::string gold;              // "" if predictions have none
  std::string said, other_said;  // the first and the second run's predictions
};

struct ExamplePairs {
  std::string figure;  // "exact_match", …; "right" if there are only gold and prediction
  size_t examples = 0, both_right = 0;
  size_t first_alone = 0, second_alone = 0;                    // examples that the other run lacks
  std::vector<ExampleDifference> first_better, second_better;  // the largest differences first
};

// Pairs the examples that both runs predicted, by id. `figure` names a number column of both; if it
// is empty, the first measure with Measure::right counts, else whether prediction equals gold.
// Throws a usage Error without such a column, without a common example, and if two rows of one id
// are not the same example (SameExamples). Both runs are loaded with predictions.
ExamplePairs pair_examples(const RunRecord& first, const RunRecord& second,
                           const std::string& figure, std::span<const Measure> measures);

}  // namespace minibert
