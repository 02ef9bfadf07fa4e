// What kind of examples files of one's own hold.
#pragma once

#include "data/own_source.h"

namespace minibert {

enum class OwnForm { labelled, tagged, questions };

// Told from the first file and the columns that are named. Throws Error as the readers do.
OwnForm form_of(const OwnSource& source);

}  // namespace minibert
