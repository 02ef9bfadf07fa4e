// Which figure somebody meant who named one that is not there.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/measure.h"

namespace minibert {

// `, did you mean "exact_match"?`: the one of `known` whose heading in tables is `wanted` ("EM", in any case), else
// the one that is spelt alike; empty where there is none.
std::string figure_hint(const std::string& wanted, const std::vector<std::string>& known,
                        std::span<const Measure> measures);

}  // namespace minibert
