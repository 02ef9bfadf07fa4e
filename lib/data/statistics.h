// Counts and lengths of a data set's splits: the course's analysis of KorQuAD (S1), and of text.
#pragma once

#include <nlohmann/json.hpp>

#include "data/qa_features.h"
#include "data/registry.h"

namespace minibert {

// {split: {…}}. Of questions: paragraphs, questions, and of question, context and answer length
// {min, max, mean, deviation, percentile_25, percentile_50, percentile_75, box_max} (box_max is the
// third quartile plus 1.5 times the interquartile range), in pieces with a tokenizer, else in
// characters; with one also how many answers lie beyond the course's window. Of text: documents,
// paragraphs, bytes. Throws Error as load_korquad and CorpusReader do.
nlohmann::json data_statistics(const ResolvedData& data, const Tokenizer* tokenizer,
                               const QaFeatureSettings& settings, int threads);

}  // namespace minibert
