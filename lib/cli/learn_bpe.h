// minibert tokenizer learn-bpe.
#pragma once

#include <CLI/CLI.hpp>

namespace minibert {

void add_learn_bpe(CLI::App& tokenizer);  // called by add_tokenizer

}  // namespace minibert
