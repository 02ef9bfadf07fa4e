// The training loop of every arm: it makes batches ahead in another thread, steps the optimizer
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

// One batch on the CPU, padded to its longest member. B examples, S positions. The task decides
// what the targets are.
struct Batch {
  torch::Tensor ids, segments;         // [B, S] int64, padded with 0
  std::vector<torch::Tensor> targets;  // undefined where this batch has none of that kind
  int64_t examples = 0;
  int64_t tokens = 0;  // real pieces, padding not counted
  int64_t judged = 0;  // examples with a label of their own, where not all have one
  // Counts of the whole batch that this is a part of. `targets` counts what the loss is a mean
  // over, where that is not the examples.
  struct Whole {
    int64_t examples = 0, tokens = 0, targets = 0;
  } whole = {};
  // All in one piece of memory, so that to() is one copy; `pinned`: for CUDA, whose host then does
  // not wait for it.
  Batch packed(bool pinned) const;
  Batch to(torch::Device device) const;

 private:
  std::vector<torch::Tensor*> tensors();  // that are defined
  torch::Tensor memory_;                  // of packed()
};

// A sum and what it is divided by when it is read, both possibly on the device.
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

// Floating-point operations of a step's matrix products (model/flops.h), forward and backward; a teacher's passes
// apart.
struct StepFlops {
  double own = 0, teacher = 0;
};

// What training took so far, in all sittings and of all processes. Operations are NaN where they are not counted.
struct Spent {
  double flops = 0, teacher_flops = 0;
  double seconds = 0;  // evaluations not among them
  double tokens = 0, examples = 0;
};

// Where training stands before a step: how many are behind it, of how many, and the share of training that is done,
// which is that of the steps unless a budget ends training sooner.
struct TrainingPosition {
  int64_t step = 0, steps = 0;
  double done = 0;
};

// What is learned. The loader's thread calls make_batch, which must not touch the module. A batch
// is made in parts: step scales a part's loss with share_of, so that the parts' gradients add up to
// the batch's; its metrics count the part alone.
class Task {
 public:
  virtual ~Task() = default;
  virtual torch::nn::Module& module() = 0;
  virtual int64_t epochs() const = 0;
  virtual int64_t batch_count(int64_t epoch) = 0;
  virtual void begin_epoch(int64_t epoch) = 0;
  virtual Batch make_batch(int64_t index, Part part) = 0;
  // Whether batches depend on where training stands. It is then told by the thread that calls make_batch, before it.
  virtual bool follows_position() const { return false; }
  virtual void set_position(const TrainingPosition&) {}
  // Forward pass in train mode; every random decision follows from `key`.
  virtual StepOutput step(const Batch& batch, uint64_t key) = 0;
  // What step() costs on a part as it was made; nothing where the task does not count it.
  virtual std::optional<StepFlops> flops(const Batch&) const { return std::nullopt; }
  // Returns dev metrics; the module is in eval mode and gradients are off. All `workers` (null:
  // this process alone) call it with the same weights and get the same metrics: see train/spread.h.
  virtual Metrics evaluate_dev(Workers* workers) = 0;
  // Shows a reader what the last evaluate_dev made of one example; empty: nothing to show.
  virtual std::string dev_example() const { return {}; }
};

struct Progress {
  int64_t epoch, epochs;  // epoch from 0
  int64_t step, steps;    // over all epochs
  double seconds;         // of training, in all sittings
  // By the speed since the run began or was resumed; until the first of its ends.
  double seconds_left, examples_per_second;
  Metrics latest;  // the last logged training metrics
};

// Hears what happens and says when to save or stop. Called on the training thread.
class TrainObserver {
 public:
  virtual ~TrainObserver() = default;
  virtual void on_step(const Progress&) {}
  virtual void on_train_metrics(int64_t /*step*/, const Metrics&) {}
  virtual void on_dev_metrics(int64_t /*epoch*/, int64_t /*step*/, const Metrics&, bool /*best*/) {}
  // Follows on_dev_metrics where the task has an example to show.
  virtual void on_dev_example(const std::string&) {}
  // Is asked after every step; where it says true, on_checkpoint follows.
  virtual bool wants_checkpoint() { return false; }
  // `stopped`: an observer of some process wants to stop, and nothing follows.
  virtual void on_checkpoint(bool /*stopped*/) {}
  virtual bool wants_stop() { return false; }
};

