// Names the figures of a run and tells how tables show them and how intervals are made.
#pragma once

#include <string_view>

namespace minibert {

enum class Better { higher, lower, neither };

// How compare resamples a measure to make its interval: it recomputes the measure from the columns
// of a record's predictions, leaving out one cluster (the column `cluster`, else an example) at a
// time. A measure that the record's summary lacks gets no interval.
enum class Resampled {
  none,      // no interval
  mean,      // mean of the number column with the measure's name, weighted by the column `weight`
  macro_f1,  // over the text columns "gold" and "prediction": labels
  matthews,  // over the columns of macro_f1
  pearson,   // over the number columns "gold" and "prediction"
  spearman,  // over the columns of pearson
  entity_macro_f1,  // over the text columns "gold" and "prediction": tags separated by spaces
  set_micro_f1,     // over the same columns: sets of labels (score/label_set.h)
  set_macro_f1,     // over the columns of set_micro_f1
};

// A name means the same in all tasks. The order in a task's table counts: the first measure that is
// shown and has an interval decides sentences and warnings.
struct Measure {
  std::string_view name;     // "exact_match"; persisted in records, named by `monitor`
  std::string_view heading;  // "EM"
  int decimals;              // in tables; -1: a count, with thousands separators
  Better better;
  Resampled resampled = Resampled::none;
  double scale = 1;      // from column to measure: EM is 0 to 100, its column 0 to 1
  bool in_table = true;  // false: only in JSON
  // For a mean: the number column with the examples' weights ("targets"); empty: equal weights.
  std::string_view weight = {};
  // True: the column with the measure's name says from 0 to 1 how right each example is. Pairs of
  // runs use the first such measure of a task.
  bool right = false;
  // Only with `right`: the number column with the model's probability for its answer; empty: none.
  std::string_view probability = {};
  bool on_card = false;  // shown in a model file, as a figure of the model's quality
};

// Returns the measure with `right`.
constexpr Measure right(Measure measure, std::string_view probability = {}) {
  measure.right = true;
  measure.probability = probability;
  return measure;
}

// Returns the measure with `on_card`.
constexpr Measure on_card(Measure measure) {
  measure.on_card = true;
  return measure;
}

// Returns a figure that tables leave out.
constexpr Measure hidden(std::string_view name, std::string_view heading, Better better,
                         int decimals = 4) {
  return {
      .name = name, .heading = heading, .decimals = decimals, .better = better, .in_table = false};
}

}  // namespace minibert
