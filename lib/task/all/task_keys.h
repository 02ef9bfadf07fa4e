// The keys that tasks have beside those of every experiment, for documents.
#pragma once

#include <vector>

#include "core/key_section.h"

namespace minibert {

std::vector<KeySection> experiment_key_sections();  // of the file
std::vector<KeySection> model_key_sections();       // of an arm's "model", beside an encoder's
std::vector<KeySection> train_key_sections();       // of an arm's "train", beside train/config.h

}  // namespace minibert
