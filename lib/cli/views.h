// Commands that only look at runs, as charts and curves; the others are in cli/commands.h.
#pragma once

#include <CLI/CLI.hpp>

namespace minibert {

void add_report(CLI::App& app);
void add_watch(CLI::App& app);

}  // namespace minibert
