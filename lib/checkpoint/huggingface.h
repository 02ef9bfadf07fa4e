// A folder as Hugging Face's transformers writes it for a BERT: config.json, model.safetensors and a
// vocabulary, vocab.txt (WordPiece), spiece.model (SentencePiece) or tokenizer.json (byte-level BPE, as
// text/byte_bpe_file.h reads it).
#pragma once

#include <string>

#include "checkpoint/checkpoint.h"

namespace minibert {

// BertModel, BertForMaskedLM or BertForPreTraining, told from the tensors. Throws Error that names file
// and key or tensor: a configuration that our BERT cannot compute, tensors that are missing, left over
// or of another shape, a vocabulary of another size, weights in another file than model.safetensors
// (with the command that converts them).
Checkpoint import_huggingface(const std::string& folder);

// Writes the folder, a new or an empty one, of a pretraining run with weights. A bias that the model
// does not have is written as 0. Throws Error naming `file` and the key: a model that Hugging Face's
// BERT cannot compute, no weights, another task.
void export_huggingface(const RunRecord& record, const std::string& file,
                        const std::string& folder);

}  // namespace minibert
