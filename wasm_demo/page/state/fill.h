// What a model found for the masks of the first tab's sentence: its tab shows it, and so do the panels.
#pragma once

#include "state/tab.h"

namespace minibert::page {

struct Fill : Result {
  infer::FillResult found;  // without masks only its tokens
  std::string kernel;
};

// The same of the model that is changed inside, beside itself as it is.
struct Changed : Result {
  infer::ChangedResult found;  // without masks: nothing was asked
};

// What a model filled in at several points of its training.
struct Learnt : Result {
  std::vector<infer::CheckpointFill> found;
};

// The model that the view of a training shows, by its id in models.json.
inline constexpr const char* kLearningModel = "learning";

}  // namespace minibert::page
