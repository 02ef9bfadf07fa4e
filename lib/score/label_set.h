// The labels of a text that may have several, or none, as one text: a LabelledExample's label, and a column
// of a record's predictions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace minibert {

inline constexpr char kBetweenLabels = '|';  // persisted in records; no label has one

// Sorted, each once. No label is empty.
std::string as_label_set(std::vector<std::string> labels);
// The labels of such a text; none of an empty one.
std::vector<std::string> labels_of(std::string_view set);

}  // namespace minibert
