// Counts of labels and lengths of texts: the part of data/statistics/statistics.h for labelled texts and tagged
// sentences.
#pragma once

#include <nlohmann/json.hpp>

#include "data/registry.h"
#include "text/tokenizer.h"

namespace minibert {

// {split: {…}} without the empty splits, as data_statistics() tells. Throws Error as load_labelled and
// load_tagged do.
nlohmann::json labelled_statistics(const ResolvedData& data, const Tokenizer* tokenizer,
                                   int threads);
nlohmann::json tagged_statistics(const ResolvedData& data, const Tokenizer* tokenizer, int threads);

}  // namespace minibert
