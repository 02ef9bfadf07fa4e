// What runs predicted, example by example, as the report page shows it.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "record/run_record.h"
#include "report/example_texts.h"

namespace minibert {

struct LabelledRun {
  std::string label;  // runs of one label are its seeds
  const RunRecord* record;
};

// {sets: [{id, gold, text}], arms: [{label, set, texts, numbers}]}: columns of equal length. A set
// (examples that several arms were asked) stands once; `gold` and `text` may be absent. An arm's
// texts (its predictions) are of its first run, its numbers means over its runs, to three digits.
// Runs without predictions are passed over, and, with a warning, labels whose runs' ids differ.
nlohmann::json report_examples(const std::vector<LabelledRun>& runs, const DataPlaces& places,
                               std::vector<std::string>* warnings);

// To `digits` significant digits; null where it is no number.
nlohmann::json rounded(double value, int digits);

}  // namespace minibert
