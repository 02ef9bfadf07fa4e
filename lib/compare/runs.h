// Reads, chooses and groups stored runs for a comparison.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "compare/comparison.h"
#include "record/run_record.h"

namespace minibert {

struct StoredRun {
  std::string path;
  RunRecord record;  // Load::summary, and predictions once they are read
};

// The runs of one row.
struct RunGroup {
  ArmNames names;
  std::vector<StoredRun*> runs;  // by seed
};

inline void add_once(std::vector<std::string>& list, const std::string& item) {
  if (std::find(list.begin(), list.end(), item) == list.end()) list.push_back(item);
}

// Returns a metric's value at a step, or nothing.
std::optional<double> value_at(const MetricSeries& series, int64_t step);

// Returns the finished runs by start time, with a warning for each other run. Throws Error for an
// unreadable record; with `skip_damaged`, warns instead.
std::vector<StoredRun> load_finished(const std::vector<std::string>& paths, bool skip_damaged,
                                     std::vector<std::string>& warnings);

// Groups runs into rows by CompareOptions::group_by, in the order of first runs. Throws Error if a
// row has two runs of one arm and seed, and a usage Error for a key that no run has.
std::vector<RunGroup> grouped(std::vector<StoredRun>& runs, const std::vector<std::string>& keys);

}  // namespace minibert
