// The columns of a record's predictions, to and from /predictions of its file.
#pragma once

#include "core/h5.h"
#include "record/run_record.h"

namespace minibert {

// Errors name the column: of another length than `id`, both text and number, or with a name that
// cannot be one ("", "id", with a '/').
void write_predictions(h5::File& file, const Predictions& predictions);

// Every column that is there. Errors name the column: no `id`, neither texts nor float64, not one
// value a row, of another length than `id`.
Predictions read_predictions(const h5::File& file);

}  // namespace minibert
