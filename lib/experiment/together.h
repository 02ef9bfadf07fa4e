// One run made by several processes: what they must have in common, and what those beside the first do.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "experiment/run_options.h"

namespace minibert {

// The first place where two configurations differ, as "path: a, was b", or with other words for "was ";
// empty: nowhere.
std::string first_difference(const nlohmann::json& now, const nlohmann::json& before,
                             const std::string& was = "was ");

// Throws a usage Error in every process where `own` of one of them is not the first one's, naming it
// and the first difference.
void check_alike(Workers& workers, const nlohmann::json& own);

// Of the file that this process runs.
std::string program_sha256();

// RunOptions::device; of several processes each has the GPU of its own number on its machine.
std::string device_of(const RunOptions& options);

// The observer of the processes beside the first, which records nothing and stops when it is told to.
class Follower : public TrainObserver {
 public:
  Follower(RunListener* listener, const std::string& run) : listener_(listener), run_(run) {}
  void on_step(const Progress& progress) override { listener_->progress(run_, progress); }
  bool wants_stop() override { return listener_->stop_requested(); }

 private:
  RunListener* listener_;
  std::string run_;
};

}  // namespace minibert
