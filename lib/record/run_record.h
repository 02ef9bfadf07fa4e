// A run record in memory, and its reading and writing; layout in record/layout.h.
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

struct MetricSeries {
  std::vector<int64_t> step;
  std::vector<double> value;
};

// What a run predicted for each example, in columns of equal length. `compare` pairs examples by
// id, and makes intervals from columns as core/measure.h says; which columns there are, a task
// decides. "gold" and "prediction" are the true and the predicted answer, label, number or tags in
// every task.
struct Predictions {
  std::vector<std::string> id;
  std::map<std::string, std::vector<std::string>> texts;
  std::map<std::string, std::vector<double>> numbers;
};

// What an unfinished run needs to go on; `numbers` is a flat JSON object (epoch, step, best, …).
struct ResumeState {
  nlohmann::json numbers;
  std::vector<NamedTensor> tensors;  // current weights and optimizer moments, by name
};

struct RunRecord {
  std::string status;  // running | finished | failed | interrupted
  std::string experiment, arm, profile;
  int64_t seed = 0;
  std::string started, finished;  // UTC, ISO 8601
  std::string error;              // of a failed run
  // What ended training: epochs | max_steps | max_minutes | patience; empty of older runs and of those
  // that train nothing.
  std::string ended_by;
  nlohmann::json config, environment, data;
  std::string diff;                             // of a dirty work tree, at most 256 KiB
  std::string tokenizer_model;                  // bytes
  std::map<std::string, MetricSeries> metrics;  // key "<split>/<name>"
  std::map<std::string, double> summary;        // exact_match, f1, parameters, …
  std::vector<NamedTensor> weights;
  std::string dropped_weights;  // weights_sha256() of those that were not kept
  std::string selected_by;
  std::optional<Predictions> predictions;
  std::optional<ResumeState> resume;
};

enum class Load {
  summary,      // attributes, config, environment, data, summary, metrics
  predictions,  // and predictions
  all,          // and weights (checked against their SHA-256), tokenizer, resume
};

// Writes beside `path`, flushes to disk, renames. Throws Error; the old record then survives.
// A finished run's resume state is left out; a diff is cut at 256 KiB. JSON must hold no NaN or
// infinity (it would read back as null). A '/' in a tensor's name makes a group.
void save_record(const RunRecord& record, const std::string& path);

// Errors: missing, not HDF5, truncated, not a minibert-run, another format version, a missing part,
// columns of unequal length, weights that are not those that were saved.
RunRecord load_record(const std::string& path, Load what = Load::all);

// Throws Error naming `file` and why: the record, which is read whole, has no weights.
void expect_weights(const RunRecord& record, const std::string& file);

struct LoadedRecord {
  RunRecord record;
  std::optional<Error> error;  // why it could not be loaded
};
// One for each path, several at once: each file is read by a process of its own. Throws where there is
// not enough memory.
std::vector<LoadedRecord> load_records(const std::vector<std::string>& paths, Load what);

// The last step at which a metric of the split ("train", "dev", …; empty: of any) has a value; -1 where
// none has one.
int64_t last_step(const std::map<std::string, MetricSeries>& metrics,
                  const std::string& split = "");

// SHA-256 over the tensors sorted by name, each as name, NUL, shape ("2,3"), NUL, little-endian
// values: equal exactly when names, shapes and all bits are.
std::string weights_sha256(const std::vector<NamedTensor>& tensors);

// "2026-11-20T22:31:05Z"
std::string utc_now();
// Seconds since 1970 of such a time; 0 of another text.
double seconds_of(const std::string& text);

// "results/<experiment>/<profile>/<arm>-s<seed>.h5"
std::string record_path(const std::string& results, const std::string& experiment,
                        const std::string& profile, const std::string& arm, int64_t seed);

// Holds the run at `path` for this process (flock on `<path>.lock`, which names the holder: host,
// pid, start). Throws Error that says who holds it. Released by the destructor and by any exit,
// also by kill -9. On a file system without locks the file alone holds the run: after kill -9 it stays, and only a
// process of the same host takes it over.
class RunLock {
 public:
  explicit RunLock(const std::string& record_path);
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

  // To be called before each writing: where the lock's file went (its folder was removed), takes it
  // again. Throws Error that says who holds it by now.
  void keep();
  // One line where the file alone holds the run; else empty.
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
