#include "experiment/runner.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "core/error.h"
#include "experiment/arm_work.h"
#include "experiment/prepared_data.h"
#include "experiment/recorder.h"
#include "record/run_record.h"
#include "train/environment.h"

namespace minibert {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

struct Session {
  const ExperimentConfig& experiment;
  const RunOptions& options;
  RunListener& listener;
  Compute compute;
  json environment;
  std::string diff;
};

// The first place where two configurations differ, as "path: a, was b".
std::string first_difference(const json& now, const json& before) {
  const json changes = json::diff(before, now);
  if (changes.empty()) return "";
  std::string path = changes[0].at("path").get<std::string>();
  const json::json_pointer pointer(path);
  const auto shown = [&](const json& from) {
    return from.contains(pointer) ? from.at(pointer).dump() : std::string("nothing");
  };
  std::replace(path.begin(), path.end(), '/', '.');
  return path.substr(1) + ": " + shown(now) + ", was " + shown(before);
}

std::unique_ptr<ArmWork> make_arm(const Session& session, PreparedData& data, const ArmConfig& arm,
                                  int64_t seed) {
  if (session.experiment.task == "pretrain")
    return make_pretrain_arm(
        arm, session.experiment, data.tokenizer(),
        [&](int64_t n_seq) { return data.training_instances(n_seq); }, data.dev_instances(),
        session.compute, seed);
  QaSplits splits = data.questions(arm.qa.features);
  if (session.experiment.protocol == "course") splits.dev = splits.test;
  return make_qa_arm(arm, data.tokenizer(), splits, session.compute, seed);
}

// What is already at `path`: nothing, a finished run of this configuration, or one to go on with.
enum class Existing { none, finished, unfinished };

Existing inspect_existing(const std::string& path, const json& config, const Session& session,
                          RunRecord* record) {
  if (!fs::exists(path)) return Existing::none;
  *record = load_record(path, Load::all);
  const std::string difference = first_difference(config, record->config);
  if (!difference.empty()) {
    if (session.options.force) return Existing::none;
    const std::string aside = path + "." + record->started + ".old";
    fs::rename(path, aside);
    session.listener.message(path + ": was a run of another configuration (" + difference +
                             "), kept as " + aside);
    return Existing::none;
  }
  if (record->status == "finished") return Existing::finished;
  return record->resume ? Existing::unfinished : Existing::none;
}

RunRecord new_record(const Session& session, const PreparedData& data, const ArmConfig& arm,
                     int64_t seed, const json& config) {
  RunRecord record;
  record.status = "running";
  record.experiment = session.experiment.name;
  record.arm = arm.name;
  record.profile = session.experiment.profile;
  record.seed = seed;
  record.started = utc_now();
  record.config = config;
  record.data = data.description();
  record.tokenizer_model = data.tokenizer().bytes();
  return record;
}

void finish(const Session& session, ArmWork& work, Trainer& trainer, const Recorder& recorder,
            RunRecord* record, const std::string& path) {
  trainer.load_selected();
  work.evaluate(record);
  record->summary["tokens_per_second"] = trainer.tokens_per_second();
  record->summary["train_seconds"] = trainer.seconds();
  record->summary["steps"] = static_cast<double>(trainer.steps());
  record->summary["wall_seconds"] = recorder.wall_seconds();
  record->selected_by = trainer.selected_by();
  if (session.options.keep_weights) record->weights = to_record(weights_of(work.task().module()));
  record->resume.reset();
  record->status = "finished";
  record->error.clear();
  record->finished = utc_now();
  save_record(*record, path);
}

// Trains, evaluates and saves one run. False when it was interrupted.
bool train_run(const Session& session, PreparedData& data, const ArmConfig& arm, int64_t seed,
               ArmWork& work, const json& config, const std::string& path, Existing existing,
               RunRecord record) {
  const std::string run = arm.name + " seed " + std::to_string(seed);
  Trainer trainer(work.task(), arm.train, session.compute.device, static_cast<uint64_t>(seed));
  std::optional<int64_t> resume_step;
  if (existing == Existing::unfinished) {
    trainer.restore(record.resume->numbers, from_record(record.resume->tensors));
    resume_step = trainer.steps();
    session.listener.message(run + ": goes on from step " + std::to_string(*resume_step));
    if (record.environment.value("threads", 0) != session.compute.threads)
      session.listener.message(run + ": threads were " +
                               std::to_string(record.environment.value("threads", 0)) + ", now " +
                               std::to_string(session.compute.threads) +
                               ": weights may differ in the last bits");
  } else {
    record = new_record(session, data, arm, seed, config);
  }
  record.environment = session.environment;
  record.diff = session.diff;
  Recorder recorder(&record, path, &trainer, session.options, &session.listener, run, resume_step);
  try {
    if (!trainer.run(recorder)) return false;
    finish(session, work, trainer, recorder, &record, path);
    return true;
  } catch (const std::exception& error) {
    // Kept with its error; a checkpoint in it stays valid, so a cure can go on from there.
    record.status = "failed";
    record.error = error.what();
    record.finished = utc_now();
    save_record(record, path);
    throw;
  }
}

}  // namespace

