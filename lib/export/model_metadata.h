// Describes, in a model file for other programs, the run that its weights come from.
#pragma once

#include <map>
#include <string>

#include "record/run_record.h"

namespace minibert {

// Returns texts by name: "experiment", "profile", "arm", "seed" of the record at `path`,
// "record_sha256", "task", "model" (the architecture in the run's configuration, as JSON text) and,
// if the record has a tokenizer, "tokenizer_format" ("sentencepiece", "wordpiece" or "byte_bpe")
// and "tokenizer_sha256" of its bytes. Throws Error naming `path` for no model, no weights or a
// damaged tokenizer.
std::map<std::string, std::string> model_metadata(const RunRecord& record, const std::string& path);

}  // namespace minibert
