// The training loop of every arm. It makes batches ahead in another thread, steps the optimizer
// along its schedule, evaluates, stops early and offers checkpoints. It knows a task and an
// observer, no files.
#pragma once

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/torch.h"
#include "train/config.h"
#include "train/optimizer.h"
#include "train/part.h"
#include "train/reducer.h"
#include "train/workers.h"

namespace minibert {

// A batch on the CPU, padded to its longest example. B examples, S positions. The task sets
// targets.
struct Batch {
  torch::Tensor ids, segments;         // [B, S] int64, padded with 0
  std::vector<torch::Tensor> targets;  // undefined if this batch has none of that kind
  int64_t examples = 0;
  int64_t tokens = 0;  // real pieces, without padding
  int64_t judged = 0;  // examples with a label, if some have none
  // Counts of the whole batch that this is a part of. `targets`: the number of items that the loss
  // averages over, if these are not examples.
  struct Whole {
    int64_t examples = 0, tokens = 0, targets = 0;
  } whole = {};
  // Copies the batch into one block of memory, so that to() makes one copy. `pinned` is for CUDA:
  // the host then does not wait for the copy.
  Batch packed(bool pinned) const;
  Batch to(torch::Device device) const;

 private:
  std::vector<torch::Tensor*> tensors();  // the defined ones
  torch::Tensor memory_;                  // of packed()
};

// A sum and its divisor; the sum may be on the device. The division happens on reading.
struct RunningMean {
  torch::Tensor sum;
  double count = 0;
};

struct StepOutput {
  using Metrics = std::map<std::string, RunningMean>;
  torch::Tensor loss;
  Metrics metrics;
};

using Metrics = std::map<std::string, double>;

// Floating-point operations of a step's matrix products (model/flops.h), forward and backward; a
// teacher's passes are counted apart.
struct StepFlops {
  double own = 0, teacher = 0;
};

// The cost of training so far, over all sittings and processes. Operations are NaN if not counted.
struct Spent {
  double flops = 0, teacher_flops = 0;
  double seconds = 0;  // without evaluations
  double tokens = 0, examples = 0;
};

// The state of training before a step: steps done, steps in all, and the share done. The share is
// that of the steps unless a budget ends training sooner.
struct TrainingPosition {
  int64_t step = 0, steps = 0;
  double done = 0;
};

// A learning task. The loader's thread calls make_batch, which must not touch the module. A batch
// is made in parts: step scales a part's loss with share_of, so that the parts' gradients add up to
// the batch's; its metrics count only the part.
class Task {
 public:
  virtual ~Task() = default;
  virtual torch::nn::Module& module() = 0;
  virtual int64_t epochs() const = 0;
  virtual int64_t batch_count(int64_t epoch) = 0;
  virtual void begin_epoch(int64_t epoch) = 0;
  virtual Batch make_batch(int64_t index, Part part) = 0;
  // True if batches depend on the state of training; the thread that calls make_batch then calls
  // set_position before it.
  virtual bool follows_position() const { return false; }
  virtual void set_position(const TrainingPosition&) {}
  // Runs the forward pass in train mode; every random decision follows from `key`.
  virtual StepOutput step(const Batch& batch, uint64_t key) = 0;
  // Returns the cost of step() on a part, or nothing if the task does not count it.
  virtual std::optional<StepFlops> flops(const Batch&) const { return std::nullopt; }
  // Returns dev metrics; the module is in eval mode and gradients are off. All `workers` (null:
  // only this process) call it with the same weights and get the same metrics: see train/spread.h.
  virtual Metrics evaluate_dev(Workers* workers) = 0;
  // Shows readers the result of the last evaluate_dev for one example; empty: nothing to show.
  virtual std::string dev_example() const { return {}; }
};

struct Progress {
  int64_t epoch, epochs;  // epoch from 0
  int64_t step, steps;    // over all epochs
  double seconds;         // of training, over all sittings
  // From the speed since the run began or was resumed; the time until the nearest end.
  double seconds_left, examples_per_second;
  Metrics latest;  // the last logged training metrics
};

// Observes training and decides when to save or stop. Called on the training thread.
class TrainObserver {
 public:
  virtual ~TrainObserver() = default;
  virtual void on_step(const Progress&) {}
  virtual void on_train_metrics(int64_t /*step*/, const Metrics&) {}
  virtual void on_dev_metrics(int64_t /*epoch*/, int64_t /*step*/, const Metrics&, bool /*best*/) {}
  // Follows on_dev_metrics if the task has an example to show.
  virtual void on_dev_example(const std::string&) {}
  // Asked after every step; on_checkpoint follows if it returns true.
  virtual bool wants_checkpoint() { return false; }
  // `stopped`: an observer of some process wants to stop, and no call follows.
  virtual void on_checkpoint(bool /*stopped*/) {}
  virtual bool wants_stop() { return false; }
};

// Returns all parameters of a module by name; live tensors, not copies.
NamedTensors weights_of(torch::nn::Module& module);

class Trainer {
 public:
  // The module is on `device` already. Random streams follow from `seed`. `workers`: the processes
  // that train together, each with a trainer of the same task; null: only this process.
  Trainer(Task& task, const TrainConfig& config, torch::Device device, uint64_t seed,
          Workers* workers = nullptr);

