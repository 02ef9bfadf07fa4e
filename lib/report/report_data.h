// What the report page shows of stored runs, as one JSON object.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "core/measure.h"

namespace minibert {

// {title, measures: [name, …], runs, differences, examples}, where
// * runs: {id, label (the arm; runs of one label are its seeds), seed, status, epochs, summary,
// metrics
//   {"<split>/<name>": [[step, …], [value, …]]}, config and provenance (environment and data), both
//   flat: "train.optimizer.lr"}. A metric of more than kMostPoints values is thinned: each point is
//   the mean of a stretch, at the stretch's last step. Values are rounded to five digits.
// * differences: {arm, baseline, examples, intervals {measure: {difference, low, high}}}, as
// compare
//   has them; of finished runs.
// * examples, of every label with predictions: {label, id, texts of its first run, numbers as means
//   over its runs, three digits}; nothing where the runs' ids differ.
// Errors: as compare_runs(), an unreadable record.
nlohmann::json report_data(const std::vector<std::string>& paths,
                           std::span<const Measure> measures);

inline constexpr size_t kMostPoints = 150;

}  // namespace minibert
