#include "state/fill.h"

#include <algorithm>

namespace minibert::page {

int asked_guesses(const Settings& settings, int shown) {
  return shown + (settings.lesson ? static_cast<int>(std::size(kClassWords)) : 0);
}

void leave_out(const Settings& settings, int shown, std::vector<infer::Guess>* guesses) {
  if (settings.lesson)
    std::erase_if(*guesses, [](const infer::Guess& guess) {
      return std::find(std::begin(kClassWords), std::end(kClassWords), guess.text) !=
             std::end(kClassWords);
    });
  guesses->resize(std::min(guesses->size(), static_cast<size_t>(shown)));
}

}  // namespace minibert::page
