// Models' results for the masks of the first tab's sentence, shown by its tab and the panels.
#pragma once

#include "state/tab.h"

namespace minibert::page {

// Words that a class is not shown as guesses; the page names them.
inline constexpr std::string_view kClassWords[] = {"술", "소주", "맥주", "담배", "마약", "도박"};

// How many guesses to ask for, so that `shown` are left, and these without the words.
int asked_guesses(const Settings& settings, int shown);
void leave_out(const Settings& settings, int shown, std::vector<infer::Guess>* guesses);

struct Fill : Result {
  infer::FillResult found;  // without masks only its tokens
  std::string kernel;
};

// The changed model's guesses beside the unchanged model's.
struct Changed : Result {
  infer::ChangedResult found;  // without masks: no question was asked
};

// A model's guesses at several points of its training.
struct Learnt : Result {
  std::vector<infer::CheckpointFill> found;
};

// The id in models.json of the model whose training is shown.
inline constexpr const char* kLearningModel = "learning";

}  // namespace minibert::page
