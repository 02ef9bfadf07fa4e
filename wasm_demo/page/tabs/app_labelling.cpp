// Labelling a text: what the state does for it.
#include <algorithm>
#include <cmath>

#include "core/utf8.h"
#include "panels/panels.h"
#include "state/app.h"

namespace minibert::page {

// The last one it gets wrong.
const std::array<std::string_view, 4> kReviews = {
    "음악은 훌륭한데 결말이 허무하다.",
    "마지막 장면에서 눈물이 났다. 오래 기억에 남을 영화.",
    "기대하지 않고 봤는데 정말 재미있었어요!",
    "재미없을 줄 알았는데 아니었다.",
};

void App::set_labels(LabelsView labels) {
  announce(labels);
  labels_ = std::move(labels);
}

const LabelsView* App::labels() const {
  return labels_ && labels_->revision == revision() && !labels_->labels.empty() ? &*labels_
                                                                                : nullptr;
}

void App::announce(const LabelsView& labels) {
  if (task() != Task::label) return;
  const Language language = settings_.language;
  std::string spoken = labels.error.in(language);
  if (labels.error.empty() && !shows_guesses()) {
    spoken = say(Word::hidden_guesses, language);
  } else if (labels.weighed && !labels.labels.empty()) {
    spoken =
        shown_label(labels.labels[0].label, language) + " " + percent(labels.labels[0].probability);
    const auto most = std::max_element(
        labels.words.begin(), labels.words.end(), [&](const WordView& a, const WordView& b) {
          return std::abs(effect(labels, a)) < std::abs(effect(labels, b));
        });
    const Range range = range_of(Field::review, most->begin, most->end);
    if (labels.revision == revision())
      spoken += ". " + std::string(say(Word::weightiest, language)) + ": " +
                to_utf8(field(Field::review).text().substr(range.begin, range.end - range.begin));
  } else if (labels.error.empty() && !labels.labels.empty()) {
    return;  // the words come in a moment
  }
  say_once(spoken, !labels.error.empty());
}

}  // namespace minibert::page
