// Masks as people write them: ___, ( ), [ mask ], □, ○○ (rules/blanks.h).
#pragma once

#include <string_view>

#include "infer/fill_mask.h"

namespace minibert::infer {

// FillMask::fill(), for which the blanks of a text without [MASK] are masks; a text with one is read as it is. Places
// in the result count bytes of the text as it was given.
Status fill_written(FillMask& model, std::string_view text, size_t top_k, FillResult* result);

}  // namespace minibert::infer
