#include "experiment/recorder.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/files.h"
#include "task/all/export_run.h"
#include "task/weights.h"

namespace minibert {
namespace {

constexpr std::chrono::seconds kLogInterval{1};

// Numbers of a checkpoint: the last step of each split that its metrics have.
constexpr const char* kTrainLogged = "train_logged";
constexpr const char* kDevLogged = "dev_logged";
constexpr const char* kWallSeconds = "wall_seconds";  // also in the summary
constexpr const char* kCpuSeconds = "cpu_seconds";

// Drops what a failed sitting recorded after its checkpoint: it is made again.
void cut_after(RunRecord* record, const std::string& split, int64_t last) {
  for (auto& [key, series] : record->metrics) {
    if (!key.starts_with(split + "/")) continue;
    while (!series.step.empty() && series.step.back() > last) {
      series.step.pop_back();
      series.value.pop_back();
    }
  }
}

std::optional<double> number_at(const nlohmann::json& numbers, const char* name) {
  const auto found = numbers.find(name);
  return found == numbers.end() ? std::nullopt : std::optional(found->get<double>());
}

double seconds_since(std::chrono::steady_clock::time_point then) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

}  // namespace

Recorder::Recorder(RunRecord* record, const std::string& path, RunLock* lock,
                   const Trainer* trainer, const RunOptions& options, RunListener* listener,
                   const std::string& run, std::optional<int64_t> resume_step)
    : record_(record),
      path_(path),
      lock_(lock),
      trainer_(trainer),
      options_(options),
      listener_(listener),
      run_(run) {
  speed_seconds_ = trainer->seconds();
  speed_tokens_ = trainer->tokens_per_second() * trainer->seconds();
  if (!resume_step || !record->resume) {
    log_.emplace(path);
    return;
  }
  const nlohmann::json& numbers = record->resume->numbers;
  wall_before_ = numbers.value(kWallSeconds, 0.0);
  cpu_before_ = number_at(numbers, kCpuSeconds);
  const int64_t dev_logged = numbers.value(kDevLogged, *resume_step);
  cut_after(record, "train", numbers.value(kTrainLogged, *resume_step));
  cut_after(record, "dev", dev_logged);
  cut_after(record, "spent", dev_logged);
  log_.emplace(path, ProgressLog::Kept{*resume_step, dev_logged});
}

double Recorder::wall_seconds() const { return wall_before_ + seconds_since(begun_); }

// Unknown with several processes: this one does not see the others' time.
std::optional<double> Recorder::cpu_seconds() const {
  if (!cpu_before_ || options_.workers != nullptr) return std::nullopt;
  return *cpu_before_ + processor_seconds() - cpu_begun_;
}

void Recorder::add_costs(RunRecord* record) {
  record->summary[kWallSeconds] = wall_seconds();
  if (const auto seconds = cpu_seconds()) record->summary[kCpuSeconds] = *seconds;
}

void Recorder::add(const std::string& split, int64_t step, const Metrics& metrics) {
  for (const auto& [name, value] : metrics) {
    MetricSeries& series = record_->metrics[split + "/" + name];
    series.step.push_back(step);
    series.value.push_back(value);
  }
}

// The run goes on without a log for watchers.
void Recorder::log(const nlohmann::json& object) {
  if (!log_) return;
  try {
    log_->append(object);
  } catch (const Error& error) {
    listener_->message(std::string(error.what()) + "; the run goes on without it");
    log_.reset();
  }
}

void Recorder::begin() {
  if (std::ranges::find(options_.keep_at, 0) == options_.keep_at.end()) return;
  due_ = {0};
  on_checkpoint(false);
}

void Recorder::on_step(const Progress& progress) {
  listener_->progress(run_, progress);
  for (const int64_t share : options_.keep_at)
    if (progress.step == std::max<int64_t>(1, (share * progress.steps + 500) / 1000) && share > 0)
      due_.push_back(share);
  if (std::chrono::steady_clock::now() - logged_ < kLogInterval) return;
  logged_ = std::chrono::steady_clock::now();
  log({{"step", progress.step},
       {"steps", progress.steps},
       {"epoch", progress.epoch + 1},
       {"epochs", progress.epochs},
       {"seconds", progress.seconds},
       {"seconds_left", progress.seconds_left},
       {"examples_per_second", progress.examples_per_second},
       {"train", progress.latest}});
}

void Recorder::on_train_metrics(int64_t step, const Metrics& metrics) {
  Metrics with_speed = metrics;
  const double seconds = trainer_->seconds(), tokens = trainer_->tokens_per_second() * seconds;
  if (seconds > speed_seconds_)
    with_speed["tokens_per_second"] = (tokens - speed_tokens_) / (seconds - speed_seconds_);
  speed_seconds_ = seconds, speed_tokens_ = tokens;
  add("train", step, with_speed);
}

void Recorder::on_dev_metrics(int64_t epoch, int64_t step, const Metrics& metrics, bool best) {
  add("dev", step, metrics);
  const Spent& spent = trainer_->spent();
  Metrics costs = {{"seconds", spent.seconds}, {"tokens", spent.tokens}};
  if (!std::isnan(spent.flops)) {
    costs["flops"] = spent.flops;
    if (spent.teacher_flops > 0) costs["teacher_flops"] = spent.teacher_flops;
  }
  add("spent", step, costs);
  log({{"step", step}, {"epoch", epoch + 1}, {"dev", metrics}, {"best", best}});
  listener_->dev_metrics(run_, epoch, metrics, best);
}

bool Recorder::wants_checkpoint() {
  return !due_.empty() || seconds_since(saved_) >= options_.checkpoint_seconds;
}

// The trainer's resume state holds this step's weights, and their mean, which is evaluated.
void Recorder::keep_model(int64_t share) {
  RunRecord now = *record_;
  const std::string kept = now.resume->numbers.value("averaged", 0) > 0 ? "mean/" : "weights/";
  for (NamedTensor& tensor : now.resume->tensors)
    if (tensor.name.starts_with(kept)) {
      now.weights.push_back(std::move(tensor));
      now.weights.back().name.erase(0, kept.size());
    }
  const std::string path = kept_model(path_, share);
  write_file_atomically(path, export_record(now, path_, MbqWeights::int8));
}

void Recorder::on_checkpoint(bool stopped) {
  record_->status = stopped ? "interrupted" : "running";
  nlohmann::json numbers = trainer_->numbers();
  numbers[kWallSeconds] = wall_seconds();
  if (const auto seconds = cpu_seconds()) numbers[kCpuSeconds] = *seconds;
  numbers[kTrainLogged] = last_step(record_->metrics, "train");
  numbers[kDevLogged] = last_step(record_->metrics, "dev");
  record_->resume = ResumeState{std::move(numbers), to_record(trainer_->snapshot())};
  lock_->keep();
  try {
    save_record(*record_, path_);
  } catch (const Error& error) {
    if (stopped) throw;
    listener_->message(run_ + ": " + error.what() + "; the run goes on, and tries again later");
  }
  // The weights of this step are not there again.
  for (const int64_t share : due_) try {
      keep_model(share);
    } catch (const Error& error) {
      listener_->message(run_ + ": " + error.what() + "; the run goes on without this model");
    }
  due_.clear();
  saved_ = std::chrono::steady_clock::now();
}

}  // namespace minibert
