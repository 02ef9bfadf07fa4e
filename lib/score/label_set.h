// Writes the labels of a text with several labels, or none, as one string: a LabelledExample's
// label, and a column of a record's predictions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace minibert {

inline constexpr char kBetweenLabels = '|';  // persisted in records; no label contains it

// Returns the sorted labels, each once, as one string. No label may be empty.
std::string as_label_set(std::vector<std::string> labels);
// Returns the labels in such a string; none for "".
std::vector<std::string> labels_of(std::string_view set);

}  // namespace minibert
