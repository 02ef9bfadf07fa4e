// The table of all kinds of tasks.
#pragma once

#include <string>
#include <vector>

#include "task/task_kind.h"

namespace minibert {

// Returns the tasks' names in the table's order.
std::vector<std::string> task_names();
// Throws a usage Error with the known names and the nearest.
const TaskKind& task_kind(const std::string& name);

// Adds a program's own task to the table while the object lives; `kind` must outlive it. Create it
// before runs begin.
class AddedTaskKind {
 public:
  explicit AddedTaskKind(const TaskKind& kind);
  ~AddedTaskKind();
  AddedTaskKind(const AddedTaskKind&) = delete;
  AddedTaskKind& operator=(const AddedTaskKind&) = delete;
};

// Returns the columns of tables, in order: figures of any run, then all tasks' measures, once each.
const std::vector<Measure>& all_measures();

}  // namespace minibert
