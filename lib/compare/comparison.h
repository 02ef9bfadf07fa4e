// A comparison of runs as plain data: the options and the result.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "compare/jackknife.h"

namespace minibert {

// Returns the cluster of every example of a data set, for records that do not hold it; empty if
// unknown. An Error becomes a warning: every example then counts for itself.
using ClustersOfData =
    std::function<std::unordered_map<std::string, std::string>(const std::string& data_id)>;

// True if others can get the data set of this id.
using IsPublic = std::function<bool(const std::string& data_id)>;

// Two arms, by name, that an experiment compares.
struct Question {
  std::string arm, baseline;
};

// Returns the questions of an experiment by its name; none if it is unknown.
using QuestionsOf = std::function<std::vector<Question>(const std::string& experiment)>;

struct CompareOptions {
  // Leaves out unreadable records with a warning instead of throwing.
  bool skip_damaged = false;
  // Ids of examples that figures from predictions ignore.
  std::vector<std::string> left_out = {};
  // Keys whose values make a row; none: experiment, profile, arm. A key is experiment, profile,
  // arm, seed, folder (of its experiment) or file (its name without ".h5"); a path in its
  // configuration as `inspect --config` prints it, where the arm's own keys need no "arms[0]"
  // (model.d_model, train.optimizer.lr); or one in its environment or data as `inspect` prints them
  // (environment.threads, data.id). A row by folder or file has one; equal names show whole paths.
  std::vector<std::string> group_by = {};
  std::string sort = {};  // a figure, best first; empty: by the start of an arm's first run
  // "ARM-BASELINE" by their labels: only these differences, in this order; none: every two arms.
  std::vector<std::string> pairs = {};
  ClustersOfData clusters_of_data = {};  // none: only what records hold counts
  QuestionsOf questions_of = {};         // none: every two arms are compared
  // If set, warnings name the arms that others cannot train again, as their data set is not public,
  // and the arms whose start must be trained first, as it is not here or keeps no weights.
  IsPublic is_public = {};
};

// Over an arm's runs (seeds); the deviation is the sample's (n - 1), NaN for one run.
struct Figure {
  double mean = 0;
  double deviation = 0;
  int64_t runs = 0;
};

// Names a row: an arm, or runs with other equal keys.
struct ArmNames {
  std::string experiment, profile, arm;  // if grouped by other keys, each value that occurs
  std::string label;  // the arm's name, with experiment and profile where they differ
  std::vector<int64_t> seeds;
};

struct ArmSummary : ArmNames {
  std::map<std::string, Figure> figures;  // by name in the record's summary
  // Learns nothing, because it has no parameters: every seed would give the same figures.
  bool is_floor = false;
  // By measure, for its own figures if predictions are compared: over clusters, and several runs.
  std::map<std::string, Interval> intervals = {};
};

// `arm` minus `baseline`, in the measures' units, by measure's name; figures are means over runs.
struct ArmDifference {
  std::string arm, baseline;  // labels
  std::map<std::string, Interval> intervals;
  // Both arms have several runs or are baselines. If not, the effect of another seed is unknown:
  // intervals are over clusters alone, and p, p_exchanged, higher and detectable are NaN.
  bool runs_measured = true;
  bool is_asked = true;  // one of the family for which p_holm corrects
  // By measure: the interval's p with Holm's correction for as many pairs as the experiment asks
  // about; NaN without a p, or if the pair is not asked about.
  std::map<std::string, double> p_holm = {};
};

struct Comparison {
  std::vector<std::string> experiments, profiles, data;  // all that occur; data by id
  std::string folder;  // of runs that were found, not named: "quick-2-core"; else ""
  std::vector<ArmSummary> arms;
  std::vector<ArmDifference> differences;  // later minus earlier arm, for all with predictions
  int64_t examples = 0;                    // in the differences
  int64_t clusters = 0;                    // 0: every example is one
  bool clusters_known = false;             // false: every example counts for itself
  // Pairs for which p values are corrected: the experiment's questions, or all pairs of arms.
  int64_t asked = 0;
  bool has_questions = false;         // the experiment's file has questions
  int64_t left_out = 0;               // how many of the listed examples there were
  std::vector<std::string> warnings;  // one line each, for the user
};

// More arms than this get no differences: these grow with the square.
inline constexpr size_t kMostArmsWithDifferences = 20;

inline bool have_differences(size_t arms) { return arms > 1 && arms <= kMostArmsWithDifferences; }

}  // namespace minibert
