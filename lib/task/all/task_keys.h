// The tasks' own keys for documents, beside those of every experiment.
#pragma once

#include <vector>

#include "core/key_section.h"

namespace minibert {

std::vector<KeySection> experiment_key_sections();  // the file's
std::vector<KeySection> model_key_sections();       // of an arm's "model", beside the encoder's
std::vector<KeySection> train_key_sections();       // of an arm's "train", beside train/config.h's

}  // namespace minibert
