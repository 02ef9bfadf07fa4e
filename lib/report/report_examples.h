// Collects the runs' predictions, example by example, for the report page.
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

// {sets: [{id, gold, text}], runs: [{run, set, numbers, prediction}]}: columns of equal length. A
// set holds the examples that several runs share; `gold` and `text` may be absent. `run` is the
// index in `runs`; `numbers` has the columns that the page draws, to three decimals: one measure,
// whether an answer is right, its probability. Label predictions are always there. Other
// predictions are there as long as the page stays small, the first run of every label before the
// others; a warning counts the rest. Runs without predictions, or with predictions that have
// neither labels nor a measure, are skipped; so are labels whose runs' ids differ (with a warning).
nlohmann::json report_examples(const std::vector<LabelledRun>& runs,
                               std::span<const Measure> measures, const DataPlaces& places,
                               std::vector<std::string>* warnings);

// Rounds to `digits` significant digits; null for a value that is not a number.
nlohmann::json rounded(double value, int digits);

}  // namespace minibert
