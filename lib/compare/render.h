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

// "12.34 ± 0.56"; without a deviation where there is none, as for one seed or a count.
std::string cell(const Figure& figure, int decimals);
// "+1.23", "-1.23", "0.00".
std::string with_sign(double value, int decimals);

std::string as_json(const std::vector<Comparison>& comparisons);
std::string as_csv(const std::vector<Comparison>& comparisons, std::span<const Measure> measures);

}  // namespace minibert
