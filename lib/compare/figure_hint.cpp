#include "compare/figure_hint.h"

#include <algorithm>

#include "core/config_reader.h"
#include "core/text.h"

namespace minibert {

std::string figure_hint(const std::string& wanted, const std::vector<std::string>& known,
                        std::span<const Measure> measures) {
  const auto is_meant = [&](const Measure& measure) {
    return small_letters(measure.heading) == small_letters(wanted) &&
           std::ranges::find(known, measure.name) != known.end();
  };
  const auto found = std::ranges::find_if(measures, is_meant);
  const std::string name =
      found != measures.end() ? std::string(found->name) : nearest(wanted, known);
  return name.empty() ? "" : ", did you mean \"" + name + "\"?";
}

}  // namespace minibert
