// A user's options for running an experiment, and the listener of its events.
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
  double checkpoint_seconds = 60;  // 0: after every step
  std::vector<std::string> arms;   // empty: all
  std::vector<int64_t> seeds;      // empty: the experiment's
  bool force = false;              // replaces runs of another configuration instead of keeping them
  bool keep_weights = true;
  // Thousandths of a run's steps at which its int8 model is kept beside the record (kept_model()).
  std::vector<int64_t> keep_at;
  // Rounds the weights to float16 values before they are evaluated and stored: half the file.
  bool half_weights = false;
  bool fetch = true;  // downloads missing data
  // A stored run to make again. Nothing is trained if the inputs (record/inputs.h) differ from its
  // own; the weights are rounded as its weights are.
  const RunRecord* again = nullptr;
  // The processes that make each run together (train/process_group.h); null: only this one.
  Workers* workers = nullptr;
};

// Events of a run, on the calling thread.
class RunListener {
 public:
  virtual ~RunListener() = default;
  virtual void message(const std::string&) {}
  virtual void progress(const std::string& /*run*/, const Progress&) {}
  virtual void dev_metrics(const std::string& /*run*/, int64_t /*epoch*/, const Metrics&,
                           bool /*best*/) {}
  // Follows dev_metrics if the task has an example (Task::dev_example).
  virtual void dev_example(const std::string& /*run*/, const std::string& /*text*/) {}
  // One of several runs has finished or failed.
  virtual void run_ended() {}
  // Asked after every step and between runs; true saves a checkpoint and stops.
  virtual bool stop_requested() { return false; }
};

}  // namespace minibert
