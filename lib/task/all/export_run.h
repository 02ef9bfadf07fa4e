// Makes a `.mbq` model file from a run record; the run's task tells the head.
#pragma once

#include <cstdint>
#include <string>

#include "export/mbq_export.h"
#include "record/run_record.h"

namespace minibert {

// Returns the `.mbq` of a finished or running run's record: a masked LM for a pretraining run, a
// model with the task's head for a fine-tuned run that the engine supports. Throws Error naming the
// file for no record, an LSTM, a model of another task, no weights or no tokenizer.
std::string export_record(const std::string& path, MbqWeights type);
// Does the same for a record in memory; `path` is where it is stored.
std::string export_record(const RunRecord& record, const std::string& path, MbqWeights type);

// Returns a record whose weights give the run's outputs also in programs that know only its
// architecture. Throws like load_record.
RunRecord load_portable_record(const std::string& path);

// Returns the path where `minibert run --keep-at` leaves the model at `share` thousandths of
// training: RUN.at/0050.mbq for a twentieth of RUN.h5.
std::string kept_model(const std::string& record, int64_t share);
// Returns all models that it left as one series (infer/format/mbq_series.h). Throws Error naming
// the folder if there are none.
std::string kept_series(const std::string& record);

// Returns true if a path means a `.mbq`: by the file's content, or by the name if there is no file.
bool is_model_file(const std::string& path);

// Returns the bytes of a `.mbq`: `path` itself; a float32 file made from a run record (`.h5`); or a
// part of a series (`.mbqs`): the last, or with "@50" behind the path the one at 50 thousandths of
// training. Throws Error naming the file if there is no such part or it is damaged.
std::string load_or_export(const std::string& path);

}  // namespace minibert
