// A figure is a number of a run or an arm in a table. A measure says how to show and resample it.
#pragma once

#include <string_view>

namespace minibert {

enum class Better { higher, lower, neither };

// How `compare` makes intervals: it computes the figure again from the columns of a record's
// predictions, without one cluster (or example, if no column `cluster` is known) at a time. The
// compiler warns of each switch in lib/compare (statistic, scores, intervals) without a new value.
enum class Resampled {
  none,      // no interval; a figure that the runs' summaries lack has none, either
  mean,      // mean of the number column with the measure's name, weighted by the column `weight`
  macro_f1,  // over the text columns "gold" and "prediction": labels
  matthews,  // over the same columns
  pearson,   // over the number columns "gold" and "prediction"
  spearman,  // over the same columns
  entity_macro_f1,  // over the text columns "gold" and "prediction": tags separated by spaces
  set_micro_f1,     // over the same columns: sets of labels (score/label_set.h)
  set_macro_f1,     // over the same columns
};

// A name means the same in all tasks; only "loss" is what each task's training minimizes. The first
// measure of a task that is in tables and has an interval decides sentences and warnings.
struct Measure {
  std::string_view name;     // "exact_match"; persisted in records, named by `monitor`
  std::string_view heading;  // "EM"
  int decimals;   // in tables; -1: a count, with thousands separators; 0 to 15 with `on_card`
  Better better;  // intervals: from 0 (correlations: -scale); up to scale if higher is better
  Resampled resampled = Resampled::none;
  double scale = 1;      // from column to measure: EM is 0 to 100, its column 0 to 1
  bool in_table = true;  // false: only in JSON
  // For a mean: the number column with the examples' weights ("targets"); empty: equal weights.
  std::string_view weight = {};
  // True: the number column with the measure's name says how right each example is, 0 to 1.
  // `inspect` pairs the examples of two runs by the first such measure of a task.
  bool right = false;
  // Only with `right`: the number column with the model's probability for its answer; empty: none.
  std::string_view probability = {};
  bool on_card = false;  // on the card of a model file: the figures that tell its quality
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

// Returns a measure that tables leave out.
constexpr Measure hidden(std::string_view name, std::string_view heading, Better better,
                         int decimals = 4) {
  return {
      .name = name, .heading = heading, .decimals = decimals, .better = better, .in_table = false};
}

}  // namespace minibert