  // Trains from the present state to the end. Several processes start from the first one's state,
  // and only the first makes checkpoints. Returns false if an observer of any process stopped it.
  // Throws Error if the loss is not finite or another process is lost.
  bool run(TrainObserver& observer);

  // The state from which run() resumes bit for bit; with several processes, the first one's state
  // at a checkpoint. Tensors are named "weights/…", "adam_m/…", "adam_v/…", "muon_m/…", "mean/…",
  // "best/…"; snapshot copies them to the CPU.
  nlohmann::json numbers() const;
  NamedTensors snapshot() const;
  // Throws Error if the state does not fit the model.
  void restore(const nlohmann::json& numbers, const NamedTensors& tensors);

  // Copies the best weights into the module; if no metric picks them, the mean or the last ones.
  // With several processes all call it and get the first one's weights.
  void load_selected();
  std::string selected_by() const;
  int64_t steps() const { return step_; }
  const Spent& spent() const { return spent_; }
  double seconds() const { return spent_.seconds; }
  double tokens_per_second() const { return seconds() > 0 ? spent_.tokens / seconds() : 0; }
  // The reason why training ended: "epochs", "max_steps", "max_minutes" or "patience"; empty if
  // there was nothing to train.
  const std::string& ended_by() const { return ended_by_; }

 private:
  // Returns the end that has been reached, named as in ended_by(), or "".
  std::string reached() const;
  // Returns the share of training done after `steps` and `seconds`, measured to the nearest end.
  double done(double steps, double seconds) const;
  bool has_budget() const { return config_.max_minutes > 0; }
  double rate() const;                                        // of the next step
  StepFlops flops_of(const std::vector<Batch>& parts) const;  // of this process
  bool first() const { return workers_ == nullptr || workers_->rank() == 0; }
  void begin_epoch();
  void follow_first();  // gives all processes the first one's state
  std::vector<Batch> make_parts(int64_t index, int64_t steps_before);
  void add_to_mean();
  void swap_mean();      // exchanges the weights and their mean
  bool is_mean() const;  // true if the mean is selected
  void make_step(const std::vector<Batch>& parts);
  // Makes the error for a device without memory for a step's parts; it tells how many fit.
  Error out_of_memory(const std::vector<Batch>& parts);
  // A metric since the last log, on the host.
  struct Total {
    double sum = 0, count = 0;
    double mean() const { return count > 0 ? sum / count : 0; }
  };
  using Totals = std::map<std::string, Total>;
  void collect(const StepOutput::Metrics& metrics);
  // Reads sums from the device, which waits for the step.
  Totals totals() const;
  void gather_metrics();  // sums all processes' metrics in the first
  // Throws Error naming a value that is not finite.
  void check_finite(const Totals& totals) const;
  void check_unlogged();  // checks the metrics since the last log
  void flush_metrics(TrainObserver& observer);
  bool end_epoch(TrainObserver& observer);  // false: early stopping
  Progress progress() const;

  Task& task_;
  TrainConfig config_;
  torch::Device device_;
  uint64_t seed_;
  Workers* workers_;
  NamedTensors parameters_;
  Optimizer optimizer_;
  std::optional<Reducer> reducer_;  // only with several processes
  // Mean weights of `averaged_` steps (TrainConfig::average_from); empty if not configured.
  std::vector<torch::Tensor> mean_;
  int64_t averaged_ = 0;
  std::vector<torch::Tensor> best_;
  // Sums since the last log: read_ holds those already read, unread_ those still on the device.
  // Metrics that come together share one float64 tensor, because a device takes longer to start an
  // operation than to finish a small one.
  struct Sums {
    torch::Tensor sums;
    std::vector<double> counts;
  };
  Totals read_;
  std::map<std::vector<std::string>, Sums> unread_;
  Metrics latest_;
  int64_t total_steps_ = 0;
  int64_t epoch_ = 0, batch_ = 0, step_ = 0;
  int64_t bad_epochs_ = 0;
  double best_metric_ = -1e300;  // negated where lower is better
  double rate_ = 0;              // of the last step
  Spent spent_;
  // The first process's clock, by which all processes stop and set their rate.
  double clock_ = 0;
  struct {
    int64_t step = 0;
    Spent spent;
  } resumed_;  // set by restore()
  std::string ended_by_;
  bool finished_ = false;
};

}  // namespace minibert
