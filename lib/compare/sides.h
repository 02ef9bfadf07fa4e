// The sides of a comparison: all that it takes from stored runs, read before anything is computed.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compare/comparison.h"
#include "record/run_record.h"

namespace minibert {

// A run's predictions in the order of the examples that are compared: row i is example i.
struct AlignedRun {
  std::string path;  // for messages
  Predictions predictions;
};

struct Side {
  ArmNames names;
  std::vector<std::string> paths;                        // of every run, by seed; for messages
  std::vector<std::map<std::string, double>> summaries;  // of every run, by seed
  std::vector<AlignedRun> aligned;  // of every run; empty where predictions are not compared
};

struct Sides {
  std::vector<std::string> experiments, profiles, data;  // that occur; data by id
  std::vector<Side> all;                                 // in the order of their first runs
  size_t examples = 0, left_out = 0;  // that are compared; of the listed ones, how many there were
  Clusters clusters;                  // of the examples; none where each stands alone
  bool clusters_known = false;        // else each is taken for itself
  // Ids to leave out were listed: figures are to be made of the examples that are compared.
  bool examples_chosen = false;
  std::vector<std::string> warnings;  // of what is not compared, one line each
  std::vector<std::string> unequal;   // of conditions that the runs do not share, one line each
};

// As the column of clusters says; nothing without one.
std::optional<Clusters> clusters_in(const Predictions& predictions);

// By their places among the arms.
struct ArmPair {
  size_t arm, baseline;
};

// The differences to make: those of `options.pairs`; without these the later of every two arms and the earlier; of
// more than kMostArmsWithDifferences those from `baseline` alone, an arm's name. Throws a usage Error with the labels
// unless a pair is of two of them.
std::vector<ArmPair> pairs_of(const std::vector<ArmNames>& arms, const CompareOptions& options,
                              const std::string& baseline);

// Predictions are read where there are differences to make or examples to leave out, of too many arms those of the
// differences alone. Only sides whose runs share one set of examples are compared: the set that most sides have; on a
// tie, the first side's. Examples are the same by their ids, right answers and, where both are stored, texts; where
// texts are not, of the same test files. A warning tells of other sides, and of listed ids that are nowhere. `baseline`
// as for pairs_of. Throws as compare_runs does.
Sides load_sides(const std::vector<std::string>& paths, const CompareOptions& options,
                 const std::string& baseline = "");

}  // namespace minibert
