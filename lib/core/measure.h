// Names the figures of a run, and tells how tables show them and how their intervals are made.
#pragma once

#include <string_view>

namespace minibert {

enum class Better { higher, lower, neither };

// Tells how compare makes an interval of a measure, from the columns of a record's predictions without one cluster of
// examples at a time, where the record's summary has the measure.
enum class Resampled {
  none,      // no interval
  mean,      // of the number column that has the measure's name, weighted by that of `weight`
  macro_f1,  // of the text columns "gold" and "prediction": labels
  matthews,  // of the same
  pearson,   // of the number columns "gold" and "prediction"
  spearman,  // of the same
  entity_macro_f1,  // of the text columns "gold" and "prediction": tags separated by spaces
  set_micro_f1,     // of the same: sets of labels (score/label_set.h)
  set_macro_f1,     // of the same
};

struct Measure {
  std::string_view name;     // "exact_match"; persisted in records, named by `monitor`
  std::string_view heading;  // "EM"
  int decimals;              // in tables; -1: a count, with thousands separators
  Better better;
  Resampled resampled = Resampled::none;
  double scale = 1;      // from the columns to the measure: EM is 0 to 100, its column 0 to 1
  bool in_table = true;  // false: in JSON and CSV alone
  // For a mean: the number column that weighs the examples ("targets"); empty: all weigh the same.
  std::string_view weight = {};
  // Its column says how right each example is, 0 to 1. Pairs of runs are compared by the first such measure.
  bool right = false;
  // The number column that says how probable the model held its answer to be, beside a column with `right`;
  // empty: none.
  std::string_view probability = {};
  bool on_card = false;  // a model file tells it: one of the figures that say how good a model is
};

}  // namespace minibert
