// The sides of a comparison: all its input from stored runs, read before anything is computed.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compare/comparison.h"
#include "record/run_record.h"

namespace minibert {

// A run's predictions in the order of the compared examples: row i is example i.
struct AlignedRun {
  std::string path;  // for messages
  Predictions predictions;
};

struct Side {
  ArmNames names;
  std::vector<std::string> paths;                        // by run, by seed; for messages
  std::vector<std::map<std::string, double>> summaries;  // by run, by seed
  std::vector<AlignedRun> aligned;  // by run; empty if predictions are not compared
};

struct Sides {
  std::vector<std::string> experiments, profiles, data;  // all that occur; data by id
  std::vector<Side> all;                                 // in the order of first runs
  size_t examples = 0, left_out = 0;  // compared examples; how many of the listed ones there were
  Clusters clusters;                  // of the examples; none if each stands alone
  bool clusters_known = false;        // false: every example counts for itself
  // Ids to leave out were listed: figures come from the compared examples.
  bool examples_chosen = false;
  std::vector<std::string> warnings;  // about what is not compared or not to be had, one line each
  std::vector<std::string> unequal;   // conditions that the runs do not share, one line each
};

// Returns the clusters in the column of clusters, or nothing.
std::optional<Clusters> clusters_in(const Predictions& predictions);

// Indices of two arms.
struct ArmPair {
  size_t arm, baseline;
};

// Returns the differences to make: `options.pairs`; without pairs, the later minus the earlier of
// every two arms; with more than kMostArmsWithDifferences, only those from the arm `baseline`.
// Throws a usage Error with the labels if a pair does not name two arms.
std::vector<ArmPair> pairs_of(const std::vector<ArmNames>& arms, const CompareOptions& options,
                              const std::string& baseline);

// Reads predictions if there are differences to make or examples to leave out; with too many arms,
// only those in the differences. Compares only sides whose runs share one set of examples: the set
// that most sides have; on a tie, the first side's. Examples are the same if ids and right answers
// are equal, and the texts or, if neither run stores texts, the test files. Warns of other sides,
// and of listed ids that do not exist. `baseline` as in pairs_of. Throws like compare_runs.
Sides load_sides(const std::vector<std::string>& paths, const CompareOptions& options,
                 const std::string& baseline = "");

}  // namespace minibert
