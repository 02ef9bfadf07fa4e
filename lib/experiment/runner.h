// Runs an experiment: every arm with every seed, one record each, resumed where it stopped.
#pragma once

#include <string>
#include <vector>

#include "experiment/config.h"
#include "experiment/run_options.h"

namespace minibert {

struct PlannedRun {
  const ExperimentConfig* experiment;  // the given one, or the arm's overridden one
  const ArmConfig* arm;                // in that experiment
  int64_t seed;
  std::string record;  // its path
};

// Returns the runs for the options in order of execution. Throws a usage Error for unknown arms.
std::vector<PlannedRun> planned_runs(const ExperimentConfig& experiment, const RunOptions& options);

// Returns a record's path if a shipped record of another configuration has its usual place.
std::string own_record(const std::string& results, const ExperimentConfig& experiment,
                       const std::string& arm, int64_t seed);

// Returns true if the record at `path` came with the sources: git tracks it; without git, as in a
// downloaded archive (this program's `commit` is empty), the record names a commit, which no record
// made there does.
bool is_shipped(const RunRecord& record, const std::string& path, const std::string& commit);

struct RunOutcome {
  std::vector<std::string> records;   // of all requested arms and seeds, finished or not
  std::vector<std::string> failures;  // one line each
  bool interrupted = false;
};

// Runs the experiment. Keeps finished runs of the same configuration. Unfinished runs resume from
// their checkpoint and end with the same weights, bit for bit, as without a stop (on the same
// machine, with the same precision and threads). A failed run keeps its record, with the error; the
// others go on. A record of another configuration is renamed to <path>.<its start>.old; a shipped
// one stays, and the run goes to own_record().
//
// With several processes (RunOptions::workers) the first one prepares the data before the others
// and writes all files; a failed run ends them all.
//
// Throws Error for problems of all runs: the experiment's own data and tokenizer, its
// configuration, the device; a run held by another program; processes with other configurations,
// data or programs.
RunOutcome run_experiment(const ExperimentConfig& experiment, const RunOptions& options,
                          RunListener& listener);

}  // namespace minibert
