// Results as JSON, for `minibert fill-mask --json` and the page's engine.
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
//  "windows", "timing": as in a FillResult}, offsets in UTF-8 bytes of the context.
nlohmann::ordered_json to_json(const AnswerResult& result);

// {"labels": [{"label", "probability"}], "words": [{"begin", "end", "probability"}], "pieces",
//  "read", "timing": as in a FillResult}, offsets in UTF-8 bytes of the text.
nlohmann::ordered_json to_json(const ClassifyResult& result);

// {"entities": [{"type", "text", "begin", "end", "probability"}], "pieces", "read",
//  "timing": as in a FillResult}, offsets in UTF-8 bytes of the text.
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
//  "probability"}]], "path": [{"rank", "probability"}], "shown": [{"text", "added"}]}]}, between them
//  ModelConfig under its field names; "fitting": the number of ExplainedMask::logits.
nlohmann::ordered_json to_json(const Explanation& explanation, const ModelConfig& config);

// {"tokens", "layers", "local_layers", "heads", "masks": [{"position", "guesses": [{"id", "piece",
//  "text", "probability", "before"}], "before": [{"id", "piece", "text", "probability"}]}], "word",
//  "word_before": [as in a WordScore]}
nlohmann::ordered_json to_json(const ChangedResult& result);

// [{"share", "masks": as in a FillResult, "filled"}]
nlohmann::ordered_json to_json(const std::vector<CheckpointFill>& checkpoints);

// The architecture and ModelFacts under their field names, "kernel", "weights" ("int8" | "float32")
// and "card": [{"name", "heading", "split", "decimals", "value"}]. A question answering model adds
// "answers": {"max_length", "max_question", "stride", "overlap", "max_answer"}, a labelling model
// "classifies": {"max_length", "pooling", "several", "labels", and "pairs" if the file has it}, a
// tagging model "tags": {"max_length", "labels"}.
nlohmann::ordered_json facts_json(const Model& model, Kernel kernel);

}  // namespace minibert::infer
