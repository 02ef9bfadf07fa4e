// Marking names: what the state does for it.
#include "app.h"
#include "panels.h"

namespace minibert::page {

// In the last one it misses a name.
const std::array<std::string_view, 4> kNamed = {
    "이순신은 1545년 4월 28일 서울에서 태어났다.",
    "손흥민은 2015년 8월 토트넘 홋스퍼로 옮겼다.",
    "국회는 지난해 12월 3일 예산안을 통과시켰다.",
    "김연아가 2010년 밴쿠버 동계 올림픽에서 금메달을 땄다.",
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
