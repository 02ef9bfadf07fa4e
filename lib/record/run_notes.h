// Notes on a finished run that its figures do not show: it learned nothing, or it gives one answer
// to everything. Each note is one line without the run's name. Runs that train nothing have none.
#pragma once

#include <string>
#include <vector>

#include "record/run_record.h"

namespace minibert {

// Notes on the metrics: the training loss was 0 at every step, or a monitored figure was the same
// after each of three or more epochs. Accepts a record of any Load.
std::vector<std::string> training_notes(const RunRecord& record);
// Notes on the predictions, if they were read: one answer for all examples, or no answer at all,
// although the right ones differ; or no example that asks for anything.
std::vector<std::string> prediction_notes(const RunRecord& record);
// The same of a model that is measured on other examples.
std::vector<std::string> prediction_notes(const Predictions& predictions);

}  // namespace minibert
