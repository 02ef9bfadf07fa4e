// A comparison of runs as plain data: what is asked, and the answer.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "compare/jackknife.h"

namespace minibert {

// The cluster of every example of a data set by its id, for records that do not say it themselves; empty where
// nothing is known of the data set. An Error becomes a warning: then every example counts for itself.
using ClustersOfData =
    std::function<std::unordered_map<std::string, std::string>(const std::string& data_id)>;

// Two arms, by their names, that an experiment asks about.
struct Question {
  std::string arm, baseline;
};

// The questions of an experiment by its name; none where nothing is known of the experiment.
using QuestionsOf = std::function<std::vector<Question>(const std::string& experiment)>;

struct CompareOptions {
  // Records that cannot be read are left out with a warning, instead of an Error.
  bool skip_damaged = false;
  // Ids of examples that no figure made from predictions counts.
  std::vector<std::string> left_out = {};
  // Keys whose values make a row; none: experiment, profile, arm. A key is experiment, profile, arm, seed, folder (its
  // experiment's) or file (its name without ".h5"); a path in its configuration as `inspect --config` prints it, where
  // the arm's own keys need no "arms[0]" (model.d_model, train.optimizer.lr); or one in its environment or data as
  // `inspect` prints them (environment.threads, data.id). Rows by folder or file are of one folder or file each; those
  // of one name are shown with their whole paths.
  std::vector<std::string> group_by = {};
  std::string sort = {};  // a figure, best first; empty: by when an arm's first run started
  // "ARM-BASELINE" by their labels: these differences alone, in this order; none: of every two arms.
  std::vector<std::string> pairs = {};
  ClustersOfData clusters_of_data = {};  // none: only what records say counts
  QuestionsOf questions_of = {};         // none: every two arms are asked about
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
  // Learns nothing, as it has no parameters: every seed would give the same figures.
  bool is_floor = false;
  // Of its own figures, by measure, where predictions are compared: over clusters, and over runs where it has several.
  std::map<std::string, Interval> intervals = {};
};

// `arm` minus `baseline`, in the measures' units, by measure's name; an arm's figure is its mean over its
// runs.
struct ArmDifference {
  std::string arm, baseline;  // labels
  std::map<std::string, Interval> intervals;
  // Both arms have several runs or are floors. Else what another seed would give is not known: the intervals are over
  // clusters alone, and p, p_exchanged, higher and detectable are NaN.
  bool runs_measured = true;
  bool is_asked = true;  // one of the family that p_holm is corrected for
  // By measure: Holm's p of the interval's own, corrected for as many pairs as the experiment asks about; NaN where
  // there is no p, or the pair is not asked about.
  std::map<std::string, double> p_holm = {};
};

struct Comparison {
  std::vector<std::string> experiments, profiles, data;  // that occur; data by id
  std::vector<ArmSummary> arms;
  std::vector<ArmDifference> differences;  // later minus earlier arm, of all with predictions
  int64_t examples = 0;                    // that the differences are over
  int64_t clusters = 0;                    // 0: every example is one
  bool clusters_known = false;             // else every example is taken for itself
  // The pairs that p values are corrected for: of the experiment's questions, or of all its arms.
  int64_t asked = 0;
  bool has_questions = false;         // the experiment's file asks some
  int64_t left_out = 0;               // of the listed examples, how many there were
  std::vector<std::string> warnings;  // one line each, for the user
};

// More arms than this get no differences: their number grows with the square.
inline constexpr size_t kMostArmsWithDifferences = 20;

inline bool have_differences(size_t arms) { return arms > 1 && arms <= kMostArmsWithDifferences; }

}  // namespace minibert
