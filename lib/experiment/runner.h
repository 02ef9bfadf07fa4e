// Runs an experiment: every arm with every seed, each kept as one record, resumed where it stopped.
#pragma once

#include <string>
#include <vector>

#include "experiment/config.h"
#include "experiment/run_options.h"

namespace minibert {

struct PlannedRun {
  const ExperimentConfig* experiment;  // the given one, or what the arm overrides of it
  const ArmConfig* arm;                // of that experiment
  int64_t seed;
  std::string record;  // its path
};

// The runs that the options ask for, in the order in which they are run. Throws a usage Error
// naming an arm that is not there.
std::vector<PlannedRun> planned_runs(const ExperimentConfig& experiment, const RunOptions& options);

// Where a run is kept whose place in `results` a shipped record of another configuration has.
std::string own_record(const std::string& results, const ExperimentConfig& experiment,
                       const std::string& arm, int64_t seed);

// Whether the record at `path` came with the sources. Git knows it; where there is no git, as in a downloaded archive
// (this program's `commit` is empty), it names a commit, which no record does that is made there.
bool is_shipped(const RunRecord& record, const std::string& path, const std::string& commit);

struct RunOutcome {
  std::vector<std::string> records;   // of all arms and seeds asked for, finished or not
  std::vector<std::string> failures;  // one line each
  bool interrupted = false;
};

// Runs the experiment. Finished runs of the same configuration are kept as they are; unfinished ones go on
// from their checkpoint and end with the same weights, bit for bit, as if never stopped (same machine,
// precision and threads). A run that fails keeps its record, with the error; the others go on.
// A record of another configuration is renamed to <path>.<its start>.old; a shipped one stays, and the
// run is kept as own_record().
// With several processes (RunOptions::workers) the first one prepares the data before the others do, and
// writes; a failure of a run ends them all.
// Throws Error for what concerns all runs: the experiment's own data and tokenizer, configuration,
// device; a run held by another program; processes with other configurations, data or programs.
RunOutcome run_experiment(const ExperimentConfig& experiment, const RunOptions& options,
                          RunListener& listener);

}  // namespace minibert
