// What runs predicted, example by example, as the report page shows it.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "core/measure.h"
#include "record/run_record.h"
#include "report/example_texts.h"

namespace minibert {

struct LabelledRun {
  std::string label;  // runs of one label are its seeds
  const RunRecord* record;
};

// {sets: [{id, gold, text}], runs: [{run, set, numbers, prediction}]}: columns of equal length. A set
// (examples that several runs were asked) stands once; `gold` and `text` may be absent. `run` is the
// place in `runs`; `numbers` has the columns that the page draws, to three decimals: one measure,
// whether an answer is right, its probability. Predictions that are labels are always there, others
// as far as the page stays small: of the first run of every label before those of the others; a
// warning says how many are left out. Runs without predictions, or with ones that have neither
// labels nor a measure, are passed over, and, with a warning, labels whose runs' ids differ.
nlohmann::json report_examples(const std::vector<LabelledRun>& runs,
                               std::span<const Measure> measures, const DataPlaces& places,
                               std::vector<std::string>* warnings);

// To `digits` significant digits; null where it is no number.
nlohmann::json rounded(double value, int digits);

}  // namespace minibert