RunOutcome run_experiment(const ExperimentConfig& experiment, const RunOptions& options,
                          RunListener& listener) {
  for (const std::string& name : options.arms) {
    const auto has_name = [&](const ArmConfig& arm) { return arm.name == name; };
    std::vector<std::string> names;
    for (const ArmConfig& arm : experiment.arms) names.push_back(arm.name);
    if (std::none_of(experiment.arms.begin(), experiment.arms.end(), has_name))
      throw usage_error("--arms: there is no \"" + name + "\" in " + experiment.file +
                        ", nearest: " + nearest(name, names));
  }
  use_deterministic_algorithms();
  const Environment environment =
      choose_environment(options.device, options.precision, options.threads);
  const GitState git = git_state();
  Session session{experiment,
                  options,
                  listener,
                  {environment.device,
                   environment.precision == Precision::bf16 ? torch::kBFloat16 : torch::kFloat32,
                   environment.threads},
                  to_json(environment, git),
                  git.diff};
  listener.message(describe(environment));
  if (const std::string warning = blas_warning(detect_blas()); !warning.empty())
    listener.message(warning);
  PreparationOptions preparation;
  preparation.data_dir = options.data_dir;
  preparation.fetch = options.fetch;
  preparation.threads = environment.threads;
  PreparedData data(experiment, preparation,
                    [&](const std::string& line) { listener.message(line); });

  RunOutcome outcome;
  for (const int64_t seed : options.seeds.empty() ? experiment.seeds : options.seeds)
    for (const ArmConfig& arm : experiment.arms) {
      if (!options.arms.empty() &&
          std::find(options.arms.begin(), options.arms.end(), arm.name) == options.arms.end())
        continue;
      const std::string run = arm.name + " seed " + std::to_string(seed);
      const std::string path =
          record_path(options.results, experiment.name, experiment.profile, arm.name, seed);
      outcome.records.push_back(path);
      const RunLock lock(path);
      const std::unique_ptr<ArmWork> work = make_arm(session, data, arm, seed);
      json config = to_json(experiment, arm, seed);
      config["model"] = work->model_config();
      config["data_id"] = data.id();
      config["precision"] = to_string(environment.precision);
      RunRecord record;
      const Existing existing = inspect_existing(path, config, session, &record);
      if (existing == Existing::finished) {
        listener.message(run + ": finished before, kept (" + path + ")");
        continue;
      }
      try {
        if (!train_run(session, data, arm, seed, *work, config, path, existing,
                       std::move(record))) {
          outcome.interrupted = true;
          return outcome;
        }
        listener.message(run + ": finished (" + path + ")");
      } catch (const std::exception& error) {
        outcome.failures.push_back(run + ": " + error.what());
        listener.message(outcome.failures.back());
      }
    }
  return outcome;
}

}  // namespace minibert
