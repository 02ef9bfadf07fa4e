// Learning-rate schedules at named steps, and what a training configuration's mistakes are told.
#include "train/config.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "core/error.h"

namespace minibert {
namespace {

using nlohmann::json;

TrainConfig schedule(const std::string& kind, double warmup) {
  TrainConfig config;
  config.schedule = kind;
  config.warmup = warmup;
  config.optimizer.lr = 0.1;
  return config;
}

TrainConfig read(const json& given) {
  ConfigReader reader(given, "one.json", "arms[0].train");
  const TrainConfig config = read_train_config(reader);
  reader.finish();
  return config;
}

std::string mistake(const json& given) {
  try {
    read(given);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a rate by shares of the whole is the rate by steps where steps are equal") {
  for (const char* kind : {"constant", "linear", "cosine", "trapezoid"})
    for (const char* end : {kAboveZero, "zero"})
      for (const double warmup : {0.0, 0.2, 1.0}) {
        TrainConfig config = schedule(kind, warmup);
        config.cooldown = std::min(0.25, 1 - warmup);
        config.schedule_end = end;
        for (int64_t step = 0; step < 20; ++step) {
          const auto at = static_cast<double>(step);
          CHECK(learning_rate_at(config, at / 20, (at + 1) / 20) ==
                Approx(learning_rate(config, step, 20)).margin(1e-12));
        }
      }
}

TEST_CASE("budgets that are none are told with what was found") {
  CHECK(mistake({{"max_minutes", -1}}).find("max_minutes") != std::string::npos);
  CHECK(read({{"max_minutes", 0.5}}).max_minutes == 0.5);
  CHECK(mistake({{"max_flops", 1e15}}).find("max_flops: found") != std::string::npos);  // retired
}

TEST_CASE("a constant rate is the peak at every step") {
  for (const int64_t step : {0, 57, 99})
    CHECK(learning_rate(schedule("constant", 0), step, 100) == 0.1);
}

TEST_CASE("warm-up rises in equal parts and ends at the peak") {
  for (const char* kind : {"constant", "linear", "cosine", "trapezoid"}) {
    CAPTURE(kind);
    const TrainConfig config = schedule(kind, 0.1);
    CHECK(learning_rate(config, 0, 100) == Approx(0.01));
    CHECK(learning_rate(config, 4, 100) == Approx(0.05));
    CHECK(learning_rate(config, 9, 100) == Approx(0.1));
  }
}

TEST_CASE("linear and cosine fall to zero at the last step") {
  const TrainConfig linear = schedule("linear", 0.1), cosine = schedule("cosine", 0.1);
  CHECK(learning_rate(linear, 54, 100) == Approx(0.05));  // halfway down
  CHECK(learning_rate(cosine, 54, 100) == Approx(0.05));
  CHECK(learning_rate(linear, 32, 100) == Approx(0.1 * (1 - 23.0 / 90)));
  // A third of the way: half of 1 + cos(60°).
  CHECK(learning_rate(cosine, 39, 100) == Approx(0.075));
  CHECK(learning_rate(linear, 99, 100) == Approx(0).margin(1e-15));
  CHECK(learning_rate(cosine, 99, 100) == Approx(0).margin(1e-15));
}

TEST_CASE("a schedule that ends above zero learns in its last step") {
  for (const char* kind : {"linear", "cosine"}) {
    CAPTURE(kind);
    TrainConfig config = schedule(kind, 0);
    config.schedule_end = kAboveZero;
    CHECK(learning_rate(config, 0, 1) == Approx(0.1));
    CHECK(learning_rate(config, 0, 6) == Approx(0.1));
    CHECK(learning_rate(config, 5, 6) > 0);
    config.warmup = 0.5;
    CHECK(learning_rate(config, 2, 6) == Approx(0.1));
    CHECK(learning_rate(config, 3, 6) == Approx(0.1));
    CHECK(learning_rate(config, 5, 6) > 0);
  }
  TrainConfig linear = schedule("linear", 0);
  linear.schedule_end = kAboveZero;
  CHECK(learning_rate(linear, 5, 6) == Approx(0.1 / 6));
}

TEST_CASE("a trapezoid stays at the peak until its cooldown, which falls in equal parts") {
  TrainConfig config = schedule("trapezoid", 0.1);
  config.cooldown = 0.2;
  for (const int64_t step : {9, 10, 50, 79}) CHECK(learning_rate(config, step, 100) == 0.1);
  CHECK(learning_rate(config, 80, 100) == Approx(0.095));
  CHECK(learning_rate(config, 89, 100) == Approx(0.05));
  CHECK(learning_rate(config, 99, 100) == Approx(0).margin(1e-15));
  config.schedule_end = kAboveZero;
  CHECK(learning_rate(config, 80, 100) == 0.1);
  CHECK(learning_rate(config, 99, 100) == Approx(0.005));
  config.cooldown = 0;
  CHECK(learning_rate(config, 99, 100) == 0.1);
  config.cooldown = 0.9;
  for (const int64_t step : {0, 9, 10, 54, 99}) {
    TrainConfig linear = schedule("linear", 0.1);
    linear.schedule_end = kAboveZero;
    CHECK(learning_rate(config, step, 100) == Approx(learning_rate(linear, step, 100)));
  }
}

TEST_CASE("a schedule of one step or of warm-up alone stays finite") {
  for (const char* kind : {"constant", "linear", "cosine", "trapezoid"}) {
    CAPTURE(kind);
    const double only = learning_rate(schedule(kind, 0), 0, 1);
    CHECK(only >= 0);
    CHECK(only <= 0.1);
    CHECK(learning_rate(schedule(kind, 1), 9, 10) == Approx(0.1));
  }
}

TEST_CASE("a training configuration survives being written and read") {
  const json given{
      {"epochs", 3},
      {"max_steps", 300},
      {"batch_size", 17},
      {"patience", 2},
      {"monitor", "f1"},
      {"optimizer", {{"type", "adamw"}, {"lr", 0.002}, {"weight_decay", 0.01}, {"decay", "all"}}},
      {"schedule", "cosine"},
      {"warmup", 0.05},
      {"clip_norm", 1.0}};
  const TrainConfig config = read(given);
  CHECK(config.batch_size == 17);
  CHECK(config.max_steps == 300);
  CHECK(config.optimizer.decay == "all");
  CHECK(to_json(read(to_json(config))) == to_json(config));
  CHECK(config.optimizer.beta2 == 0.999);
}

TEST_CASE("keys that are not used are not written, so that older records stay what they were") {
  const json plain = to_json(TrainConfig{});
  for (const char* key : {"cooldown", "average_from"}) CHECK_FALSE(plain.contains(key));
  for (const char* key : {"muon_lr", "cautious_decay"})
    CHECK_FALSE(plain.at("optimizer").contains(key));
  const json used = to_json(read(
      {{"schedule", "trapezoid"},
       {"cooldown", 0.3},
       {"average_from", 0.8},
       {"optimizer",
        {{"type", "muon"}, {"muon_lr", 0.01}, {"weight_decay", 0.1}, {"cautious_decay", true}}}}));
  CHECK(used.at("cooldown") == 0.3);
  CHECK(used.at("average_from") == 0.8);
  CHECK(used.at("optimizer").at("muon_lr") == 0.01);
  CHECK(used.at("optimizer").at("cautious_decay") == true);
  CHECK(to_json(read(used)) == used);
}

TEST_CASE("every mistake in a training configuration names its key") {
  using Catch::Matchers::Contains;
  const std::string at = "one.json: arms[0].train.";
  CHECK(mistake({{"patience", 5}}) ==
        at + "monitor: found \"none\", expected a dev metric with patience");
  CHECK_THAT(mistake({{"epochs", -1}}), Contains(at + "epochs: found -1"));
  CHECK_THAT(mistake({{"batch_size", "32"}}), Contains(at + "batch_size: found \"32\""));
  CHECK_THAT(mistake({{"optimizer", {{"lr", -0.1}}}}), Contains(at + "optimizer.lr: found -0.1"));
  CHECK_THAT(mistake({{"optimizer", {{"type", "sgd"}}}}),
             Contains(at + "optimizer.type") && Contains("sgd") && Contains("adamw"));
  CHECK_THAT(mistake({{"optimizer", {{"decay", "none"}}}}),
             Contains(at + "optimizer.decay: found \"none\"") && Contains("matrices"));
  CHECK_THAT(mistake({{"max_steps", -1}}), Contains(at + "max_steps: found -1"));
  CHECK_THAT(mistake({{"warmup", 2}}), Contains(at + "warmup: found 2"));
  CHECK(mistake({{"schedule", "trapezoid"}, {"warmup", 0.5}, {"cooldown", 0.75}}) ==
        at + "cooldown: found 0.75, expected at most what a warmup of 0.5 leaves");
  CHECK(mistake({{"warmup", 0.9}}).empty());  // a cooldown that is not used
  // Keys that would change nothing.
  CHECK(mistake({{"schedule", "linear"}, {"cooldown", 0.3}}) ==
        at + "cooldown: found with schedule \"linear\", expected it only with \"trapezoid\"");
  CHECK(mistake({{"optimizer", {{"type", "adamw"}, {"muon_lr", 0.02}}}}) ==
        at + "optimizer.muon_lr: found with type \"adamw\", expected it only with \"muon\"");
  CHECK_THAT(mistake({{"optimizer", {{"type", "muon"}, {"lr", 0}}}}),
             Contains(at + "optimizer.lr: found 0"));
  for (const json& optimizer : {json{{"type", "adam"}, {"weight_decay", 0.1}},
                                json{{"type", "adamw"}, {"weight_decay", 0}}}) {
    json cautious = optimizer;
    cautious["cautious_decay"] = true;
    CHECK_THAT(mistake({{"optimizer", cautious}}),
               Contains(at + "optimizer.cautious_decay: found true without weight decay"));
    cautious["cautious_decay"] = false;
    CHECK(mistake({{"optimizer", cautious}}).empty());
  }
  CHECK_THAT(mistake({{"average_from", -0.5}}), Contains(at + "average_from: found -0.5"));
  CHECK_THAT(mistake({{"optimiser", json::object()}}),
             Contains("optimiser") && Contains("optimizer"));
}

}  // namespace minibert
