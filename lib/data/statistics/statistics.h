// Counts and lengths of a data set's splits: the course's analysis of KorQuAD (S1), and more.
#pragma once

#include <nlohmann/json.hpp>

#include "data/questions/qa_features.h"
#include "data/registry.h"

namespace minibert {

// Returns {split: {…}}. Lengths and positions are distributions (data/statistics/counts.h) in
// "unit": pieces with a tokenizer, else characters.
// * Questions: paragraphs, questions; question_length (not cut), context_length (once a question, as
//   the course counts), answer_position (first piece or character of the answer in its context),
//   answer_length; with a tokenizer answers_beyond_the_window, which the course drops; words: the
//   most frequent of titles, contexts and questions (data/statistics/counts.h).
// * Text ("text <split>"): documents, paragraphs, bytes; line_length, document_length; with a
//   tokenizer pieces, unknown_rate (of the pieces), character_coverage (share of the characters
//   that are not unknown), vocabulary_used (ids that occur), frequent_pieces ([[piece, count], …]).
// * Labelled texts: examples; text_length, pair_length and choice_length if present; labels: {name:
//   count}, or for a score (a number with a fraction) target: its distribution, with the column's
//   name as its own "unit".
// * Tagged sentences: sentences, entities; sentence_length; entity_types and tags: {name: count}, a
//   tag once a character.
// * Tables without columns in the registry: their bytes.
// Throws Error like load_korquad, load_labelled, load_tagged and CorpusReader. The result does not
// depend on `threads`.
nlohmann::json data_statistics(const ResolvedData& data, const Tokenizer* tokenizer,
                               const QaFeatureSettings& settings, int threads);

// Return its parts for labelled texts and for tagged sentences: {split: {…}} without empty splits.
// Throw Error like load_labelled and load_tagged.
nlohmann::json labelled_statistics(const ResolvedData& data, const Tokenizer* tokenizer,
                                   int threads);
nlohmann::json tagged_statistics(const ResolvedData& data, const Tokenizer* tokenizer, int threads);

}  // namespace minibert
