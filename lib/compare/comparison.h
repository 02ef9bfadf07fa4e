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

// Returns the cluster of every example of a data set, by id, for records that do not hold it; empty
// if unknown. An Error becomes a warning: every example then counts for itself.
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
  // True: runs were found in folders, not named; unreadable ones are left out with a warning.
  bool runs_were_found = false;
  // Ids of examples that figures from predictions ignore.
  std::vector<std::string> left_out = {};
  // Runs with equal values of these keys make a row; none: experiment, profile, arm. A key is
  // experiment, profile, arm, seed, folder or file (without ".h5"); a path in the configuration as
  // `inspect --config` prints it, without "arms[0]" (model.d_model, train.optimizer.lr); or one in
  // environment or data as `inspect` prints them (environment.threads, data.id). Folders or files
  // of one name make several rows, which show whole paths.
  std::vector<std::string> group_by = {};
  std::string sort = {};  // a figure, best first; empty: by the start of an arm's first run
  // "ARM-BASELINE" by their labels: only these differences, in this order; none: every two arms.
  std::vector<std::string> pairs = {};
  ClustersOfData clusters_of_data = {};  // none: only what records hold counts
  QuestionsOf questions_of = {};         // none: every two arms are compared
  // If set, warnings name arms that others cannot train again, because their data is not public,
  // and arms whose start must be trained first, because it is not here or keeps no weights.
  IsPublic is_public = {};
};

// An arm's figure over its runs (seeds). The deviation is the sample's (n - 1), NaN for one run.
struct Figure {
  double mean = 0;
  double deviation = 0;
  int64_t runs = 0;
};

// Names a row: an arm, or runs with other equal keys.
struct ArmNames {
  std::string experiment, profile, arm;  // if grouped by other keys: all values, "lstm, bert_1m"
  std::string label;  // the arm's name, with experiment and profile where they differ
  std::vector<int64_t> seeds;
};

struct ArmSummary : ArmNames {
  std::map<std::string, Figure> figures;  // by name in the record's summary
  // A floor has no parameters and learns nothing: every seed would give the same figures.
  bool is_floor = false;
  // Intervals of its own figures, by measure, over clusters and runs; none without predictions.
  std::map<std::string, Interval> intervals = {};
};

// Figures of `arm` (means over runs) minus those of `baseline`, another arm; by measure's name.
struct ArmDifference {
  std::string arm, baseline;  // labels
  std::map<std::string, Interval> intervals;
  // Each arm has several runs or is a floor. If not, the effect of another seed is unknown:
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
  int64_t left_out = 0;               // examples of CompareOptions::left_out that exist
  std::vector<std::string> warnings;  // one line each, for the user
};

// More arms than this get no differences, because the pairs of arms would be too many.
inline constexpr size_t kMostArmsWithDifferences = 20;

inline bool have_differences(size_t arms) { return arms > 1 && arms <= kMostArmsWithDifferences; }

}  // namespace minibert
