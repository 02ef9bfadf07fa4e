// Runs of an experiment in parallel, each in a process of its own.
#pragma once

#include <string>
#include <vector>

#include "experiment/runner.h"

namespace minibert {

struct Job {
  std::string name;                // for messages: "lstm seed 1"
  std::vector<std::string> words;  // this program's arguments
  std::string record;              // the one that it writes
};

// Runs all jobs, at most `at_once` at a time, in the given order. Their lines on stderr are passed
// on with the job's name; their stdout is dropped. A job that ends with another status than 0 is a
// failure, reported by its last line. SIGINT, SIGTERM and SIGHUP are passed on: the jobs save and
// stop, and no further one begins. Throws Error if no process can be started.
RunOutcome run_jobs(const std::vector<Job>& jobs, int at_once);

}  // namespace minibert
