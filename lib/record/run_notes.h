// What a finished run shows that its figures do not: it learnt nothing, or it says the same of everything. Each note is
// one line without the run's name. Runs that train nothing have none.
#pragma once

#include <string>
#include <vector>

#include "record/run_record.h"

namespace minibert {

// Of the metrics: a loss of training that was 0 at every step, or a monitored figure that was the same after each of
// three or more epochs. Reads a record of any Load.
std::vector<std::string> training_notes(const RunRecord& record);
// Of the predictions, where they were read: one answer for all examples, or none for any, although the right ones
// differ; or no example that asks for anything.
std::vector<std::string> prediction_notes(const RunRecord& record);

}  // namespace minibert
