// QA features as JSON lines, for comparison with other implementations.
#pragma once

#include <string>

#include "data/questions/qa_features.h"

namespace minibert {

// One line without "\n": {"id", "input_ids" (not padded), "segments", "start", "end", "discarded":
// false} with start and end as positions in input_ids; of an example that the course drops, only
// {"id", "discarded": true}.
std::string feature_line(const QaSplit& split, uint32_t example, const QaFeatureSettings& settings);

}  // namespace minibert
