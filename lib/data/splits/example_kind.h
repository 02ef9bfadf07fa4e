// The kinds of labelled examples, whatever their file. Code that reads examples of any task
// switches on the kind, so that the compiler names each such place when a kind is added.
#pragma once

#include <vector>

#include "data/registry.h"

namespace minibert {

enum class ExampleKind { questions, labelled, tagged };

// Returns the kinds in a data set's files; a table counts if the registry has its columns.
std::vector<ExampleKind> example_kinds(const DataSet& set);

// Returns the same; for an experiment's files by the first one's text. Throws Error if unreadable.
std::vector<ExampleKind> example_kinds(const ResolvedData& data);

}  // namespace minibert
