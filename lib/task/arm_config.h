// One arm of an experiment as its file describes it.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "train/config.h"

namespace minibert {

// Keys that a task alone knows, read and checked; of the experiment or of one arm.
class TaskSettings {
 public:
  virtual ~TaskSettings() = default;
};

struct ArmConfig {
  std::string name;
  std::string init_from;  // record whose weights start the arm; empty: from scratch
  nlohmann::json model;   // an encoder's and a head's keys; with init_from a patch of the record's
  std::shared_ptr<const TaskSettings> settings;
  TrainConfig train;
};

}  // namespace minibert
