// What a model file for other programs says of the run that its weights are from.
#pragma once

#include <map>
#include <string>

#include "record/run_record.h"

namespace minibert {

// Texts by name: "experiment", "profile", "arm", "seed" of the record at `path`, "record_sha256",
// "task", "model" (the run's configuration of the architecture, as JSON text) and, where the record
// has a tokenizer, "tokenizer_format" ("sentencepiece", "wordpiece" or "byte_bpe") and
// "tokenizer_sha256" of its bytes. Throws Error naming `path`: no model, no weights, a damaged
// tokenizer.
std::map<std::string, std::string> model_metadata(const RunRecord& record, const std::string& path);

}  // namespace minibert
