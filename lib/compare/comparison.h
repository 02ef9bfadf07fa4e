// A comparison of runs as plain data: what is asked, and the answer.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "compare/bootstrap.h"
#include "compare/expectation.h"

namespace minibert {

// A run's key is experiment, profile, arm, seed, folder (its experiment's) or file (its name without ".h5"); a path in
// its configuration as `inspect --config` prints it, where the arm's own keys need no "arms[0]" (model.d_model,
// train.optimizer.lr); or one in its environment or data as `inspect` prints them (environment.threads, data.id).
// Rows by folder or file are of one folder or file each; those of one name are shown with their whole paths.
struct KeyValue {
  std::string key, value;
};

// The cluster of every example of a data set by its id, for records that do not say it themselves; empty where
// nothing is known of the data set. An Error becomes a warning: then every example counts for itself.
using ClustersOfData =
    std::function<std::unordered_map<std::string, std::string>(const std::string& data_id)>;

struct CompareOptions {
  // Records that cannot be read are left out with a warning, instead of an Error.
  bool skip_damaged = false;
  // Ids of examples that no figure made from predictions counts.
  std::vector<std::string> left_out = {};
  std::vector<KeyValue> filters = {};  // a run must have one of the values of every key
  // Keys whose values make a row; none: experiment, profile, arm.
  std::vector<std::string> group_by = {};
  std::string sort = {};  // a figure, best first; empty: by when an arm's first run started
  // "ARM-BASELINE" by their labels: these differences alone, in this order; none: of every two arms.
  std::vector<std::string> pairs = {};
  Resampling resampling = Resampling::clusters_and_runs;
  ClustersOfData clusters_of_data = {};  // none: only what records say counts
};

// Over an arm's runs (seeds); the deviation is the sample's (n - 1), NaN for one run.
struct Figure {
  double mean = 0;
  double deviation = 0;
  int64_t runs = 0;
};

// Who stands in a row: an arm, or the runs that share other keys.
struct ArmNames {
  std::string experiment, profile, arm;  // grouped by other keys, each value that occurs
  std::string label;  // the arm's name, with experiment and profile where those differ
  std::vector<int64_t> seeds;
};

struct ArmSummary : ArmNames {
  std::map<std::string, Figure> figures;  // by name in the record's summary
};

// `arm` minus `baseline`, in the measures' units, by measure's name; an arm's figure is its mean over its
// runs.
struct ArmDifference {
  std::string arm, baseline;  // labels
  std::map<std::string, Interval> intervals;
  // Holm's p of the interval's own, by measure: corrected for all differences of that measure here.
  std::map<std::string, double> p_holm = {};
};

struct Comparison {
  std::vector<std::string> experiments, profiles, data;  // that occur; data by id
  std::vector<ArmSummary> arms;
  std::vector<ArmDifference> differences;  // later minus earlier arm, of all with predictions
  int64_t examples = 0;                    // that the differences are over
  int64_t clusters = 0;                    // that resamples draw; 0: every example is one
  bool clusters_known = false;             // else every example is taken for itself
  Resampling resampling = Resampling::clusters_and_runs;
  int64_t left_out = 0;  // of the listed examples, how many there were
  // What was expected before the runs, judged; none: all that the differences show is exploratory.
  std::vector<Judged> expected;
  std::vector<std::string> warnings;  // one line each, for the user
};

// More arms than this get no differences: their number grows with the square.
inline constexpr size_t kMostArmsWithDifferences = 20;

inline bool have_differences(size_t arms) { return arms > 1 && arms <= kMostArmsWithDifferences; }

}  // namespace minibert
