// Several runs of an experiment at once, each in a process of its own.
#pragma once

#include <string>
#include <vector>

#include "experiment/runner.h"

namespace minibert {

struct Job {
  std::string name;                // for messages: "lstm seed 1"
  std::vector<std::string> words;  // this program's arguments
  std::string record;              // that it writes
};

// Runs all of them, at most `at_once` at a time, in the given order. Lines that they write to stderr
// are passed on with the job's name before them; their stdout is dropped. A job that ends with
// another status than 0 is a failure, told by its last line. SIGINT, SIGTERM and SIGHUP are handed on: the
// jobs save and stop, no further one begins. Throws Error when no process can be started.
RunOutcome run_jobs(const std::vector<Job>& jobs, int at_once);

}  // namespace minibert
