// The examples that runs are compared by, and figures made from their predictions.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "compare/runs.h"
#include "compare/statistic.h"

namespace minibert {

// In the order of the first run's predictions.
class Examples {
 public:
  // All of the run's examples but those listed; the run must outlive the object. Throws Error when
  // an id occurs twice or none is left.
  Examples(const StoredRun& first, const std::vector<std::string>& left_out);

  // Nothing, and `why`, unless the run has predictions for just the same ids. Throws Error when an id
  // occurs twice.
  std::optional<AlignedRun> align(const StoredRun& run, std::string* why) const;
  size_t size() const { return rows_.size(); }
  size_t left_out() const { return first_ids_.size() - rows_.size(); }

 private:
  static constexpr size_t kLeftOut = static_cast<size_t>(-1);
  std::string first_path_;
  const std::vector<std::string>& first_ids_;
  std::vector<size_t> rows_;                            // of the first run, by example
  std::unordered_map<std::string, size_t> example_of_;  // by id; kLeftOut
};

// Aligns the runs of every group whose runs all have predictions, and counts the examples in the
// comparison; warns of a group where only some runs have any or that has other examples than the first
// (another tokenizer makes other instances of the same text), and of listed ids that are nowhere.
void align_groups(std::vector<RunGroup>& groups, const std::vector<std::string>& left_out,
                  Comparison& comparison);

// Makes figures of measures that come from predictions again, of the aligned examples alone; one
// that cannot be made again is dropped, with a warning.
void remake_figures(std::vector<RunGroup>& groups, std::span<const Measure> measures,
                    std::vector<std::string>& warnings);

// Of every two aligned groups in every measure that both have a figure of and columns for.
std::vector<ArmDifference> differences_of(const std::vector<RunGroup>& groups, size_t examples,
                                          std::span<const Measure> measures);

// Over runs.
Figure figure_of(const std::vector<double>& values);

}  // namespace minibert
