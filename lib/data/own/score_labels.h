// Labels that are numbers: found, told of, or refused where they are none.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "data/examples.h"
#include "data/own/columns.h"
#include "data/own/own_splits.h"
#include "data/own_source.h"
#include "data/tables/table.h"

namespace minibert {

// More different labels than these are no classes.
inline constexpr size_t kMostClasses = 20;

// A label on one line, and the same in quotation marks, cut to what a message can hold.
std::string on_one_line(std::string label);
std::string quoted_label(const std::string& label);

// Finds how the cells of the labels' column hold numbers or several labels, where nobody says so, and writes it into
// "labels" or "label_separator" of the source. Throws a usage Error where the labels shall be scores and are no
// numbers.
void look_at_cells(const DataTable& table, LabelsAs labels, const Say& say, OwnSource* source);

// Says that labels are numbers, all or nearly so, with a unit or without, where they are learnt as names. `labels`:
// those of the splits. False: they are none, and nothing is said.
bool tell_numbers(const LabelledSplits& splits, const std::map<std::string, size_t>& labels,
                  const Say& say);

// Throws a usage Error that names the first label that is no number, and what would read it.
[[noreturn]] void refuse_as_numbers(const LabelledSplits& splits);

}  // namespace minibert
