#include "experiment/runner.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <optional>

#include "core/error.h"
#include "core/sha256.h"
#include "core/text.h"
#include "environment/environment.h"
#include "experiment/difference.h"
#include "experiment/prepared_data.h"
#include "experiment/recorder.h"
#include "experiment/stored_model.h"
#include "model/config.h"
#include "model/model_config.h"
#include "record/inputs.h"
#include "record/record_folder.h"
#include "record/run_notes.h"
#include "record/run_record.h"
#include "task/all/export_run.h"
#include "task/start.h"
#include "task/weights.h"

namespace minibert {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

struct Session {
  const RunOptions& options;
  RunListener& listener;
  Compute compute;
  json environment;
  std::string diff;
};

// The device of RunOptions::device; each of several processes takes the GPU of its own number on its machine.
std::string device_of(const RunOptions& options) {
  const bool any = options.device == "auto" || options.device == "cuda";
  if (options.workers == nullptr || !any || !choose_device(options.device).is_cuda())
    return options.device;
  return "cuda:" + std::to_string(options.workers->local_rank());
}

// The observer of every process but the first: it records nothing and stops when told to.
class Follower : public TrainObserver {
 public:
  Follower(RunListener* listener, const std::string& run) : listener_(listener), run_(run) {}
  void on_step(const Progress& progress) override { listener_->progress(run_, progress); }
  bool wants_stop() override { return listener_->stop_requested(); }

 private:
  RunListener* listener_;
  std::string run_;
};

// The configuration of a stored run as this version of the program would write it, so that keys of
// the first records that mean nothing do not count as a difference.
json as_written_now(const RunRecord& record, const std::string& path) {
  json config = record.config;
  try {
    const ExperimentConfig stored = stored_experiment(record, path);
    config = to_json(stored, stored.arms.at(0), record.seed);
    config["data"] = record.config.at("data");
    for (const char* made : {"model", "data_id", "precision"})
      if (record.config.contains(made)) config[made] = record.config.at(made);
    // Keys of the encoder that came later have the defaults that change nothing; others are gone.
    if (config.contains("model") && config.at("model").contains("vocab_size")) {
      config["model"].update(to_json(model_config_from_json(config.at("model"), path)));
      for (const std::string& key : retired_fields<BertConfig>()) config["model"].erase(key);
    }
  } catch (const std::exception&) {
    // Not readable any more: then it is compared as it stands.
  }
  return config;
}

// Accepts a finished run made before a default changed: sets the end of the schedule (zero before
// 25 November 2026) and the rule of masks (none in short instances before 29 November 2026) in
// `stored` to the `wanted` values. Returns the old values as nouns; empty if it is no such run.
std::vector<std::string> take_new_defaults(const RunRecord& record, const json& wanted,
                                           json* stored) {
  std::vector<std::string> made_with;
  if (record.status != "finished") return made_with;
  for (const auto& [key, told] :
       {std::pair("/arms/0/train/schedule_end", "a learning rate that ended at zero"),
        std::pair("/instances/at_least_one_mask", "short instances without a mask")}) {
    const json::json_pointer at(key);
    if (stored->contains(at) || !wanted.contains(at)) continue;
    (*stored)[at] = wanted.at(at);
    made_with.emplace_back(told);
  }
  return made_with;
}

// "a.old", or "a-2.old", … where that is taken.
std::string unused_name(const std::string& stem, const std::string& ending) {
  std::string name = stem + ending;
  for (int i = 2; fs::exists(fs::symlink_status(name)); ++i)
    name = stem + "-" + std::to_string(i) + ending;
  return name;
}

// The state of a run's path: empty, a finished run of this configuration, or a run to resume.
enum class Existing { none, finished, unfinished };

// One arm with one seed.
class Run {
 public:
  // `lock`: of its record; null in a process that writes none.
  Run(const Session& session, PreparedData& data, const PlannedRun& planned,
      const std::string& name, RunLock* lock)
      : session_(session),
        experiment_(*planned.experiment),
        data_(data),
        arm_(*planned.arm),
        seed_(planned.seed),
        name_(name),
        path_(planned.record),
        lock_(lock) {}

  // Trains, evaluates and saves the run, or keeps a finished one. Returns false if interrupted.
  bool execute();

  // Where its record is: elsewhere than planned where a shipped one of another configuration has that place.
  const std::string& path() const { return path_; }

