// Comparison of runs from their stored records alone: one row an arm, one interval a pair of arms.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "compare/bootstrap.h"
#include "core/measure.h"

namespace minibert {

// Over an arm's runs (seeds); the deviation is the sample's (n - 1), NaN for one run.
struct Figure {
  double mean = 0;
  double deviation = 0;
  int64_t runs = 0;
};

struct ArmSummary {
  std::string experiment, profile, arm;  // grouped by other keys, each value that occurs
  std::string label;  // the arm's name, with experiment and profile where those differ
  std::vector<int64_t> seeds;
  std::map<std::string, Figure> figures;  // by name in the record's summary
};

// `arm` minus `baseline`, in the measures' units, by measure's name. The interval is over examples,
// not over seeds: an arm's figure is its mean over its runs.
struct ArmDifference {
  std::string arm, baseline;  // labels
  std::map<std::string, Interval> intervals;
};

struct Comparison {
  std::vector<std::string> experiments, profiles, data;  // that occur; data by id
  std::vector<ArmSummary> arms;
  std::vector<ArmDifference> differences;  // later minus earlier arm, of all with predictions
  int64_t examples = 0;                    // that the differences are over
  int64_t left_out = 0;                    // of the listed examples, how many there were
  std::vector<std::string> warnings;       // one line each, for the user
};

// A run's key is experiment, profile, arm or seed; a path in its configuration as `inspect
// --config` prints it, where the arm's own keys need no "arms[0]" (model.d_model,
// train.optimizer.lr); or one in its environment or data as `inspect` prints them
// (environment.threads, data.id).
struct KeyValue {
  std::string key, value;
};

struct CompareOptions {
  // Records that cannot be read are left out with a warning, instead of an Error.
  bool skip_damaged = false;
  // Ids of examples that no figure made from predictions counts.
  std::vector<std::string> left_out = {};
  std::vector<KeyValue> filters = {};  // runs must have all of them
  // Keys whose values make a row; none: experiment, profile, arm.
  std::vector<std::string> group_by = {};
  std::string sort = {};  // a figure, best first; empty: by when an arm's first run started
};

// More arms than this get no differences: their number grows with the square.
inline constexpr size_t kMostArmsWithDifferences = 20;

// Runs that are not finished are left out with a warning; when none is, there are no arms. Errors:
// an unreadable record, the same run twice, ids of examples that differ between runs; usage Errors:
// a key or figure that no run has.
Comparison compare_runs(const std::vector<std::string>& paths, std::span<const Measure> measures,
                        const CompareOptions& options = {});

// Records under `results`/<experiment>/<profile>/, one list for each experiment and profile, in the
// order of their names; an empty name means all. Throws a usage Error when there is none.
std::vector<std::vector<std::string>> find_runs(const std::string& results,
                                                const std::string& experiment,
                                                const std::string& profile);

enum class Format { table, json, csv, markdown };
// Throws a usage Error for another word.
Format parse_format(const std::string& word);

// Ends in a line feed. Several comparisons are several tables or one CSV; JSON is always an array.
// Figures stand in the order of the measures, those that no measure names last, by their own names;
// what no arm has a figure of is left out.
//
// JSON, of each comparison: experiments, profiles, data (lists of names), examples, left_out; arms
// [{experiment, profile, arm, label, seeds, figures {NAME: {mean, deviation, runs}}}]; differences
// [{arm, baseline, confidence, intervals {NAME: {difference, low, high, resamples}}}]; warnings.
//
// CSV: kind (arm | difference), experiment, profile, arm, baseline, runs, examples; for each figure
// NAME, NAME_deviation; where there are intervals NAME_low, NAME_high (figure_examples where NAME is
// one of the columns before).
std::string render(const std::vector<Comparison>& comparisons, std::span<const Measure> measures,
                   Format format);

}  // namespace minibert
