// Results as JSON: what `minibert fill-mask --json` prints and what the page's engine answers.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "infer/fill_mask.h"

namespace minibert::infer {

// [{"id", "piece", "begin", "end"}], offsets in UTF-8 bytes of the text.
nlohmann::ordered_json to_json(const std::vector<Token>& tokens);

// {"tokens", "masks": [{"position", "begin", "end", "guesses": [{"id", "piece", "text",
//  "probability"}]}], "filled", "timing": {"tokenize_ms", "encoder_ms", "output_ms"}}
nlohmann::ordered_json to_json(const FillResult& result);

// The architecture and ModelFacts under their field names, "kernel" and "weights" ("int8" |
// "float32").
nlohmann::ordered_json facts_json(const Model& model, Kernel kernel);

}  // namespace minibert::infer
