// Suggests a figure for an unknown name.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/measure.h"

namespace minibert {

// Returns `, did you mean "exact_match"?`: the one of `known` whose heading in tables is `wanted`
// ("EM", in any case), else the one with similar spelling; "" if there is none.
std::string figure_hint(const std::string& wanted, const std::vector<std::string>& known,
                        std::span<const Measure> measures);

}  // namespace minibert
