// One arm of an experiment made ready to train: its task, and what is measured at the end.
#pragma once

#include <torch/torch.h>

#include <functional>
#include <memory>
#include <string>

#include "data/instance_file.h"
#include "experiment/config.h"
#include "record/run_record.h"
#include "train/trainer.h"

namespace minibert {

// Where a run computes.
struct Compute {
  torch::Device device{torch::kCPU};
  torch::ScalarType type = torch::kFloat32;  // of matrix products
  int threads = 1;
};

class ArmWork {
 public:
  virtual ~ArmWork() = default;
  virtual Task& task() = 0;
  // The model as built, with its vocabulary: what the record's config stores under "model".
  virtual nlohmann::json model_config() const = 0;
  // Evaluates the module as it is now on the reported split: summary, test metrics, predictions.
  virtual void evaluate(RunRecord* record) = 0;
};

struct QaSplits {
  std::shared_ptr<const QaSplit> train, dev, test;
};

std::unique_ptr<ArmWork> make_qa_arm(const ArmConfig& arm, const Tokenizer& tokenizer,
                                     const QaSplits& splits, const Compute& compute, int64_t seed);

// `instances` gives the training file for a sequence length; dev is at the experiment's own length.
std::unique_ptr<ArmWork> make_pretrain_arm(
    const ArmConfig& arm, const ExperimentConfig& experiment, const Tokenizer& tokenizer,
    const std::function<std::shared_ptr<const InstanceFile>(int64_t n_seq)>& instances,
    std::shared_ptr<const InstanceFile> dev, const Compute& compute, int64_t seed);

// A record's weights as tensors and back; names stay.
std::vector<NamedTensor> to_record(const NamedTensors& tensors);
NamedTensors from_record(const std::vector<NamedTensor>& tensors);
NamedTensors weights_of(torch::nn::Module& module);

// Copies tensors of `weights` into the module's parameters of the same name that start with
// `prefix`. Throws Error naming `file` when one is missing or has another shape.
void load_weights(torch::nn::Module& module, const std::vector<NamedTensor>& weights,
                  const std::string& prefix, const std::string& file);

}  // namespace minibert
