// Asking questions about a text: what the state does for it.
#include <cstdio>

#include "core/utf8.h"
#include "host/host.h"
#include "state/app.h"

namespace minibert::page {

const std::string_view kAskedText =
    "세종대왕은 조선의 제4대 국왕이다. 1418년에 즉위하여 1450년까지 재위하였다. 1443년에 "
    "훈민정음을 "
    "창제하고 1446년에 반포하였다.";
// The last one it gets wrong.
const std::array<std::string_view, 4> kQuestions = {
    "훈민정음은 언제 창제되었는가?",
    "조선의 제4대 국왕은 누구인가?",
    "세종대왕은 언제까지 재위하였는가?",
    "훈민정음은 언제 반포되었는가?",
};

void App::use_question(std::string_view question) {
  if (to_utf8(field(Field::text).text()) != kAskedText)
    field(Field::text).set_text(to_code_points(kAskedText));
  field(Field::question).set_text(to_code_points(question));
  active_ = Field::question;
}

void App::publish_question() {
  if (published_question_ == revision() && !ask_at_once_) return;
  published_question_ = revision();
  settings_.question = to_utf8(field(Field::question).text());
  settings_.text_asked = to_utf8(field(Field::text).text());
  host::question_changed(settings_.question, settings_.text_asked,
                         static_cast<double>(published_question_), ask_at_once_);
}

void App::announce(const AnswersView& answers) {
  const Language language = settings_.language;
  std::string spoken = answers.error.in(language);
  if (answers.error.empty() && !shows_guesses()) spoken = say(Word::hidden_guesses, language);
  if (!answers.answers.empty() && shows_guesses()) {
    char percent[16];
    std::snprintf(percent, sizeof percent, " %.0f%%", 100.0 * answers.answers[0].probability);
    spoken = std::string(say(Word::answer, language)) + ": " + answers.answers[0].text + percent;
  }
  if (task() == Task::ask) say_once(spoken, !answers.error.empty());
}

void App::set_answers(AnswersView answers) {
  announce(answers);
  answers_ = std::move(answers);
  chosen_answer_ = 0;
}

const AnswersView* App::answers() const {
  return answers_ && answers_->revision == revision() ? &*answers_ : nullptr;
}

void App::ask_left_out() {
  if (answers()) host::leave_out();
}

const LeftOutView* App::left_out() const {
  return left_out_ && left_out_->revision == revision() ? &*left_out_ : nullptr;
}

bool App::choose_answer(size_t rank) {
  const AnswersView* found = task() == Task::ask && shows_guesses() ? answers() : nullptr;
  if (!found || rank >= found->answers.size()) return false;
  chosen_answer_ = rank;
  return true;
}

Range App::answer_range() const {
  const AnswersView* found = shows_guesses() ? answers() : nullptr;
  if (!found || chosen_answer_ >= found->answers.size()) return {};
  const AnswerView& answer = found->answers[chosen_answer_];
  return range_of(Field::text, answer.begin, answer.end);
}

}  // namespace minibert::page
