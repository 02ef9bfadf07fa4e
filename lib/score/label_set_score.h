// Scores sets of labels, written as score/label_set.h says.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "score/entity_score.h"

namespace minibert {

// Counts one text's labels: 1 or 0 each for true, predicted, both. Counts of texts add up.
CountsByType label_set_counts(std::string_view gold, std::string_view prediction);

// Returns 2 correct / (gold + predicted) over all labels together, 0 to 1; 0 if there are none. The
// macro-F1 is entity_macro_f1() of the same counts.
double micro_f1(std::span<const EntityCounts> by_label);

// Returns the size of the sets' intersection over their union, 0 to 1; 1 if both are empty.
double jaccard(const CountsByType& counts);

// Returns the area under precision over recall as a sum of steps, 0 to 1 (scikit-learn's
// average_precision_score): equal scores are one step; 0 without a true example. Equal lengths.
double average_precision(std::span<const double> scores, std::span<const uint8_t> gold);

}  // namespace minibert
