// The kinds of labelled examples, whatever file they come from. Who reads examples without knowing their task
// switches on it, so that the compiler names each such place to one who adds a kind.
#pragma once

#include <vector>

#include "data/registry.h"

namespace minibert {

enum class ExampleKind { questions, labelled, tagged };

// Those that the files of a data set hold, by the registry; a table counts where its columns are known.
std::vector<ExampleKind> example_kinds(const DataSet& set);

// The same; of files that an experiment names by the first one's text. Throws Error where it cannot be read.
std::vector<ExampleKind> example_kinds(const ResolvedData& data);

}  // namespace minibert
