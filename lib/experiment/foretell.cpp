#include "experiment/foretell.h"

#include <algorithm>
#include <cmath>

#include "train/trainer.h"

namespace minibert {
namespace {

// The first step also fills caches and thread pools.
constexpr int64_t kWarmingSteps = 1, kFewestSteps = 3;
constexpr double kEnough = 1;  // second of steps
// Factor for evaluation: the median of wall_seconds / train_seconds in the shipped runs.
constexpr double kWithMeasuring = 1.1;

class Stopwatch : public TrainObserver {
 public:
  explicit Stopwatch(const std::function<bool()>& stop_requested)
      : stop_requested_(stop_requested) {}
  void on_step(const Progress& progress) override {
    if (progress.step <= kWarmingSteps) warmed_ = progress;
    last_ = progress;
  }
  bool wants_stop() override {
    given_up_ = stop_requested_();
    return given_up_ || (counted() >= kFewestSteps && timed() >= kEnough);
  }

  std::optional<double> seconds_of_all() const {
    if (given_up_ || last_.steps == 0) return std::nullopt;
    const double a_step = counted() > 0 ? timed() / static_cast<double>(counted()) : last_.seconds;
    return a_step * static_cast<double>(last_.steps);
  }

 private:
  int64_t counted() const { return last_.step - warmed_.step; }
  double timed() const { return last_.seconds - warmed_.seconds; }

  const std::function<bool()>& stop_requested_;
  Progress warmed_{}, last_{};
  bool given_up_ = false;
};

}  // namespace

std::optional<double> predict_seconds(Arm& arm, const TrainConfig& config, torch::Device device,
                                      uint64_t seed, const std::function<bool()>& stop_requested) {
  Stopwatch watch(stop_requested);
  Trainer trainer(arm.task(), config, device, seed);
  trainer.run(watch);
  std::optional<double> seconds = watch.seconds_of_all();
  if (seconds && config.max_minutes > 0) seconds = std::min(*seconds, 60 * config.max_minutes);
  if (seconds) *seconds *= kWithMeasuring;
  return seconds;
}

}  // namespace minibert
