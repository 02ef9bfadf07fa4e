// Names in a run record, HDF5 format "minibert-run" version 1, shared by writer and reader.
// Persisted: never to be changed; a change of meaning needs a new version.
#pragma once

#include <cstddef>
#include <cstdint>

namespace minibert::layout {

inline constexpr char kFormatName[] = "minibert-run";
inline constexpr int64_t kFormatVersion = 1;
inline constexpr size_t kLongestDiff = size_t{256} * 1024;

// Attributes on "/".
inline constexpr char kFormat[] = "format";
inline constexpr char kVersion[] = "version";
inline constexpr char kStatus[] = "status";
inline constexpr char kExperiment[] = "experiment";
inline constexpr char kArm[] = "arm";
inline constexpr char kSeed[] = "seed";
inline constexpr char kProfile[] = "profile";
inline constexpr char kStarted[] = "started";
inline constexpr char kFinished[] = "finished";
inline constexpr char kError[] = "error";  // only in a failed run
// Only in a finished run that trained: RunRecord::ended_by.
inline constexpr char kEndedBy[] = "ended_by";
// Only in a finished run: RunRecord::measured_on.
inline constexpr char kMeasuredOn[] = "measured_on";

inline constexpr char kConfig[] = "/config";
inline constexpr char kEnvironment[] = "/environment";
inline constexpr char kData[] = "/data";
// Key in /data of an imported record: true if the checkpoint had no masked-LM head.
inline constexpr char kEncoderOnly[] = "encoder_only";
inline constexpr char kDiff[] = "/diff";  // only with a dirty work tree
inline constexpr char kTokenizer[] = "/tokenizer/model";

inline constexpr char kMetrics[] = "/metrics";  // /<split>/<name>/value, …/step
inline constexpr char kMetricValue[] = "value";
inline constexpr char kMetricStep[] = "step";
inline constexpr char kSummary[] = "/summary";  // float64 attributes

inline constexpr char kWeights[] = "/weights";
inline constexpr char kSelectedBy[] = "selected_by";  // attributes of /weights
inline constexpr char kSha256[] = "sha256";           // weights_sha256() of the group
inline constexpr char kDropped[] = "dropped_sha256";  // sum of weights that were not kept

// Attributes: SHA-256 of the run's inputs (inputs_of() without data files), for readers that do not
// parse /data. This program reads /data.
inline constexpr char kDepends[] = "/depends";

// Columns with one row an example: `id`, and others of text (UTF-8) or numbers (float64). Question
// answering has gold (right answers, one a line), prediction (texts), score (probability),
// exact_match (0 or 1) and f1 (0 to 1).
inline constexpr char kPredictions[] = "/predictions";
inline constexpr char kIdColumn[] = "id";
inline constexpr char kGoldColumn[] = "gold";
inline constexpr char kPredictionColumn[] = "prediction";
// The input text, if a task stores it: examples of two runs are the same only with equal text.
inline constexpr char kTextColumn[] = "text";
// The article, document or group (text) that an example comes from, if several share one.
inline constexpr char kClusterColumn[] = "cluster";

inline constexpr char kResume[] = "/resume";  // only in an unfinished run
inline constexpr char kResumeNumbers[] = "/resume/numbers";
inline constexpr char kResumeTensors[] = "/resume/tensors";

}  // namespace minibert::layout
