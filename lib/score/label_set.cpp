#include "score/label_set.h"

#include <algorithm>

#include "core/text.h"

namespace minibert {

std::string as_label_set(std::vector<std::string> labels) {
  std::ranges::sort(labels);
  const auto again = std::ranges::unique(labels);
  labels.erase(again.begin(), again.end());
  return joined(labels, std::string(1, kBetweenLabels));
}

std::vector<std::string> labels_of(std::string_view set) {
  std::vector<std::string> out;
  while (!set.empty()) {
    const size_t end = std::min(set.find(kBetweenLabels), set.size());
    out.emplace_back(set.substr(0, end));
    set.remove_prefix(std::min(end + 1, set.size()));
  }
  return out;
}

}  // namespace minibert
