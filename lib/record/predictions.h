// Writes and reads the columns of /predictions in a record.
#pragma once

#include "core/h5.h"
#include "record/run_record.h"

namespace minibert {

// Throws Error naming a column whose length differs from `id`, that is both text and number, or
// whose name cannot be one ("", "id", with a '/').
void write_predictions(h5::File& file, const Predictions& predictions);

// Reads every column. Throws Error naming a column: `id` is missing, or the column is neither texts
// nor float64, has not one value a row, or has another length than `id`.
Predictions read_predictions(const h5::File& file);

}  // namespace minibert
