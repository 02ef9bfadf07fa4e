// Options for changes inside a model: heads and layers off, states of another text swapped in.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rules/intervention.h"

namespace minibert {

struct InterventionArguments {
  std::vector<std::string> heads, layers, moves;
  std::optional<std::string> other;
  std::optional<int32_t> stage;

  // Throws a usage Error naming an option that is not written as in --help, or that needs --patch.
  Intervention intervention() const;
  Swap swap() const;
};

void add_interventions(CLI::App& command, InterventionArguments* arguments);

}  // namespace minibert
