// Compares a stored run with the same run made again.
#pragma once

#include <string>
#include <vector>

#include "core/measure.h"
#include "record/run_record.h"

namespace minibert {

enum class Likeness {
  equal,      // all bits, or all bytes of texts
  near,       // numbers within the tolerance
  different,  // beyond the tolerance, or missing
};

struct PartComparison {
  std::string part;  // "inputs", "metric dev/f1", "figure f1", "predictions f1", "weights"
  Likeness likeness = Likeness::equal;
  std::string detail;  // one line if not equal: the first different step and the difference
};

struct Reproduction {
  std::vector<PartComparison> parts;  // in the order of the work
  // True if inputs are equal and no figure, metric or prediction is different. Weights may differ:
  // near numbers come from weights that differ in their last bits.
  bool reproduced = true;
};

// Lists the differences between two environments that decide about numbers, one line each with the
// effect: "BLAS kernel: stored Haswell, here Cooperlake: sums are rounded otherwise; …". A program
// with local changes gets a line, too.
std::vector<std::string> environment_differences(const nlohmann::json& stored,
                                                 const nlohmann::json& here);

// Numbers are near if |a - b| <= tolerance * max(|a|, |b|). Ignores figures of time
// (tokens_per_second, …).
Reproduction compare_reproduction(const RunRecord& stored, const RunRecord& made, double tolerance);
// Compares one figure of the summary, for runs that time limits: reproduced if inputs are equal and
// the figure is near the stored one or better.
Reproduction compare_figure(const RunRecord& stored, const RunRecord& made, const Measure& measure,
                            double tolerance);

}  // namespace minibert
