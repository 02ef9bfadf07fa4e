// What a user may say about running an experiment, and who hears what happens.
#pragma once

#include <string>
#include <vector>

#include "train/trainer.h"

namespace minibert {

struct RunRecord;

struct RunOptions {
  std::string data_dir;  // empty: MINIBERT_DATA, else "data"
  std::string results = "results";
  std::string device = "auto";     // auto | cpu | cuda | cuda:N | an AddedDevice
  std::string precision = "auto";  // auto | fp32 | bf16 | tf32
  int threads = 0;                 // 0: default_threads() (environment/environment.h)
  double checkpoint_seconds = 60;  // between checkpoints; 0: after every step
  std::vector<std::string> arms;   // empty: all
  std::vector<int64_t> seeds;      // empty: the experiment's
  bool force = false;              // replace runs of another configuration, do not keep them
  bool keep_weights = true;
  // At these parts of a run's steps, in thousandths, the model as it is then stays beside the record, as int8
  // (kept_model()).
  std::vector<int64_t> keep_at;
  // Round the weights to what float16 holds before they are measured and kept: half the file.
  bool half_weights = false;
  bool fetch = true;  // try to download missing data
  // A stored run that is made again. Nothing is trained where the inputs (record/inputs.h) differ from
  // its own, and the weights are rounded as its are.
  const RunRecord* again = nullptr;
  // The processes that make each run together (train/process_group.h); null: this one alone.
  Workers* workers = nullptr;
};

// What happens, for whoever shows it. Called on the calling thread.
class RunListener {
 public:
  virtual ~RunListener() = default;
  virtual void message(const std::string&) {}
  virtual void progress(const std::string& /*run*/, const Progress&) {}
  virtual void dev_metrics(const std::string& /*run*/, int64_t /*epoch*/, const Metrics&,
                           bool /*best*/) {}
  // After dev_metrics, where the task shows one (Task::dev_example).
  virtual void dev_example(const std::string& /*run*/, const std::string& /*text*/) {}
  // A run of several came to its end, finished or failed.
  virtual void run_ended() {}
  // Asked after every step and between runs: true saves a checkpoint and stops.
  virtual bool stop_requested() { return false; }
};

}  // namespace minibert
