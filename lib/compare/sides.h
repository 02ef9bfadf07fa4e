// The sides of a comparison: all that it takes from stored runs, read before anything is computed.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compare/comparison.h"
#include "compare/expectation.h"
#include "record/run_record.h"

namespace minibert {

// A run's predictions in the order of the examples that are compared: row i is example i.
struct AlignedRun {
  std::string path;  // for messages
  Predictions predictions;
};

struct Side {
  ArmNames names;
  std::vector<std::map<std::string, double>> summaries;  // of every run, by seed
  std::vector<AlignedRun> aligned;  // of every run; empty where predictions are not compared
};

struct Sides {
  std::vector<std::string> experiments, profiles, data;  // that occur; data by id
  std::vector<Side> all;                                 // in the order of their first runs
  size_t examples = 0, left_out = 0;  // that are compared; of the listed ones, how many there were
  Clusters clusters;                  // of the examples; none where each stands alone
  bool clusters_known = false;        // else each is taken for itself
  Resampling resampling = Resampling::clusters_and_runs;
  // Ids to leave out were listed: figures are to be made of the examples that are compared.
  bool examples_chosen = false;
  std::vector<Registered> registered;  // of every run
  std::vector<std::string> warnings;   // of what is not compared, one line each
  std::vector<std::string> unequal;    // of conditions that the runs do not share, one line each
};

// As the column of clusters says; nothing without one.
std::optional<Clusters> clusters_in(const Predictions& predictions);

// Predictions are read where there are differences to make or examples to leave out, and compared of
// sides whose runs all have them for just the same ids as the first such run; a warning tells of
// others, and of listed ids that are nowhere. Throws as compare_runs does.
Sides load_sides(const std::vector<std::string>& paths, const CompareOptions& options);

}  // namespace minibert
