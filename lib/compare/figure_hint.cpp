#include "compare/figure_hint.h"

#include <algorithm>

#include "core/config_reader.h"

namespace minibert {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

}  // namespace

std::string figure_hint(const std::string& wanted, const std::vector<std::string>& known,
                        std::span<const Measure> measures) {
  const auto is_meant = [&](const Measure& measure) {
    return lower(measure.heading) == lower(wanted) &&
           std::ranges::find(known, measure.name) != known.end();
  };
  const auto found = std::ranges::find_if(measures, is_meant);
  const std::string name =
      found != measures.end() ? std::string(found->name) : nearest(wanted, known);
  return name.empty() ? "" : ", did you mean \"" + name + "\"?";
}

}  // namespace minibert
