// Turns what a trainer reports into a run record on disk: metrics, checkpoints, live progress.
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
  // `record`, `lock` and `trainer` outlive the recorder. A resumed run passes the step it goes on from.
  Recorder(RunRecord* record, const std::string& path, RunLock* lock, const Trainer* trainer,
           const RunOptions& options, RunListener* listener, const std::string& run,
           std::optional<int64_t> resume_step);

  void on_step(const Progress& progress) override;
  void on_train_metrics(int64_t step, const Metrics& metrics) override;
  void on_dev_metrics(int64_t epoch, int64_t step, const Metrics& metrics, bool best) override;
  void on_dev_example(const std::string& text) override { listener_->dev_example(run_, text); }
  // Before the first step of a run that is not resumed: what options.keep_at asks for then.
  void begin();
  bool wants_checkpoint() override;
  // A disk that is full for now costs a checkpoint, not the run: the next one tries again.
  void on_checkpoint(bool stopped) override;
  bool wants_stop() override { return listener_->stop_requested(); }

  // Writes what this run has cost so far, over all its sittings, into the summary: its time and
  // the processor's, as far as that is known.
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
  std::optional<ProgressLog> log_;  // none once it could not be written
  double wall_before_ = 0;
  // What sittings before have cost; nothing where one of them did not know.
  std::optional<double> cpu_before_ = 0.0;
  double cpu_begun_ = processor_seconds();
  std::vector<int64_t> due_;  // shares of the training at which this step's model is kept
  double speed_seconds_ = 0, speed_tokens_ = 0;  // as of the last training metrics
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point saved_ = begun_;
  std::chrono::steady_clock::time_point logged_ = begun_ - std::chrono::hours(1);
};

}  // namespace minibert
