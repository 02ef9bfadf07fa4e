// One arm of an experiment, as its file describes it.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "train/config.h"

namespace minibert {

// Keys that only a task knows, read and checked; of the experiment or of one arm.
class TaskSettings {
 public:
  virtual ~TaskSettings() = default;
};

// A record of the same model, for an average of its weights with init_from's.
struct MeanWith {
  std::string run;     // "{seed}" stands for the run's seed; empty: no average
  double share = 0.5;  // of this record in the average
};

struct ArmConfig {
  std::string name;
  // The record whose weights start the arm, with "{seed}" for the run's seed; empty: from scratch.
  std::string init_from;
  MeanWith mean;
  bool grow = false;     // makes init_from's encoder larger (model/grow.h)
  nlohmann::json model;  // keys of an encoder and a head; with init_from a patch of the record's
  std::shared_ptr<const TaskSettings> settings;
  TrainConfig train;
};

}  // namespace minibert
