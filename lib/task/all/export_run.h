// From a run record to a `.mbq` model file, by what the run's task says of its head.
#pragma once

#include <cstdint>
#include <string>

#include "export/mbq_export.h"
#include "record/run_record.h"

namespace minibert {

// The `.mbq` of a finished or running run's record: of a pretraining run a masked LM, of one fine-tuned
// for a task that the engine computes a model with that head. Throws Error naming the file: no record, an
// LSTM, a model of another task, no weights, no tokenizer.
std::string export_record(const std::string& path, MbqWeights type);
// The same of a record that is in memory; `path` is where it is stored.
std::string export_record(const RunRecord& record, const std::string& path, MbqWeights type);

// A record whose weights give what the run gives also in programs that know no more than its architecture. Throws as
// load_record.
RunRecord record_for_others(const std::string& path);

// Where `minibert run --keep-at` leaves the model of a part of a run's training, in thousandths: for RUN.h5
// RUN.at/0050.mbq at a twentieth.
std::string kept_model(const std::string& record, int64_t share);
// All that it left, as one series (infer/format/mbq_series.h). Throws Error naming the folder: there are none.
std::string kept_series(const std::string& record);

// Whether a path is meant as a `.mbq`: by what the file is, and by its name where there is none.
bool is_model_file(const std::string& path);

// The bytes of a `.mbq`: `path` itself, or a float32 one made of a run record (`.h5`); of a series (`.mbqs`) its last
// file, or with "@50" behind the path the one at 50 thousandths of the training. Throws Error naming the file: no such
// part, damaged.
std::string load_or_export(const std::string& path);

}  // namespace minibert
