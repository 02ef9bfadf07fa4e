// A folder as Hugging Face's transformers writes it: config.json, model.safetensors and a vocabulary: vocab.txt or
// tokenizer.json (WordPiece), or spiece.model or tokenizer.json (byte-level BPE) of ours, with tokenizer_config.json.
#pragma once

#include <string>

#include "checkpoint/checkpoint.h"

namespace minibert {

// BERT, ELECTRA, RoBERTa and DistilBERT, as an encoder alone or with the heads of pretraining,
// told from the tensors; heads of fine-tuned models are left out and told. Throws Error that names file
// and key or tensor: another model_type, a configuration that our BERT cannot compute, tensors that are missing, left
// over or of another shape, more pieces than rows, weights in another file than model.safetensors (with the
// command that converts them).
Checkpoint import_huggingface(const std::string& folder);

// Writes the folder, a new or an empty one, of a BERT's run of any task: as transformers' own BERT where
// that has the model, a missing bias written as 0, else with modeling_minibert.py for
// trust_remote_code. The tokenizer goes out as tokenizer.json, and as the record has it. Throws Error
// naming `file` and the key: another kind of model, no weights, a tokenizer that has no such form.
void export_huggingface(const RunRecord& record, const std::string& file,
                        const std::string& folder);

}  // namespace minibert