 private:
  std::string precision_of(const Arm& arm) const;
  json config_of(const Arm& arm) const;
  RunRecord fresh_record(const Arm& arm) const;
  void set_aside(const std::string& what);
  Existing inspect_existing(const RunRecord& fresh);
  bool follow(Arm& arm);
  Evaluation measure(Arm& arm, Trainer& trainer);
  void begin_sitting(const Arm& arm);
  void finish(Arm& arm, Trainer& trainer, Recorder& recorder);
  void tell_end(const Trainer& trainer) const;
  void tell_models() const;

  const Session& session_;
  const ExperimentConfig& experiment_;
  PreparedData& data_;
  const ArmConfig& arm_;
  int64_t seed_;
  std::string name_, path_;
  RunLock* lock_;
  std::optional<RunLock> own_lock_;
  RunRecord record_;
};

std::string Run::precision_of(const Arm& arm) const {
  if (arm.compute_type() == torch::kBFloat16) return to_string(Precision::bf16);
  const std::string asked = session_.environment.at("precision");
  return asked == to_string(Precision::tf32) ? asked : to_string(Precision::fp32);
}

json Run::config_of(const Arm& arm) const {
  json config = to_json(experiment_, arm_, seed_);
  config["model"] = arm.model_config();
  config["data_id"] = data_.id();
  config["precision"] = precision_of(arm);
  return config;
}

RunRecord Run::fresh_record(const Arm& arm) const {
  RunRecord record;
  record.status = "running";
  record.experiment = experiment_.name;
  record.arm = arm_.name;
  record.profile = experiment_.profile;
  record.seed = seed_;
  record.started = utc_now();
  record.config = config_of(arm);
  record.data = data_.description();
  if (!arm_.init_from.empty())
    record.data[kStartWeights] =
        weights_sha256(load_record(named_record(arm_.init_from, seed_)).weights);
  if (const auto others = arm.learnt_from(); !others.empty()) record.data[kLearntFrom] = others;
  if (!arm_.mean.run.empty())
    record.data[kLearntFrom]["mean"] =
        weights_sha256(load_record(named_record(arm_.mean.run, seed_)).weights);
  record.tokenizer_model = data_.tokenizer().bytes();
  return record;
}

void Run::set_aside(const std::string& what) {
  const std::string aside = unused_name(path_ + "." + record_.started, ".old");
  fs::rename(path_, aside);
  session_.listener.message(path_ + ": " + what + ", kept as " + aside);
}

// Reads a record into record_. A run of another configuration or other inputs is set aside.
Existing Run::inspect_existing(const RunRecord& fresh) {
  if (!fs::exists(path_)) return Existing::none;
  try {
    record_ = load_record(path_, Load::all);
  } catch (const Error& error) {
    if (session_.options.force) return Existing::none;
    throw Error(std::string(error.what()) + "; move it away, or replace it with --force");
  }
  json stored = as_written_now(record_, path_);
  // Records of before 24 November 2026 name the session's precision for arms without bf16, too.
  if (stored.value("precision", "") == session_.environment.at("precision"))
    stored["precision"] = fresh.config.at("precision");
  if (const auto made_with = take_new_defaults(record_, fresh.config, &stored); !made_with.empty())
    session_.listener.message(name_ + ": the stored run has " + joined(made_with, " and ") +
                              "; --force trains it with the new defaults");
  std::string difference = first_difference(fresh.config, stored);
  const char* other = "of another configuration";
  if (const auto inputs = input_differences(record_, fresh);
      difference.empty() && !inputs.empty()) {
    difference = inputs.front();
    other = "from other inputs";
  }
  if (!difference.empty()) {
    const std::string own = own_record(session_.options.results, experiment_, arm_.name, seed_);
    const std::string commit = session_.environment.at("git").at("commit");
    if (path_ != own && is_shipped(record_, path_, commit)) {
      const std::string shipped = path_;
      path_ = own;
      own_lock_.emplace(path_);
      lock_ = &*own_lock_;
      session_.listener.message(shipped + ": the shipped run is " + other + " (" + difference +
                                "); the new run is kept as " + path_);
      return inspect_existing(fresh);
    }
    if (session_.options.force) return Existing::none;
    set_aside(std::string("was a run ") + other + " (" + difference + ")");
    return Existing::none;
  }
  if (record_.status == "finished" && session_.options.again != nullptr) {
    set_aside("was reproduced before");  // which is not what this program makes of it now
    return Existing::none;
  }
  if (record_.status == "finished") return Existing::finished;
  return record_.resume ? Existing::unfinished : Existing::none;
}

// The environment from now on. Differences in earlier sittings of a resumed run stay: environments
// as "earlier", diffs one after the other.
void Run::begin_sitting(const Arm& arm) {
  json now = session_.environment;
  if (const std::string precision = precision_of(arm); now.at("precision") != precision) {
    now["precision"] = precision;
    now["precision_why"] =
        "the model has no products in " + session_.environment.at("precision").get<std::string>();
  }
  json earlier = json::array(), before = std::move(record_.environment);
  if (before.is_object()) {
    earlier = before.value("earlier", earlier);
    before.erase("earlier");
    if (before != now) earlier.push_back(std::move(before));
  }
  record_.environment = std::move(now);
  if (!earlier.empty()) record_.environment["earlier"] = std::move(earlier);
  record_.error.clear();
  record_.finished.clear();
  if (record_.diff.empty())
    record_.diff = session_.diff;
  else if (!record_.diff.ends_with(session_.diff))
    record_.diff += "\n# a later sitting, on commit " +
                    record_.environment.value(json::json_pointer("/git/commit"), "") + "\n" +
                    session_.diff;
}

// Measures the weights that training picked, which the module then has, in every process.
Evaluation Run::measure(Arm& arm, Trainer& trainer) {
  trainer.load_selected();
  const RunOptions& options = session_.options;
  if (options.half_weights || (options.again != nullptr && are_half(options.again->weights)))
    round_to_half(arm.module());
  return arm.evaluate(experiment_.task->reported(), options.workers);
}

void Run::tell_end(const Trainer& trainer) const {
  if (!trainer.ended_by().starts_with("max_")) return;
  session_.listener.message(name_ + ": training ended by train." + trainer.ended_by() +
                            ", at step " + std::to_string(trainer.steps()));
}

// Which models of --keep-at a finished run lacks: they are made while it trains.
void Run::tell_models() const {
  std::vector<std::string> lacking;
  for (const int64_t share : session_.options.keep_at)
    if (!fs::exists(kept_model(path_, share))) lacking.push_back(std::to_string(share));
  if (!lacking.empty())
    session_.listener.message(name_ + ": --keep-at: the finished run kept no model at " +
                              joined(lacking) + "; train it again with another --results");
}

void Run::finish(Arm& arm, Trainer& trainer, Recorder& recorder) {
  Evaluation evaluation = measure(arm, trainer);
  for (const auto& [name, value] : evaluation.metrics) record_.summary[name] = value;
  record_.predictions = std::move(evaluation.predictions);
  record_.summary["parameters"] = static_cast<double>(parameter_count(arm.module()));
  record_.summary["tokens_per_second"] = trainer.tokens_per_second();
  record_.summary["train_seconds"] = trainer.seconds();
  record_.summary["steps"] = static_cast<double>(trainer.steps());
  if (const Spent& spent = trainer.spent(); !std::isnan(spent.flops)) {
    record_.summary["flops"] = spent.flops;
    if (spent.teacher_flops > 0) record_.summary["teacher_flops"] = spent.teacher_flops;
  }
  recorder.add_costs(&record_);
  record_.ended_by = trainer.ended_by();
  record_.measured_on = to_string(experiment_.task->reported());
  record_.selected_by = trainer.selected_by();
  std::vector<NamedTensor> weights = to_record(weights_of(arm.module()));
  if (session_.options.keep_weights)
    record_.weights = std::move(weights);
  else
    record_.dropped_weights = weights_sha256(weights);
  record_.status = "finished";
  record_.error.clear();
  record_.finished = utc_now();
  lock_->keep();
  save_record(record_, path_);
  for (const auto& notes : {training_notes(record_), prediction_notes(record_)})
    for (const std::string& note : notes) session_.listener.message(name_ + ": " + note);
}

// Runs a process other than the first: its share of every batch and of evaluations. False:
// interrupted.
bool Run::follow(Arm& arm) {
  Workers& workers = *session_.options.workers;
  if (workers.from_first("") == "kept") return true;
  Trainer trainer(arm.task(), arm_.train, session_.compute.device, static_cast<uint64_t>(seed_),
                  &workers);
  Follower follower(&session_.listener, name_);
  if (!trainer.run(follower)) return false;
  measure(arm, trainer);
  workers.from_first("");  // written
  return true;
}

bool Run::execute() {
  Workers* const workers = session_.options.workers;
  const std::unique_ptr<Arm> arm = experiment_.task->make_arm(
      {.config = arm_,
       .seed = seed_,
       .compute = session_.compute,
       .dev = experiment_.protocol == "course" ? experiment_.task->reported() : Split::dev,
       .say = [this](const std::string& line) { session_.listener.message(name_ + ": " + line); }},
      data_.task_data());
  RunRecord fresh = fresh_record(*arm);
  if (session_.options.again != nullptr)
    if (const auto other = input_differences(*session_.options.again, fresh); !other.empty())
      throw Error("nothing was trained: inputs differ from those of the stored run: " +
                  joined(other, "; "));
  if (workers != nullptr) check_alike(*workers, inputs_of(fresh));
  if (workers != nullptr && workers->rank() > 0) return follow(*arm);
  const Existing existing = inspect_existing(fresh);
  if (workers != nullptr) workers->from_first(existing == Existing::finished ? "kept" : "made");
  if (existing == Existing::finished) {
    session_.listener.message(name_ + ": finished before, kept (" + path_ + ")");
    tell_models();
    return true;
  }
  Trainer trainer(arm->task(), arm_.train, session_.compute.device, static_cast<uint64_t>(seed_),
                  workers);
  std::optional<int64_t> resume_step;
  if (existing == Existing::unfinished) {
    trainer.restore(record_.resume->numbers, from_record(record_.resume->tensors));
    resume_step = trainer.steps();
    session_.listener.message(name_ + ": goes on from step " + std::to_string(*resume_step));
    const int threads = record_.environment.value("threads", 0);
    if (threads != session_.compute.threads)
      session_.listener.message(name_ + ": threads were " + std::to_string(threads) + ", now " +
                                std::to_string(session_.compute.threads) +
                                ": weights may differ in the last bits");
  } else {
    record_ = std::move(fresh);
  }
  begin_sitting(*arm);
  Recorder recorder(&record_, path_, lock_, &trainer, session_.options, &session_.listener, name_,
                    resume_step);
  try {
    if (trainer.steps() == 0) recorder.begin();
    if (!trainer.run(recorder)) return false;
    tell_end(trainer);
    finish(*arm, trainer, recorder);
  } catch (const std::exception& error) {
    // Kept with its error; a checkpoint in it stays valid, so a cure can go on from there.
    record_.status = "failed";
    record_.error = first_line(error);
    record_.finished = utc_now();
    lock_->keep();
    save_record(record_, path_);
    throw;
  }
  if (workers != nullptr) workers->from_first("written");
  session_.listener.message(name_ + ": finished (" + path_ + ")");
  return true;
}

// Returns the facts on which all processes of a run must agree before any of them reads data.
json plan_of(const std::vector<PlannedRun>& planned, const RunOptions& options,
             const Environment& environment) {
  json runs = json::array();
  for (const PlannedRun& one : planned)
    runs.push_back(to_json(*one.experiment, *one.arm, one.seed));
  return {{"runs", runs},
          {"precision", to_string(environment.precision)},
          {"device", c10::DeviceTypeName(environment.device.type(), /*lower_case=*/true)},
          {"half_weights", options.half_weights},
          {"program", sha256_file("/proc/self/exe")}};
}

RunOutcome run_planned(const std::vector<PlannedRun>& planned, const ExperimentConfig& experiment,
                       const RunOptions& options, RunListener& listener) {
  use_deterministic_algorithms();
  const Environment environment =
      choose_environment(device_of(options), options.precision, options.threads);
  const GitState git = program_state();
  if (options.workers != nullptr)
    check_alike(*options.workers, plan_of(planned, options, environment));
  Session session{options,
                  listener,
                  {environment.device,
                   environment.precision == Precision::bf16 ? torch::kBFloat16 : torch::kFloat32,
                   environment.threads},
                  to_json(environment, git),
                  git.diff};
  listener.message(describe(environment));
  if (const std::string slow = blas_warning(detect_blas()); !slow.empty()) listener.message(slow);
  PreparationOptions preparation;
  preparation.data_dir = options.data_dir;
  preparation.fetch = options.fetch;
  preparation.threads = environment.threads;
  // The data of the experiment and of its arms' overrides, each made when a run first needs it.
  std::map<const ExperimentConfig*, std::unique_ptr<PreparedData>> data;
  const bool first = options.workers == nullptr || options.workers->rank() == 0;
  // The first of several processes prepares it, and the others find it prepared.
  const auto prepare = [&](const PlannedRun& one) -> PreparedData& {
    std::unique_ptr<PreparedData>& prepared = data[one.experiment];
    if (prepared) return *prepared;
    if (!first) options.workers->from_first("");
    prepared = std::make_unique<PreparedData>(
        *one.experiment, preparation, [&](const std::string& line) { listener.message(line); });
    if (first && options.workers != nullptr) options.workers->from_first("prepared");
    return *prepared;
  };
  RunOutcome outcome;
  for (const PlannedRun& one : planned) {
    if (options.workers == nullptr && listener.stop_requested()) {
      outcome.interrupted = true;  // asked while the run before was measured
      return outcome;
    }
    const std::string name = one.arm->name + " seed " + std::to_string(one.seed);
    if (one.experiment == &experiment) prepare(one);
    outcome.records.push_back(one.record);
    std::optional<RunLock> lock;
    if (first) lock.emplace(one.record);
    if (lock && !lock->warning().empty()) listener.message(lock->warning());
    try {
      PreparedData& prepared = prepare(one);
      Run run(session, prepared, one, name, lock ? &*lock : nullptr);
      const bool finished = run.execute();
      outcome.records.back() = run.path();
      if (!finished) {
        outcome.interrupted = true;
        return outcome;
      }
    } catch (const std::exception& error) {
      if (options.workers != nullptr) throw;  // which the others would wait for
      // One arm that cannot be made or trained does not stop the others.
      outcome.failures.push_back(name + ": " + first_line(error));
      listener.message(outcome.failures.back());
    }
    listener.run_ended();
  }
  return outcome;
}

}  // namespace

