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

// A record of the same model whose weights those of init_from are averaged with.
struct MeanWith {
  std::string run;     // "{seed}" in it for the run's seed; empty: none
  double share = 0.5;  // of the mean that is this record's
};

struct ArmConfig {
  std::string name;
  // Record whose weights start the arm, "{seed}" in it for the run's seed; empty: from scratch.
  std::string init_from;
  MeanWith mean;
  bool grow = false;     // whether init_from's encoder is made larger (model/grow.h)
  nlohmann::json model;  // an encoder's and a head's keys; with init_from a patch of the record's
  std::shared_ptr<const TaskSettings> settings;
  TrainConfig train;
};

}  // namespace minibert
