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
  RunRecord record;    // Load::summary, with predictions once they are read
  bool found = false;  // found in a folder, where others of its arm and seed may be; not named
};

// The runs of one side.
struct RunGroup {
  ArmNames names;
  std::vector<StoredRun*> runs;  // by seed
};

inline void add_once(std::vector<std::string>& list, const std::string& item) {
  if (std::find(list.begin(), list.end(), item) == list.end()) list.push_back(item);
}

// Returns a metric's value at a step, or nothing.
std::optional<double> value_at(const MetricSeries& series, int64_t step);

// Removes copies, with a warning for each: runs of one arm and seed in one folder with equal start
// times and figures. The one with the shortest path stays.
void leave_out_copies(std::vector<StoredRun>& runs, std::vector<std::string>& warnings);

// Returns one arm's and seed's runs in one folder: lists of two or more, finished first, by start.
std::vector<std::vector<const StoredRun*>> of_one_seed(const std::vector<StoredRun>& runs);

// Returns a line, without its end, that the list's others have the first one's arm and seed.
std::string other_runs(const std::vector<const StoredRun*>& same);

// Returns the finished runs by start time, with a warning for each other run. Throws Error for an
// unreadable record. With `skip_damaged`, for runs found in a folder, warns instead; it also warns
// of copies, which are left out, and of other runs of one arm and seed.
std::vector<StoredRun> load_finished(const std::vector<std::string>& paths, bool skip_damaged,
                                     std::vector<std::string>& warnings);

// Returns the groups in the order of their first runs. Of found runs with one arm and seed a row
// has only the first, and `runs` keeps no other. Throws Error if such runs were named, and a usage
// Error for a key that no run has.
std::vector<RunGroup> grouped(std::vector<StoredRun>& runs, const std::vector<std::string>& keys);

}  // namespace minibert
