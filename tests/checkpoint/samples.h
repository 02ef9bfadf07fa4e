// Small pretrained models as checkpoints and records.
#pragma once

#include <string>

#include "checkpoint/checkpoint.h"
#include "record/run_record.h"

namespace minibert::testing {

// The tokenizer of the shipped model: SentencePiece, 8,007 pieces.
std::string sample_tokenizer();

// Post-norm, two layers of width 24, transform and biases: a BERT that Hugging Face has, too.
BertConfig small_config();

// Returns the import of such a model, with random weights.
Checkpoint random_checkpoint(const BertConfig& config, SentenceTask task);

// Returns its record as `minibert import` makes it.
RunRecord record_of(const Checkpoint& checkpoint);

}  // namespace minibert::testing
