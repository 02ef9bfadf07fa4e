// Comparison of runs from their stored records alone: one row an arm, one interval a pair of arms.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "compare/bootstrap.h"

namespace minibert {

// Over an arm's runs (seeds); the deviation is the sample's (n - 1), NaN for one run.
struct Figure {
  double mean = 0;
  double deviation = 0;
  int64_t runs = 0;
};

struct ArmSummary {
  std::string experiment, profile, arm;
  std::string label;  // the arm's name, with experiment and profile where those differ
  std::vector<int64_t> seeds;
  std::map<std::string, Figure> figures;  // by name in the record's summary
};

// `arm` minus `baseline`, in points of EM and F1 (0 to 100). A question's score is its mean over
// the arm's seeds; the interval is over questions, not over seeds.
struct ArmDifference {
  std::string arm, baseline;  // labels
  int64_t questions = 0;
  Interval exact_match, f1;
};

struct Comparison {
  std::vector<std::string> experiments, profiles, data;  // that occur; data by id
  std::vector<ArmSummary> arms;                          // by when their first run started
  std::vector<ArmDifference> differences;                // of every two arms with predictions
  std::vector<std::string> warnings;                     // one line each, for the user
};

// Runs that are not finished are left out with a warning; when none is, there are no arms. Errors: an
// unreadable record, the same run twice, question ids that differ between runs.
Comparison compare_runs(const std::vector<std::string>& paths);

// Records under `results`/<experiment>/<profile>/, one list for each experiment and profile, in the
// order of their names; an empty name means all. Throws a usage Error when there is none.
std::vector<std::vector<std::string>> find_runs(const std::string& results,
                                                const std::string& experiment,
                                                const std::string& profile);

enum class Format { table, json, csv, markdown };
// Throws a usage Error for another word.
Format parse_format(const std::string& word);

// Ends in a line feed. Several comparisons are several tables or one CSV; JSON is always an array.
std::string render(const Comparison& comparison, Format format);
std::string render(const std::vector<Comparison>& comparisons, Format format);

}  // namespace minibert
