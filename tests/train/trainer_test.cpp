// The training loop on a task of one number, whose dev metric and loss the test writes.
#include "train/trainer.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <optional>

#include "core/error.h"
#include "train/processes.h"

namespace minibert {
namespace {

struct OneNumber : torch::nn::Module {
  OneNumber() { value = register_parameter("value", torch::zeros({})); }
  torch::Tensor value;
};

// Loss = value, so that Adam lowers it by the rate at every step.
class ScriptedTask : public Task {
 public:
  explicit ScriptedTask(std::vector<double> dev, int64_t batches = 3)
      : dev_(std::move(dev)), batches_(batches) {}
  torch::nn::Module& module() override { return model; }
  int64_t epochs() const override { return static_cast<int64_t>(dev_.size()); }
  int64_t batch_count(int64_t) override { return batches_; }
  void begin_epoch(int64_t epoch) override { epoch_ = epoch; }
  Batch make_batch(int64_t index, Part) override {
    Batch batch;
    batch.examples = index + 1;
    batch.tokens = 10;
    batch.whole = {batch.examples, batch.tokens, 0};
    return batch;
  }
  StepOutput step(const Batch& batch, uint64_t) override {
    StepOutput out;
    out.loss = model.value * (++steps == nan_at ? std::numeric_limits<double>::quiet_NaN() : 1.0);
    const auto examples = static_cast<double>(batch.examples);
    out.metrics["loss"] = {out.loss.detach() * examples, examples};
    return out;
  }
  std::optional<StepFlops> flops(const Batch&) const override { return cost; }
  Metrics evaluate_dev(Workers*) override {
    training_during_dev |= model.is_training();
    values.push_back(model.value.item<double>());
    return {{"f1", dev_[static_cast<size_t>(epoch_)]}};
  }

  std::optional<StepFlops> cost;
  OneNumber model;
  std::vector<double> values;  // the number after each epoch
  int64_t steps = 0, nan_at = -1;
  bool training_during_dev = false;