std::string own_record(const std::string& results, const ExperimentConfig& experiment,
                       const std::string& arm, int64_t seed) {
  return record_path(results + "/" + kOwnRuns, experiment.name, experiment.profile, arm, seed);
}

bool is_shipped(const RunRecord& record, const std::string& path, const std::string& commit) {
  if (is_tracked(path)) return true;
  const json::json_pointer made_of("/git/commit");
  return commit.empty() && record.environment.contains(made_of) &&
         record.environment.at(made_of) != json("");
}

std::vector<PlannedRun> planned_runs(const ExperimentConfig& experiment,
                                     const RunOptions& options) {
  std::vector<std::string> names;
  for (const ArmConfig& arm : experiment.arms) names.push_back(arm.name);
  for (const std::string& name : options.arms)
    if (std::ranges::count(names, name) == 0)
      throw usage_error("--arms: there is no \"" + name + "\" in " + experiment.file +
                        ", expected some of " + joined(names));
  const std::vector<int64_t>& seeds = options.seeds.empty() ? experiment.seeds : options.seeds;
  for (const int64_t seed : seeds)
    if (std::ranges::count(seeds, seed) > 1)
      throw usage_error((options.seeds.empty() ? experiment.file + ": seeds" : "--seeds") + ": " +
                        std::to_string(seed) + " is listed twice");
  std::vector<PlannedRun> out;
  for (const int64_t seed : seeds)
    for (const ArmConfig& arm : experiment.arms)
      if (options.arms.empty() || std::ranges::count(options.arms, arm.name) > 0)
        out.push_back(
            {&experiment_of(experiment, arm), &arm, seed,
             record_path(options.results, experiment.name, experiment.profile, arm.name, seed)});
  return out;
}

RunOutcome run_experiment(const ExperimentConfig& experiment, const RunOptions& options,
                          RunListener& listener) {
  const std::vector<PlannedRun> planned = planned_runs(experiment, options);
  if (options.workers == nullptr) return run_planned(planned, experiment, options, listener);
  try {
    return run_planned(planned, experiment, options, listener);
  } catch (const std::exception& error) {
    options.workers->fail(first_line(error));
    throw;
  }
}

}  // namespace minibert
