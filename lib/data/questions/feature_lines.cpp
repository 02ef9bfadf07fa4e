// QA features as JSON lines.
#include "data/questions/feature_lines.h"

#include <nlohmann/json.hpp>

namespace minibert {

std::string feature_line(const QaSplit& split, uint32_t example,
                         const QaFeatureSettings& settings) {
  const QaExample& e = split.examples[example];
  nlohmann::ordered_json line;
  line["id"] = e.id;
  const bool discarded = course_discards(split, example, settings);
  if (!discarded) {
    std::vector<int32_t> ids;
    std::vector<uint8_t> segments;
    const QaWindow window = course_window(split, example, settings);
    append_window(split, window, &ids, &segments);
    const auto first = static_cast<int32_t>(context_offset(split, window));
    line["input_ids"] = ids;
    line["segments"] = segments;
    line["start"] = first + static_cast<int32_t>(e.start);
    line["end"] = first + static_cast<int32_t>(e.end);
  }
  line["discarded"] = discarded;
  return line.dump();
}

}  // namespace minibert
