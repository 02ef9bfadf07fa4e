// Folders of Hugging Face's transformers: config.json, model.safetensors and a vocabulary:
// vocab.txt or tokenizer.json (WordPiece), or spiece.model or tokenizer.json (byte-level BPE) of
// ours, with tokenizer_config.json.
#pragma once

#include <string>

#include "checkpoint/checkpoint.h"

namespace minibert {

// Imports BERT, ELECTRA, RoBERTa or DistilBERT: an encoder alone or with the heads of pretraining,
// by its tensors. Heads of fine-tuned models are left out and reported. Throws Error naming file
// and key or tensor: another model_type, a configuration that our BERT cannot compute, tensors that
// are missing, left over or of another shape, more pieces than rows, weights in another file than
// model.safetensors (with the command that converts them).
Checkpoint import_huggingface(const std::string& folder);

// Writes a BERT's run of any task to a new or empty folder: as transformers' own BERT if that has
// the model, with a missing bias as 0, else with modeling_minibert.py for trust_remote_code. The
// tokenizer is written as tokenizer.json and in the record's form. Throws Error naming `file` and
// the key for another kind of model, no weights, or a tokenizer without such a form.
void export_huggingface(const RunRecord& record, const std::string& file,
                        const std::string& folder);

}  // namespace minibert
