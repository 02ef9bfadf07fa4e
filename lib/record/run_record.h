// A run record in memory, its reading and writing; record/layout.h has the layout.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/sha256.h"

namespace minibert {

// float32 values in row-major order under a LibTorch parameter name.
struct NamedTensor {
  std::string name;
  std::vector<int64_t> shape;
  std::vector<float> values;
};

struct MetricSeries {  // a metric: a number that training logs, at rising steps
  std::vector<int64_t> step;
  std::vector<double> value;
};

// A run's predictions: columns of equal length, one row an example; the task decides which. "gold"
// and "prediction" are the true and the predicted answer, label, number or tags. `compare` pairs
// rows by id and computes figures from columns (core/measure.h).
struct Predictions {
  std::vector<std::string> id;
  std::map<std::string, std::vector<std::string>> texts;
  std::map<std::string, std::vector<double>> numbers;
};

// An unfinished run's state for resuming; `numbers` is a flat JSON object (epoch, step, …).
struct ResumeState {
  nlohmann::json numbers;
  std::vector<NamedTensor> tensors;  // current weights and optimizer moments, by name
};

struct RunRecord {
  std::string status;  // running | finished | failed | interrupted
  std::string experiment, arm, profile;
  int64_t seed = 0;
  std::string started, finished;  // UTC, ISO 8601
  std::string error;              // only in a failed run
  // The reason why training ended: epochs | max_steps | max_minutes | patience; empty in older runs
  // and in runs that train nothing.
  std::string ended_by;
  // The split of the summary's measures and of the predictions: dev | test; empty in older runs.
  std::string measured_on;
  nlohmann::json config, environment, data;
  std::string diff;                             // of a dirty work tree, at most 256 KiB
  std::string tokenizer_model;                  // bytes
  std::map<std::string, MetricSeries> metrics;  // key "<split>/<name>"
  std::map<std::string, double> summary;        // figures: exact_match, f1, parameters, …
  std::vector<NamedTensor> weights;
  std::string dropped_weights;  // weights_sha256() of weights that were not kept
  std::string selected_by;
  std::optional<Predictions> predictions;
  std::optional<ResumeState> resume;
};

enum class Load {
  summary,      // attributes, config, environment, data, summary, metrics
  predictions,  // and predictions
  all,          // and weights (checked against their SHA-256), tokenizer, resume
};

// Writes a file beside `path`, flushes it to disk and renames it. Throws Error; the old record then
// survives. Leaves out a finished run's resume state and cuts a diff at 256 KiB. JSON must hold no
// NaN or infinity (both would read back as null). A '/' in a tensor's name makes a group.
void save_record(const RunRecord& record, const std::string& path);

// Throws Error if the file is missing, not HDF5, truncated, not a minibert-run or of another format
// version, if a part is missing, columns differ in length, or weights do not match their sum.
RunRecord load_record(const std::string& path, Load what = Load::all);

// Throws Error naming `file` and the reason if a record that was read whole has no weights.
void expect_weights(const RunRecord& record, const std::string& file);

struct LoadedRecord {
  RunRecord record;
  std::optional<Error> error;  // why it could not be loaded
};
// Loads records in several threads, one result a path; each file is read in a process of its own.
// Throws only for want of memory.
std::vector<LoadedRecord> load_records(const std::vector<std::string>& paths, Load what);

// Returns the last step with a metric of the split ("train", "dev", …; empty: any), or -1.
int64_t last_step(const std::map<std::string, MetricSeries>& metrics,
                  const std::string& split = "");

// SHA-256 over the tensors sorted by name, each as name, NUL, shape ("2,3"), NUL, little-endian
// values: equal exactly if names, shapes and all bits are.
std::string weights_sha256(const std::vector<NamedTensor>& tensors);

// "2026-11-20T22:31:05Z"
std::string utc_now();
// Returns the seconds since 1970 for a time in that form; 0 for other text.
double seconds_of(const std::string& text);

// "results/<experiment>/<profile>/<arm>-s<seed>.h5"
std::string record_path(const std::string& results, const std::string& experiment,
                        const std::string& profile, const std::string& arm, int64_t seed);

// Holds the run at `path` for this process by flock on `<path>.lock`, which names the holder (host,
// pid, start). Throws Error naming the present holder. The destructor and any exit, also kill -9,
// release it. On a file system without locks the file alone holds the run: it stays after kill -9,
// and only a process of the same host takes it over.
class RunLock {
 public:
  explicit RunLock(const std::string& record_path);
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

  // Call it before each write: if the lock's file is gone (its folder was removed), takes the lock
  // again. Throws Error naming the present holder.
  void keep();
  // Returns one line if the file alone holds the run, else "".
  std::string warning() const;

 private:
  std::string path() const;
  void acquire();
  bool take(int fd, bool created);

  std::string record_path_;
  int fd_ = -1;
  bool file_alone_ = false;
};

}  // namespace minibert
