// From a run record to a `.mbq` model file, by what the run's task says of its head.
#pragma once

#include <string>

#include "export/mbq_export.h"

namespace minibert {

// The `.mbq` of a finished or running run's record: of a pretraining run a masked LM, of one fine-tuned
// for a task that the engine computes a model with that head. Throws Error naming the file: no record, an
// LSTM, a model of another task, no weights, no tokenizer.
std::string export_record(const std::string& path, MbqWeights type);

// Whether a path is meant as a `.mbq`: by what the file is, and by its name where there is none.
bool is_model_file(const std::string& path);

// The bytes of a `.mbq`: `path` itself, or a float32 one made of a run record (`.h5`).
std::string load_or_export(const std::string& path);

}  // namespace minibert
