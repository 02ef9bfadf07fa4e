// What kind of examples files of one's own hold.
#pragma once

#include <optional>

#include "data/own_source.h"
#include "data/tables/table.h"

namespace minibert {

enum class OwnForm { labelled, tagged, questions };

// Told from the first file and the columns that are named; `table` gets that file of labelled texts. Throws Error as the
// readers do.
OwnForm form_of(const OwnSource& source, std::optional<DataTable>* table = nullptr);

}  // namespace minibert
