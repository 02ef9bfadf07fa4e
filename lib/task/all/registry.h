// All kinds of tasks, written out.
#pragma once

#include <string>
#include <vector>

#include "task/task_kind.h"

namespace minibert {

// Names in the order of the table.
std::vector<std::string> task_names();
// Throws a usage Error with the known names and the nearest.
const TaskKind& task_kind(const std::string& name);

// A task of a program's own, in the table for as long as this lives; `kind` outlives it. Made before
// runs begin.
class AddedTaskKind {
 public:
  explicit AddedTaskKind(const TaskKind& kind);
  ~AddedTaskKind();
  AddedTaskKind(const AddedTaskKind&) = delete;
  AddedTaskKind& operator=(const AddedTaskKind&) = delete;
};

// What tables of runs show, in this order: figures of any run, and the measures of all tasks, each
// name once.
const std::vector<Measure>& all_measures();

}  // namespace minibert
