// A stored run against the same run made again: what is equal, nearly equal, or different.
#pragma once

#include <string>
#include <vector>

#include "core/measure.h"
#include "record/run_record.h"

namespace minibert {

enum class Likeness {
  equal,      // all bits, and of texts all bytes
  near,       // numbers within the tolerance
  different,  // beyond it, or not there
};

struct PartComparison {
  std::string part;  // "inputs", "metric dev/f1", "figure f1", "predictions f1", "weights"
  Likeness likeness = Likeness::equal;
  std::string detail;  // one line where not equal: the first step that differs, by how much
};

struct Reproduction {
  std::vector<PartComparison> parts;  // in the order of the work
  // Inputs are equal and no figure, metric or prediction is different. (Weights may be: they follow
  // in the last bit where numbers are near.)
  bool reproduced = true;
};

// What differs between the machines and programs of two records' environments, one line each with
// what it changes: "BLAS kernel: Haswell, here Cooperlake: sums are rounded otherwise; …".
// Nothing where all that decides about numbers is the same.
std::vector<std::string> environment_differences(const nlohmann::json& stored,
                                                 const nlohmann::json& here);

// Numbers are near when |a - b| <= tolerance * max(|a|, |b|). Figures that time decides
// (tokens_per_second, …) are left out.
Reproduction compare_reproduction(const RunRecord& stored, const RunRecord& made, double tolerance);
// By one figure of the summary alone, where time decides about all else: reproduced where inputs are equal and the
// figure is near, or better than stored.
Reproduction compare_figure(const RunRecord& stored, const RunRecord& made, const Measure& measure,
                            double tolerance);

}  // namespace minibert
