// Writes a trainer's reports to a run record on disk: metrics, checkpoints, live progress.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "environment/processor_time.h"
#include "experiment/run_options.h"
#include "record/progress.h"
#include "record/run_record.h"

namespace minibert {

class Recorder : public TrainObserver {
 public:
  // `record`, `lock` and `trainer` must outlive the recorder. A resumed run passes its step.
  Recorder(RunRecord* record, const std::string& path, RunLock* lock, const Trainer* trainer,
           const RunOptions& options, RunListener* listener, const std::string& run,
           std::optional<int64_t> resume_step);

  void on_step(const Progress& progress) override;
  void on_train_metrics(int64_t step, const Metrics& metrics) override;
  void on_dev_metrics(int64_t epoch, int64_t step, const Metrics& metrics, bool best) override;
  void on_dev_example(const std::string& text) override { listener_->dev_example(run_, text); }
  // Call before the first step of a new run: keeps the model if options.keep_at wants it then.
  void begin();
  bool wants_checkpoint() override;
  // A full disk costs a checkpoint, not the run: the next checkpoint tries again.
  void on_checkpoint(bool stopped) override;
  bool wants_stop() override { return listener_->stop_requested(); }

  // Adds the run's cost over all sittings to the summary: its time and, if known, the processor's.
  void add_costs(RunRecord* record);

 private:
  void add(const std::string& split, int64_t step, const Metrics& metrics);
  void log(const nlohmann::json& object);
  void keep_model(int64_t share);
  double wall_seconds() const;
  std::optional<double> cpu_seconds() const;

  RunRecord* record_;
  std::string path_;
  RunLock* lock_;
  const Trainer* trainer_;
  RunOptions options_;
  RunListener* listener_;
  std::string run_;
  std::optional<ProgressLog> log_;  // none after it could not be written
  double wall_before_ = 0;
  // Cost of earlier sittings; nothing if one of them did not know it.
  std::optional<double> cpu_before_ = 0.0;
  double cpu_begun_ = processor_seconds();
  std::vector<int64_t> due_;  // shares of training at which this step's model is kept
  double speed_seconds_ = 0, speed_tokens_ = 0;  // at the last training metrics
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point saved_ = begun_;
  std::chrono::steady_clock::time_point logged_ = begun_ - std::chrono::hours(1);
};

}  // namespace minibert
