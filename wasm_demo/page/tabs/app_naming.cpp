// Marking names: what the state does for it.
#include "panels/panels.h"
#include "state/app.h"

namespace minibert::page {

// Of the last two it takes a particle for a part of a name, and half of a name.
const std::array<std::string_view, 4> kNamed = {
    "류현진이 2019년 미국 로스앤젤레스에서 공을 던졌다.",
    "김연아 선수는 2010년 캐나다 밴쿠버에서 금메달을 땄다.",
    "국회는 지난해 12월 3일 예산안을 통과시켰다.",
    "손흥민은 2015년 8월 토트넘 홋스퍼로 옮겼다.",
};

void App::set_names(NamesView names) {
  announce(names);
  names_ = std::move(names);
  chosen_name_ = 0;
}

const NamesView* App::names() const {
  return names_ && names_->revision == revision() ? &*names_ : nullptr;
}

bool App::choose_name(size_t rank) {
  const NamesView* found = task() == Task::name && shows_guesses() ? names() : nullptr;
  if (!found || rank >= found->entities.size()) return false;
  chosen_name_ = rank;
  return true;
}

void App::announce(const NamesView& names) {
  if (task() != Task::name) return;
  const Language language = settings_.language;
  std::string spoken = names.error.in(language);
  if (names.error.empty() && !shows_guesses()) {
    spoken = say(Word::hidden_guesses, language);
  } else if (names.error.empty() && names.pieces > 0) {
    spoken = names.entities.empty() ? say(Word::no_names, language) : say(Word::names, language);
    for (size_t i = 0; i < names.entities.size(); ++i)
      spoken += (i == 0 ? ": " : ", ") + names.entities[i].text + " " +
                shown_type(names.entities[i].type, language);
  }
  say_once(spoken, !names.error.empty());
}

}  // namespace minibert::page
