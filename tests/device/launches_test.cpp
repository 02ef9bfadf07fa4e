// The device work of one training step: launches, and copies to and from the host.
#include <catch2/catch.hpp>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "core/files.h"
#include "data/instances/instances.h"
#include "device/stand_in.h"
#include "experiment/config.h"
#include "support/scratch.h"
#include "task/pretrain/pretrain_task.h"
#include "task/trial.h"

namespace minibert {
namespace {

using testing::device_work;
using testing::DeviceWork;
using testing::most_frequent;
using testing::Scratch;
using testing::stand_in;
using testing::tokenizer;

// The work of each step of a training, apart from logs and evaluations.
struct StepWork : TrainObserver {
  DeviceWork before = device_work();
  std::vector<DeviceWork> steps;
  void on_step(const Progress&) override {
    const DeviceWork now = device_work();
    steps.push_back(now - before);
    before = now;
  }
};

// An arm of an experiment as it is, on a few instances of the sample text; the work of its third step, in which
// nothing is logged.
DeviceWork third_step(const std::string& experiment_name, const std::string& profile,
                      const std::string& arm_name, torch::ScalarType type) {
  const ExperimentConfig experiment =
      load_experiment("experiments/" + experiment_name + ".json", profile, {});
  for (const ArmConfig& arm : experiment.arms) {
    if (arm.name != arm_name) continue;
    nlohmann::json keys = arm.model;
    const Scratch folder;
    InstanceSettings settings;
    settings.sequence_length = 64;
    settings.limit = 32;
    create_instances({"experiments/sample/corpus.txt"}, tokenizer(), settings,
                     folder / "instances.h5", 1);
    const auto instances = std::make_shared<const InstanceFile>(folder / "instances.h5");
    keys["vocab_size"] = tokenizer().size();
    const ModelConfig config = model_config_from_json(keys, experiment_name);
    const auto model = std::make_shared<PretrainingModel>(*config.get_if<BertConfig>());
    model->initialize(1);
    model->bert().set_compute_type(type);
    model->to(stand_in());
    PretrainTask task(model, {{instances, {}, 1, 8}}, instances, {}, stand_in(), 1);
    TrainConfig training = arm.train;
    training.log_every = 1000;
    training.max_steps = 3;
    Trainer trainer(task, training, stand_in(), 1);
    StepWork work;
    trainer.run(work);
    return work.steps.at(2);
  }
  throw Error(experiment_name + " has no arm " + arm_name);
}

}  // namespace

TEST_CASE("a pretraining step stays within its budget of launches and waits for nothing") {
  // The present counts: the larger model's third layer and its dropout make the difference. Adding
  // up rows by a product counts four; LibTorch's own sum in a fixed order counts one and launches a
  // dozen.
  for (const auto& [arm, budget] :
       {std::pair("mini_bert_1m", 257), std::pair("mini_bert_10m", 282)}) {
    CAPTURE(arm);
    const DeviceWork work = third_step("kowiki_mini_bert", "full", arm, torch::kBFloat16);
    std::printf("%s: %lld launches a step, %lld copies to the device, %lld to the host\n%s\n", arm,
                static_cast<long long>(work.launches), static_cast<long long>(work.to_device),
                static_cast<long long>(work.to_host), most_frequent(work).c_str());
    CHECK(work.launches <= budget);
    CHECK(work.to_device <= 1);
    CHECK(work.to_host == 0);
  }
}

}  // namespace minibert