 private:
  std::vector<double> dev_;
  int64_t batches_, epoch_ = 0;
};

TrainConfig config_with(int64_t patience) {
  TrainConfig config;
  config.patience = patience;
  config.monitor = "f1";
  config.log_every = 1;
  return config;
}

struct Observer : TrainObserver {
  void on_step(const Progress& progress) override { last = progress; }
  void on_train_metrics(int64_t step, const Metrics& metrics) override {
    logged.emplace_back(step, metrics.at("loss"));
  }
  void on_dev_metrics(int64_t epoch, int64_t step, const Metrics& metrics, bool best) override {
    dev.push_back({epoch, step, metrics.at("f1"), best});
  }
  struct Dev {
    int64_t epoch, step;
    double f1;
    bool best;
  };
  std::vector<std::pair<int64_t, double>> logged;
  std::vector<Dev> dev;
  Progress last{};
};

// Goes on from where a limit ended a run.
void check_only_evaluation_is_left(const Trainer& ended, const TrainConfig& config,
                                   ScriptedTask& again) {
  Trainer resumed(again, config, torch::kCPU, 1);
  resumed.restore(ended.numbers(), ended.snapshot());
  Observer observer;
  CHECK(resumed.run(observer));
  CHECK(resumed.steps() == ended.steps());
  CHECK(resumed.ended_by() == ended.ended_by());
  CHECK(resumed.numbers().value("flops", -1.0) == ended.numbers().value("flops", -1.0));
  CHECK(observer.dev.size() == 1);
}

}  // namespace

TEST_CASE("the norm of the gradient is logged as it was before clipping") {
  struct Norms : TrainObserver {
    void on_train_metrics(int64_t, const Metrics& metrics) override {
      values.push_back(metrics.at("gradient_norm"));
    }
    std::vector<double> values;
  } observer;
  ScriptedTask task({1});
  TrainConfig config = config_with(0);
  config.clip_norm = 0.25;
  Trainer trainer(task, config, torch::kCPU, 1);
  CHECK(trainer.run(observer));
  CHECK(observer.values == std::vector<double>(3, 1.0));  // the loss is the number itself
}

TEST_CASE("training stops when the metric has not been better for `patience` epochs") {
  ScriptedTask task({1, 5, 4, 5, 3, 9, 9});
  Trainer trainer(task, config_with(3), torch::kCPU, 1);
  Observer observer;
  CHECK(trainer.run(observer));
  REQUIRE(observer.dev.size() == 5);  // 5 again is no better: three epochs without a better one
  const bool best[] = {true, true, false, false, false};
  for (size_t i = 0; i < 5; ++i) {
    CHECK(observer.dev[i].best == best[i]);
    CHECK(observer.dev[i].epoch == static_cast<int64_t>(i));
    CHECK(observer.dev[i].step == 3 * static_cast<int64_t>(i + 1));
  }
  CHECK(trainer.steps() == 15);
  CHECK(trainer.ended_by() == "patience");
  CHECK_FALSE(task.training_during_dev);
}

TEST_CASE(
    "max_minutes counts the minutes of earlier sittings, and ends at once where they are over") {
  TrainConfig config = config_with(0);
  config.max_minutes = 1.0 / 600;  // a tenth of a second
  config.schedule = "linear";
  config.schedule_end = kAboveZero;
  ScriptedTask task(std::vector<double>(100000, 1), 1000);
  Trainer trainer(task, config, torch::kCPU, 1);
  Observer observer;
  CHECK(trainer.run(observer));
  CHECK(trainer.ended_by() == "max_minutes");
  CHECK(trainer.seconds() >= 0.1);
  CHECK(trainer.seconds() < 2);
  REQUIRE_FALSE(observer.dev.empty());
  CHECK(observer.dev.back().step == trainer.steps());

  ScriptedTask again(std::vector<double>(100000, 1), 1000);
  check_only_evaluation_is_left(trainer, config, again);
}

TEST_CASE("a resumed run counts its operations to the last one") {
  ScriptedTask first({1}), again({1});
  first.cost = again.cost = StepFlops{(1 << 24) + 1, 3};  // more digits than float32 has
  Observer observer;
  Trainer ended(first, config_with(0), torch::kCPU, 1),
      resumed(again, config_with(0), torch::kCPU, 1);
  CHECK(ended.run(observer));
  resumed.restore(ended.numbers(), ended.snapshot());
  CHECK(resumed.spent().flops == ended.spent().flops);
  CHECK(resumed.spent().teacher_flops == ended.spent().teacher_flops);
}

TEST_CASE("operations are counted where a task counts them, and else unknown") {
  ScriptedTask counted({1, 2}), uncounted({1});
  counted.cost = StepFlops{8, 2};
  Observer observer;
  Trainer trainer(counted, config_with(0), torch::kCPU, 1);
  CHECK(trainer.run(observer));
  CHECK(trainer.spent().flops == 8 * static_cast<double>(trainer.steps()));
  CHECK(trainer.spent().teacher_flops == 2 * static_cast<double>(trainer.steps()));
  Trainer other(uncounted, config_with(0), torch::kCPU, 1);
  CHECK(other.run(observer));
  CHECK(std::isnan(other.spent().flops));
  CHECK_FALSE(other.numbers().contains("flops"));
  CHECK(other.ended_by() == "epochs");
}

TEST_CASE(
    "max_steps ends training within an epoch, with its evaluation and the checkpoint's place") {
  ScriptedTask task({1, 2, 3, 4});
  TrainConfig config = config_with(0);
  config.max_steps = 7;
  Trainer trainer(task, config, torch::kCPU, 1);
  Observer observer;
  CHECK(trainer.run(observer));
  CHECK(trainer.steps() == 7);
  CHECK(trainer.ended_by() == "max_steps");
  CHECK(observer.last.steps == 7);
  REQUIRE(observer.dev.size() == 3);
  CHECK(observer.dev[2].epoch == 2);
  CHECK(observer.dev[2].step == 7);
  CHECK(observer.logged.back().first == 7);

  ScriptedTask again({1, 2, 3, 4});
  check_only_evaluation_is_left(trainer, config, again);

  // A limit behind the end changes nothing.
  ScriptedTask whole({1, 2});
  config.max_steps = 100;
  Trainer unlimited(whole, config, torch::kCPU, 1);
  Observer third;
  CHECK(unlimited.run(third));
  CHECK(unlimited.steps() == 6);
  CHECK(third.last.steps == 6);
}

TEST_CASE("the best epoch's weights are kept, not the last ones") {
  ScriptedTask task({1, 5, 4, 2});
  Trainer trainer(task, config_with(0), torch::kCPU, 1);
  Observer observer;
  trainer.run(observer);
  CHECK(observer.dev.size() == 4);
  CHECK(task.model.value.item<double>() == task.values[3]);
  trainer.load_selected();
  CHECK(task.model.value.item<double>() == task.values[1]);
  CHECK(trainer.selected_by() == "best dev f1");
}

TEST_CASE("all processes end with the best epoch's weights, which the first one chooses",
          "[gloo]") {
  if (!testing::has_gloo()) return;
  std::vector<double> chosen(2), second_epoch(2);
  const auto ends = testing::together(testing::some_processes(2), [&](Workers& workers) {
    const auto rank = static_cast<size_t>(workers.rank());
    ScriptedTask task(rank == 0 ? std::vector<double>{1, 5, 4, 2}
                                : std::vector<double>{9, 1, 2, 3});
    Trainer trainer(task, config_with(0), torch::kCPU, 1, &workers);
    Observer observer;
    trainer.run(observer);
    trainer.load_selected();
    chosen[rank] = task.model.value.item<double>();
    second_epoch[rank] = task.values[1];
  });
  CHECK(ends == std::vector<std::string>(2));
  CHECK(chosen == second_epoch);
  CHECK(chosen[0] == chosen[1]);
}

TEST_CASE("a measure that only another process has is logged, too", "[gloo]") {
  if (!testing::has_gloo()) return;
  struct Judging : ScriptedTask {
    explicit Judging(bool judges) : ScriptedTask({1}), judges_(judges) {}
    StepOutput step(const Batch& batch, uint64_t key) override {
      StepOutput out = ScriptedTask::step(batch, key);
      if (judges_) out.metrics["judged"] = {torch::full_like(out.loss.detach(), 6), 2};
      return out;
    }
    bool judges_;
  };
  struct Judged : TrainObserver {
    void on_train_metrics(int64_t, const Metrics& metrics) override {
      values.push_back(metrics.contains("judged") ? metrics.at("judged") : -1);
    }
    std::vector<double> values;
  };
  const size_t judge = GENERATE(size_t{0}, size_t{1});
  std::vector<std::vector<double>> logged(2);
  const auto ends = testing::together(testing::some_processes(2), [&](Workers& workers) {
    const auto rank = static_cast<size_t>(workers.rank());
    Judging task(rank == judge);
    Trainer trainer(task, config_with(0), torch::kCPU, 1, &workers);
    Judged observer;
    trainer.run(observer);
    logged[rank] = observer.values;
  });
  CHECK(ends == std::vector<std::string>(2));
  CHECK(logged == std::vector<std::vector<double>>(2, std::vector<double>(3, 3.0)));
}

TEST_CASE("where lower is better the lowest epoch's weights are kept") {
  ScriptedTask task({5, 1, 4, 4, 4});
  TrainConfig config = config_with(2);
  config.lower_is_better = true;
  Trainer trainer(task, config, torch::kCPU, 1);
  Observer observer;
  trainer.run(observer);
  CHECK(observer.dev.size() == 4);
  trainer.load_selected();
  CHECK(task.model.value.item<double>() == task.values[1]);
}

TEST_CASE(
    "from a share of training on the mean of the weights is evaluated and kept, not trained on") {
  TrainConfig config = config_with(0);
  config.monitor = "none";
  config.average_from = 0.5;
  config.optimizer.lr = 0.25;  // after each step the number is 1/4 less
  ScriptedTask task({9, 1, 1, 1});
  Trainer trainer(task, config, torch::kCPU, 1);
  Observer observer;
  trainer.run(observer);
  CHECK(task.values[1] == Approx(-1.5).epsilon(1e-4));    // six steps: none is behind the half
  CHECK(task.values[2] == Approx(-2.0).epsilon(1e-4));    // of steps 7, 8, 9
  CHECK(task.values[3] == Approx(-2.375).epsilon(1e-4));  // of steps 7 to 12
  CHECK(task.model.value.item<double>() == Approx(-3).epsilon(1e-4));
  trainer.load_selected();
  CHECK(task.model.value.item<double>() == task.values[3]);
  CHECK(trainer.selected_by() == "mean of the last 6 steps");

  // A measure picks among what was measured.
  config.monitor = "f1";
  ScriptedTask measured({1, 2, 5, 4});
  Trainer picking(measured, config, torch::kCPU, 1);
  picking.run(observer);
  picking.load_selected();
  CHECK(measured.model.value.item<double>() == measured.values[2]);
  CHECK(picking.selected_by() == "best dev f1");
  ScriptedTask unmeasured({NAN, NAN});
  Trainer last(unmeasured, config, torch::kCPU, 1);
  last.run(observer);
  last.load_selected();
  CHECK(unmeasured.model.value.item<double>() == Approx(-1.5).epsilon(1e-4));
  CHECK(last.selected_by() == "last epoch");
}

TEST_CASE("two processes keep the same mean of the weights, also from a checkpoint", "[gloo]") {
  if (!testing::has_gloo()) return;
  TrainConfig config = config_with(0);
  config.monitor = "none";
  config.average_from = 0.25;
  std::vector<double> whole(2), resumed(2);
  const auto ends = testing::together(testing::some_processes(2), [&](Workers& workers) {
    const auto rank = static_cast<size_t>(workers.rank());
    struct Stopping : Observer {
      bool wants_stop() override { return last.step == at; }
      int64_t at = -1;
    };
    const auto train = [&](int64_t stop) {
      ScriptedTask task({1, 1, 1});
      auto trainer = std::make_unique<Trainer>(task, config, torch::kCPU, 1, &workers);
      Stopping observer;
      observer.at = stop;
      if (!trainer->run(observer)) {
        const auto numbers = trainer->numbers();
        const NamedTensors state = trainer->snapshot();
        trainer = std::make_unique<Trainer>(task, config, torch::kCPU, 1, &workers);
        if (rank == 0) trainer->restore(numbers, state);
        observer.at = -1;
        trainer->run(observer);
      }
      trainer->load_selected();
      return task.model.value.item<double>();
    };
    whole[rank] = train(-1);
    resumed[rank] = train(5);
  });
  CHECK(ends == std::vector<std::string>(2));
  CHECK(whole[0] != 0);
  CHECK(whole[1] == whole[0]);
  CHECK(resumed == whole);
}

TEST_CASE("without a metric to pick them the last weights stay") {
  ScriptedTask task({9, 1});
  TrainConfig config = config_with(0);
  config.monitor = "none";
  Trainer trainer(task, config, torch::kCPU, 1);
  Observer observer;
  trainer.run(observer);
  trainer.load_selected();
  CHECK(task.model.value.item<double>() == task.values[1]);
  CHECK(trainer.selected_by() == "last epoch");
}

TEST_CASE("a loss that is not finite stops the run and says where and what may help") {
  for (const int64_t log_every : {1, 4}) {
    CAPTURE(log_every);
    ScriptedTask task({1, 2, 3});
    task.nan_at = 4;
    TrainConfig config = config_with(0);
    config.log_every = log_every;
    Trainer trainer(task, config, torch::kCPU, 1);
    Observer observer;
    CHECK_THROWS_WITH(trainer.run(observer),
                      "training loss is not finite at step 4; a smaller optimizer.lr or clip_norm "
                      "may help");
  }
}

TEST_CASE("a loss that is not finite after the last logged step stops the run, too") {
  ScriptedTask task({1, 2});
  task.nan_at = 6;
  TrainConfig config = config_with(0);
  config.log_every = 100;
  Trainer trainer(task, config, torch::kCPU, 1);
  Observer observer;
  CHECK_THROWS_WITH(trainer.run(observer), Catch::Matchers::Contains("not finite at step 6"));
}

TEST_CASE("a state that went wrong is not saved over a good one") {
  struct Saving : Observer {
    bool wants_checkpoint() override { return true; }
    void on_checkpoint(bool /*stopped*/) override { ++saved; }
    int64_t saved = 0;
  } observer;
  ScriptedTask task({1, 2});
  task.nan_at = 3;
  TrainConfig config = config_with(0);
  config.log_every = 100;
  Trainer trainer(task, config, torch::kCPU, 1);
  CHECK_THROWS_WITH(trainer.run(observer), Catch::Matchers::Contains("not finite at step 3"));
  CHECK(observer.saved == 2);
}

TEST_CASE("a checkpoint with a loss that was not finite is refused with one line") {
  ScriptedTask task({1, 2});
  Trainer trainer(task, config_with(0), torch::kCPU, 1);
  nlohmann::json numbers = trainer.numbers();
  numbers["running"] = {{"loss", {nullptr, 3}}};
  CHECK_THROWS_WITH(trainer.restore(numbers, trainer.snapshot()),
                    "the checkpoint's running.loss: found null, expected a number (a loss was not "
                    "finite when it was saved)");
}

TEST_CASE("a measure that the arm does not have on dev cannot choose the weights, and is told") {
  ScriptedTask task({1, 2});
  TrainConfig config = config_with(0);
  config.monitor = "accuracy";
  Trainer trainer(task, config, torch::kCPU, 1);
  Observer observer;
  CHECK_THROWS_WITH(trainer.run(observer),
                    "train.monitor: found \"accuracy\", which is not measured on this arm's dev "
                    "set, expected one of: f1");
}

TEST_CASE("logged metrics are means over the examples since the last time") {
  ScriptedTask task({1, 1}, 4);
  TrainConfig config = config_with(0);
  config.log_every = 2;
  config.optimizer.lr = 0.25;
  Trainer trainer(task, config, torch::kCPU, 1);
  Observer observer;
  trainer.run(observer);
  // Before the steps the number is 0, -1/4, -1/2, …; batches have 1, 2, 3, 4 examples.
  REQUIRE(observer.logged.size() == 4);
  CHECK(observer.logged[0].first == 2);
  CHECK(observer.logged[0].second == Approx((0 * 1 + -0.25 * 2) / 3).epsilon(1e-4));
  CHECK(observer.logged[1].second == Approx((-0.5 * 3 + -0.75 * 4) / 7).epsilon(1e-4));
  CHECK(observer.last.step == 8);
  CHECK(observer.last.steps == 8);
  CHECK(trainer.tokens_per_second() * trainer.seconds() == Approx(80));
}

TEST_CASE("a resumed run tells its speed and the time left by what it did since") {
  ScriptedTask task({1, 1}, 3);
  Trainer trainer(task, config_with(0), torch::kCPU, 1);
  nlohmann::json slow = trainer.numbers();
  slow["epoch"] = 1, slow["step"] = 3, slow["examples"] = 6, slow["seconds"] = 3e6;
  trainer.restore(slow, trainer.snapshot());
  struct FirstStep : TrainObserver {
    void on_step(const Progress& progress) override {
      if (!first) first = progress;
    }
    std::optional<Progress> first;
  } observer;
  trainer.run(observer);
  REQUIRE(observer.first);
  CHECK(observer.first->step == 4);
  CHECK(observer.first->seconds > 3e6);
  CHECK(observer.first->seconds_left < 1e5);  // the three steps before took 1e6 each
  CHECK(observer.first->examples_per_second > 1e-3);
}

TEST_CASE("a position that no run of this configuration has is refused") {
  ScriptedTask task({1, 1}, 3);
  Trainer trainer(task, config_with(0), torch::kCPU, 1);
  const NamedTensors tensors = trainer.snapshot();
  const auto with = [&](const char* name, const nlohmann::json& value) {
    nlohmann::json numbers = trainer.numbers();
    numbers[name] = value;
    return numbers;
  };
  CHECK_THROWS_WITH(trainer.restore(with("batch", -3), tensors),
                    "the checkpoint's batch: found -3, expected a whole number from 0");
  CHECK_THROWS_WITH(trainer.restore(with("step", "one"), tensors),
                    "the checkpoint's step: found \"one\", expected a whole number from 0");
  for (const char* name : {"epoch", "batch", "step"})
    CHECK_THROWS_WITH(trainer.restore(with(name, 1000000000), tensors),
                      Catch::Contains("which this run never reaches"));
  nlohmann::json end = trainer.numbers();
  end["epoch"] = 2, end["step"] = 6;
  trainer.restore(end, tensors);
  CHECK(trainer.steps() == 6);
}

TEST_CASE("a state of another model is refused") {
  ScriptedTask task({1});
  Trainer trainer(task, config_with(0), torch::kCPU, 1);
  const auto numbers = trainer.numbers();
  NamedTensors tensors = trainer.snapshot();
  CHECK_THROWS_WITH(trainer.restore(numbers, {}), "the checkpoint has no tensor weights/value");
  tensors[0].second = torch::zeros(2);
  CHECK_THROWS_WITH(trainer.restore(numbers, tensors),
                    "the checkpoint's tensor weights/value does not have the model's shape");
}

}  // namespace minibert
