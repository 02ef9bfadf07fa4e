// What the ways to write a comparison share.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "compare/compare.h"

namespace minibert {

// Measures that some arm has a figure of, in their order; then figures that no measure names, by
// name, as counts where they are whole. The latter's names are views into the comparisons.
std::vector<Measure> occurring(std::span<const Comparison> comparisons,
                               std::span<const Measure> measures);

// Whether some difference has an interval of it.
bool has_interval(std::span<const Comparison> comparisons, const Measure& measure);

std::string as_json(const std::vector<Comparison>& comparisons);
std::string as_csv(const std::vector<Comparison>& comparisons, std::span<const Measure> measures);

}  // namespace minibert