// Returns all parameters of a module by name; live tensors, not copies.
NamedTensors weights_of(torch::nn::Module& module);

class Trainer {
 public:
  // The module is on `device` already. Random streams follow from `seed`. `workers` are the
  // processes that train together, each with a trainer of the same task; null: this one alone.
  Trainer(Task& task, const TrainConfig& config, torch::Device device, uint64_t seed,
          Workers* workers = nullptr);

  // Trains from the present state to the end. Several processes start from the first one's state,
  // and the first alone makes checkpoints. Returns false when an observer of any process stopped
  // it. Throws Error when the loss is not finite or another process is lost.
  bool run(TrainObserver& observer);

  // All that run() needs to resume bit for bit; of several processes, the state of the first at a
  // checkpoint. Tensors are named "weights/…", "adam_m/…", "adam_v/…", "muon_m/…", "mean/…", "best/…"; snapshot
  // copies them to the CPU.
  nlohmann::json numbers() const;
  NamedTensors snapshot() const;
  // Throws Error when the state does not fit the model.
  void restore(const nlohmann::json& numbers, const NamedTensors& tensors);

  // Copies the best weights (or, when no metric picks them, the mean or the last) into the module.
  // All of several processes call it and get the first one's.
  void load_selected();
  std::string selected_by() const;
  int64_t steps() const { return step_; }
  const Spent& spent() const { return spent_; }
  double seconds() const { return spent_.seconds; }
  double tokens_per_second() const { return seconds() > 0 ? spent_.tokens / seconds() : 0; }
  // What ended training: "epochs", "max_steps", "max_minutes" or "patience". Empty where there was
  // nothing to train.
  const std::string& ended_by() const { return ended_by_; }

 private:
  // The end that has come, as ended_by() names it; empty: none yet.
  std::string reached() const;
  // The share of training that is done when so much is spent: of the end that is nearest.
  double done(double steps, double seconds) const;
  bool has_budget() const { return config_.max_minutes > 0; }
  double rate() const;                                        // of the step that comes
  StepFlops flops_of(const std::vector<Batch>& parts) const;  // of this process
  bool first() const { return workers_ == nullptr || workers_->rank() == 0; }
  void begin_epoch();
  void follow_first();  // the state of all processes becomes the first one's
  std::vector<Batch> make_parts(int64_t index, int64_t steps_before);
  void add_to_mean();
  void swap_mean();      // the weights and their mean
  bool is_mean() const;  // what is selected
  void make_step(const std::vector<Batch>& parts);
  // What to say where the device has no memory for a step's parts: how many parts it has room for.
  Error out_of_memory(const std::vector<Batch>& parts);
  // What a metric was since the last log, on the host.
  struct Total {
    double sum = 0, count = 0;
    double mean() const { return count > 0 ? sum / count : 0; }
  };
  using Totals = std::map<std::string, Total>;
  void collect(const StepOutput::Metrics& metrics);
  // Reads what is on the device: it waits for the step.
  Totals totals() const;
  void gather_metrics();  // of all processes into the first
  // Throws Error naming a value that is not finite.
  void check_finite(const Totals& totals) const;
  void check_unlogged();  // what the steps since the last log measured
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
  std::optional<Reducer> reducer_;  // of several processes
  // The mean of the weights after so many steps (TrainConfig::average_from); empty: none is asked for.
  std::vector<torch::Tensor> mean_;
  int64_t averaged_ = 0;
  std::vector<torch::Tensor> best_;
  // Sums since the last log. read_ holds what was read already, unread_ what is still on the device: for each set
  // of metrics that came together one float64 tensor, as a device waits longer for an operation to begin than for a
  // small one to end.
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
  // The first process' clock, by which all stop and learn.
  double clock_ = 0;
  struct {
    int64_t step = 0;
    Spent spent;
  } resumed_;  // where restore() left off
  std::string ended_by_;
  bool finished_ = false;
};

}  // namespace minibert
