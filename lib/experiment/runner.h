// Runs an experiment: every arm with every seed, each kept as one record, resumed where it stopped.
#pragma once

#include <string>
#include <vector>

#include "experiment/config.h"
#include "train/trainer.h"

namespace minibert {

struct RunOptions {
  std::string data_dir;  // empty: MINIBERT_DATA, else "data"
  std::string results = "results";
  std::string device = "auto";     // auto | cpu | cuda | cuda:N
  std::string precision = "auto";  // auto | fp32 | bf16
  int threads = 0;                 // 0: LibTorch's default
  double checkpoint_seconds = 60;  // between checkpoints; 0: after every step
  std::vector<std::string> arms;   // empty: all
  std::vector<int64_t> seeds;      // empty: the experiment's
  bool force = false;              // replace runs of another configuration, do not keep them
  bool keep_weights = true;
  bool fetch = true;  // try to download missing data
};

// What happens, for whoever shows it. Called on the calling thread.
class RunListener {
 public:
  virtual ~RunListener() = default;
  virtual void message(const std::string&) {}
  virtual void progress(const std::string& /*run*/, const Progress&) {}
  virtual void dev_metrics(const std::string& /*run*/, int64_t /*epoch*/, const Metrics&,
                           bool /*best*/) {}
  // Asked after every step: true saves a checkpoint and stops.
  virtual bool stop_requested() { return false; }
};

struct RunOutcome {
  std::vector<std::string> records;   // of all arms and seeds asked for, finished or not
  std::vector<std::string> failures;  // one line each
  bool interrupted = false;
};

// Finished runs of the same configuration are kept as they are; unfinished ones go on from their
// checkpoint and end with the same weights, bit for bit, as if never stopped (same machine,
// precision and threads). A run that fails keeps its record, with the error; the others go on.
// A record of another configuration is renamed to <path>.<its start>.old.
// Throws Error for what concerns all runs: data, tokenizer, configuration, device; a run held by
// another program.
RunOutcome run_experiment(const ExperimentConfig& experiment, const RunOptions& options,
                          RunListener& listener);

}  // namespace minibert
