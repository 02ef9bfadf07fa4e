// Figures of several labels a text. The sets are written as score/label_set.h says.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "score/entity_score.h"

namespace minibert {

// By label, of one text: whether it is true, predicted, and both. Counts of texts add up.
CountsByType label_set_counts(std::string_view gold, std::string_view prediction);

// 2 correct / (gold + predicted) of all labels together, 0 to 1; 0 where there are none. The macro-F1
// is entity_macro_f1() of the same counts.
double micro_f1(std::span<const EntityCounts> by_label);

// What two sets share of what is in either, 0 to 1; 1 where both are empty.
double jaccard(const CountsByType& counts);

// The area under precision over recall as a sum of steps, 0 to 1 (scikit-learn's
// average_precision_score): equal scores are one step. 0 without a true example. Both as long.
double average_precision(std::span<const double> scores, std::span<const uint8_t> gold);

}  // namespace minibert
