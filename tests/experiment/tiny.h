// An experiment small enough for a test: real questions of the sample data, models of a few
// thousand parameters.
#pragma once

#include <string>
#include <vector>

#include "support/program.h"
#include "support/scratch.h"
#include "support/shell.h"

namespace minibert::testing {

// One arm ("lstm", "bert" or "pretrain"), the sample data, a vocabulary of 1,500.
std::string tiny_experiment(const std::string& arm);

// A scratch folder with the experiment in it, and the command that runs it.
struct TinyRun {
  explicit TinyRun(const std::string& arm);
  // `results` is a folder in the scratch folder.
  std::string command(const std::string& results, const std::string& more = "") const;
  // Runs it to its end with warm_program().
  ShellResult run(const std::string& results, const std::string& more = "") const;
  std::string record(const std::string& results) const;
  std::string weights(const std::string& results) const;  // their SHA-256
  Scratch folder;
  std::string arm;
};

// For each delay (seconds): starts the run, waits for its next checkpoint, kills it with SIGKILL
// after the delay, and checks that the record opens and can resume. Returns the number of kills.
int kill_repeatedly(const TinyRun& tiny, const std::string& results,
                    const std::vector<double>& delays, const std::string& more = "");

// Checks that both records have equal final weights and metrics, bit for bit.
void check_same_run(const TinyRun& tiny, const std::string& left, const std::string& right);

}  // namespace minibert::testing
