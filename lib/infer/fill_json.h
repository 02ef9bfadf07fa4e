// Results as JSON: what `minibert fill-mask --json` prints and what the page's engine answers.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "infer/answerer.h"
#include "infer/classifier.h"
#include "infer/explain.h"
#include "infer/fill_mask.h"
#include "infer/intervene.h"
#include "infer/tagger.h"
#include "infer/teach.h"
#include "infer/training.h"
#include "infer/word_guesses.h"

namespace minibert::infer {

// [{"id", "piece", "begin", "end"}], offsets in UTF-8 bytes of the text.
nlohmann::ordered_json to_json(const std::vector<Token>& tokens);

// {"tokens", "masks": [{"position", "begin", "end", "guesses": [{"id", "piece", "text",
//  "probability"}]}], "filled", "timing": {"tokenize_ms", "encoder_ms", "output_ms"}}
nlohmann::ordered_json to_json(const FillResult& result);

// {"answers": [{"text", "begin", "end", "probability"}], "question_pieces", "context_pieces",
// "windows",
//  "timing": as of a FillResult}, offsets in UTF-8 bytes of the context.
nlohmann::ordered_json to_json(const AnswerResult& result);

// {"labels": [{"label", "probability"}], "words": [{"begin", "end", "probability"}], "pieces",
// "read",
//  "timing": as of a FillResult}, offsets in UTF-8 bytes of the text.
nlohmann::ordered_json to_json(const ClassifyResult& result);

// {"entities": [{"type", "text", "begin", "end", "probability"}], "pieces", "read", "timing": as of
// a
//  FillResult}, offsets in UTF-8 bytes of the text.
nlohmann::ordered_json to_json(const TagResult& result);

// {"labels": [{"label", "sentences"}], "unread_line", "learnt", "right", "wrong": [{"text", "label", "guess",
//  "probability"}], "guess": [{"label", "probability"}], "words": [{"begin", "end", "probability"}]}, offsets in UTF-8
//  bytes of the asked text.
nlohmann::ordered_json to_json(const TeachResult& result);

// [{"text", "pieces": [{"id", "piece"}], "probability"}]
nlohmann::ordered_json to_json(const std::vector<WordGuess>& words,
                               const PieceTokenizer& tokenizer);

// {"pieces": [{"id", "piece", "rank", "probability"}], "probability"}
nlohmann::ordered_json to_json(const WordScore& score);

// {"tokens", "layers", "heads", …, "masks": [{"position", "fitting", "stages": [[{"text", "logit",
//  "probability"}]], "path": [{"rank", "probability"}], "shown": [{"text", "added"}]}]}, between them ModelConfig under its field names; "fitting" counts
//  ExplainedMask::logits.
nlohmann::ordered_json to_json(const Explanation& explanation, const ModelConfig& config);

// {"tokens", "layers", "local_layers", "heads", "masks": [{"position", "guesses": [{"id", "piece", "text",
//  "probability", "before"}], "before": [{"id", "piece", "text", "probability"}]}], "word", "word_before":
//  [as a WordScore]}
nlohmann::ordered_json to_json(const ChangedResult& result);

// [{"share", "masks": as of a FillResult, "filled"}]
nlohmann::ordered_json to_json(const std::vector<CheckpointFill>& checkpoints);

// The architecture and ModelFacts under their field names, "kernel" and "weights" ("int8" |
// "float32"), "card": [{"name", "heading", "split", "decimals", "value"}]; of a model that answers
// questions "answers": {"max_length", "max_question", "stride", "overlap", "max_answer"}, of one that
// labels texts "classifies": {"max_length", "pooling", "several", "labels", "pairs" where the file says it}, of one that marks names "tags":
// {"max_length", "labels"}.
nlohmann::ordered_json facts_json(const Model& model, Kernel kernel);

}  // namespace minibert::infer
