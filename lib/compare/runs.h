// Stored runs on their way to a comparison: read, chosen, grouped into arms.
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
  RunRecord record;    // Load::summary, and predictions once they are read
  bool found = false;  // lay in a folder, where others of its arm and seed may lie; was not named
};

// The runs of one side.
struct RunGroup {
  ArmNames names;
  std::vector<StoredRun*> runs;  // by seed
};

inline void add_once(std::vector<std::string>& list, const std::string& item) {
  if (std::find(list.begin(), list.end(), item) == list.end()) list.push_back(item);
}

// What a metric was at a step; nothing where it was not measured there.
std::optional<double> value_at(const MetricSeries& series, int64_t step);

// Takes out copies, with a warning for each: runs of one arm and seed in one folder that started at the same time and
// have the same figures. The one with the shortest path stays.
void leave_out_copies(std::vector<StoredRun>& runs, std::vector<std::string>& warnings);

// Finds runs of one arm and seed in one folder: lists of at least two, finished ones first, by when they started.
std::vector<std::vector<const StoredRun*>> of_one_seed(const std::vector<StoredRun>& runs);

// Tells of such a list that the others are runs of the first one's arm and seed, too: a line without its end.
std::string other_runs(const std::vector<const StoredRun*>& same);

// The runs that are finished, by when they started, with a warning for each other. Throws Error for
// a record that cannot be read. With `skip_damaged`, for runs that were found in a folder, it warns of such a one,
// of copies, which are left out, and of other runs of one arm and seed.
std::vector<StoredRun> load_finished(const std::vector<std::string>& paths, bool skip_damaged,
                                     std::vector<std::string>& warnings);

// In the order of their first runs. Of runs that were found and are of one arm and seed, a row has the first alone,
// and `runs` keeps no other. Throws Error where such runs were named, a usage Error for a key that no run has.
std::vector<RunGroup> grouped(std::vector<StoredRun>& runs, const std::vector<std::string>& keys);

}  // namespace minibert
