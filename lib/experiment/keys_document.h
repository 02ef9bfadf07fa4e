// Writes experiments/KEYS.md: every key of an experiment file.
#pragma once

#include <string>

namespace minibert {

// Returns Markdown from the lists that read and write the keys.
std::string keys_document();

}  // namespace minibert
