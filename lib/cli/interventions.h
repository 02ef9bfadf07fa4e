// The options that change a model inside: heads and layers off, states of another text swapped in.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rules/intervention.h"
#include "task/stored_encoder.h"
#include "task/text_input.h"

namespace minibert {

struct InterventionArguments {
  std::vector<std::string> heads, layers, moves;
  std::optional<std::string> other;
  std::optional<int32_t> stage;

  // Throws a usage Error naming the option: what is not written as --help says, options that need --patch.
  Intervention intervention() const;
  Swap swap() const;
};

void add_interventions(CLI::App& command, InterventionArguments* arguments);

// A text as the encoder reads it, which from now on is changed as the options say. `name` is the text's in errors.
// Throws a usage Error.
TextInput read_text(StoredEncoder& encoder, const std::string& text, const std::string& name,
                    const InterventionArguments& changes);

}  // namespace minibert
