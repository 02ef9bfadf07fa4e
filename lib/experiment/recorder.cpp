#include "experiment/recorder.h"

#include "task/weights.h"

namespace minibert {
namespace {

constexpr std::chrono::seconds kLogInterval{1};

double seconds_since(std::chrono::steady_clock::time_point then) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

}  // namespace

Recorder::Recorder(RunRecord* record, const std::string& path, const Trainer* trainer,
                   const RunOptions& options, RunListener* listener, const std::string& run,
                   std::optional<int64_t> resume_step)
    : record_(record),
      path_(path),
      trainer_(trainer),
      options_(options),
      listener_(listener),
      run_(run),
      log_(path, resume_step) {
  speed_seconds_ = trainer->seconds();
  speed_tokens_ = trainer->tokens_per_second() * trainer->seconds();
  if (resume_step && record->resume)
    wall_before_ = record->resume->numbers.value("wall_seconds", 0.0);
}

double Recorder::wall_seconds() const { return wall_before_ + seconds_since(begun_); }

void Recorder::add(const std::string& split, int64_t step, const Metrics& metrics) {
  for (const auto& [name, value] : metrics) {
    MetricSeries& series = record_->metrics[split + "/" + name];
    series.step.push_back(step);
    series.value.push_back(value);
  }
}

void Recorder::on_step(const Progress& progress) {
  listener_->progress(run_, progress);
  if (std::chrono::steady_clock::now() - logged_ < kLogInterval) return;
  logged_ = std::chrono::steady_clock::now();
  log_.append({{"step", progress.step},
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
  log_.append({{"step", step}, {"epoch", epoch + 1}, {"dev", metrics}, {"best", best}});
  listener_->dev_metrics(run_, epoch, metrics, best);
}

bool Recorder::wants_checkpoint() { return seconds_since(saved_) >= options_.checkpoint_seconds; }

void Recorder::on_checkpoint() {
  record_->status = listener_->stop_requested() ? "interrupted" : "running";
  nlohmann::json numbers = trainer_->numbers();
  numbers["wall_seconds"] = wall_seconds();
  record_->resume = ResumeState{std::move(numbers), to_record(trainer_->snapshot())};
  save_record(*record_, path_);
  saved_ = std::chrono::steady_clock::now();
}

}  // namespace minibert
