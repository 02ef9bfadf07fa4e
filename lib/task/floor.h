// Floors: arms that learn nothing and give every example the most frequent training answer.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "core/config_reader.h"
#include "train/trainer.h"

namespace minibert {

inline constexpr const char* kMajority = "majority";  // an arm's model.kind; persisted

// Returns true if this arm's "model" is the floor `kind`. Throws a usage Error for other keys.
bool is_floor(std::string_view kind, const nlohmann::json& model, const std::string& file);

// A task without steps or parameters.
class UntrainedTask : public Task {
 public:
  torch::nn::Module& module() override { return module_; }
  int64_t epochs() const override { return 0; }
  int64_t batch_count(int64_t) override { return 0; }
  void begin_epoch(int64_t) override {}
  Batch make_batch(int64_t, Part) override { return {}; }
  StepOutput step(const Batch&, uint64_t) override { return {}; }
  Metrics evaluate_dev(Workers*) override { return {}; }

 private:
  torch::nn::Module module_;
};

}  // namespace minibert
