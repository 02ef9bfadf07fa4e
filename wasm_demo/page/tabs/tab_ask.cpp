// Questions about a text: the answers with bars, and each word's part in the best one. Pressing an
// answer shows it in the text.
#include <algorithm>

#include "core/utf8.h"
#include "host/host.h"
#include "infer/particles.h"
#include "panels/parts.h"
#include "state/tab.h"

namespace minibert::page {
namespace {

constexpr std::string_view kAskedText =
    "세종대왕은 조선의 제4대 국왕이다. 1418년에 즉위하여 1450년까지 재위하였다. "
    "1443년에 훈민정음을 창제하고 1446년에 반포하였다.";
constexpr std::string_view kQuestions[] = {
    "훈민정음은 언제 창제되었는가?",
    "조선의 제4대 국왕은 누구인가?",
    "1443년에 무엇을 창제하였는가?",
    "훈민정음은 언제 반포되었는가?",
};

constexpr size_t kText = 0, kQuestion = 1;
constexpr Field kFields[] = {
    {{"text-field", Word::text_asked, Word::text_placeholder, TextSize::body}, kAskedText},
    {{"question-field", Word::question, Word::question_placeholder}, kQuestions[0]},
};

constexpr int kMostAnswers = 5;       // shown
constexpr int kAnswersCompared = 20;  // all that a model gives

struct Answers : Result {
  infer::AnswerResult found;
  size_t chosen = 0;  // the one that is shown in its text
};

// The question again without one of its words each.
struct LeftOut : Result {
  struct Row {
    std::string word;
    std::string answer;     // the best one then
    float probability = 0;  // of the whole question's answer; 0: no longer among them
  };
  std::string answer;  // to the whole question
  float probability = 0;
  std::vector<Row> rows;  // in the question's order
};

// Returns the tab's result if it is about the fields' present texts.
const Answers* current_answers(const App& app) {
  return static_cast<const Answers*>(app.current());
}

std::vector<std::string> words_of(std::u32string_view question) {
  std::vector<std::string> words;
  std::u32string word;
  for (size_t i = 0; i <= question.size(); ++i) {
    if (i < question.size() && char_class(question[i]) != CharClass::space) {
      word += question[i];
    } else if (!word.empty()) {
      words.push_back(to_utf8(word));
      word.clear();
    }
  }
  return words;
}

std::string without(const std::vector<std::string>& words, size_t left_out) {
  std::string rest;
  for (size_t i = 0; i < words.size(); ++i)
    if (i != left_out) rest += (rest.empty() ? "" : " ") + words[i];
  return rest;
}

Json question(Texts texts, const Settings&) {
  Json calls = Json::array();
  if (!is_blank(texts[kQuestion].text()) && !is_blank(texts[kText].text()))
    calls.push_back(
        {"answer", to_utf8(texts[kQuestion].text()), to_utf8(texts[kText].text()), kMostAnswers});
  return Json::array({calls});
}

std::unique_ptr<Result> read_answers(App&, const Message& message) {
  auto answers = std::make_unique<Answers>();
  if (message.answers.empty()) return answers;
  read(message.answers[0], &answers->found);
  return answers;
}

// The same question, asked again with each word left out in turn; a single word leaves nothing.
Json questions_left(Texts texts, const Settings&) {
  const std::string text = to_utf8(texts[kText].text());
  const std::vector<std::string> words = words_of(texts[kQuestion].text());
  Json calls = Json::array();
  calls.push_back({"answer", to_utf8(texts[kQuestion].text()), text, kAnswersCompared});
  for (size_t i = 0; words.size() > 1 && i < words.size(); ++i)
    calls.push_back({"answer", without(words, i), text, kAnswersCompared});
  return Json::array({calls});
}

std::unique_ptr<Result> read_left_out(App& app, const Message& message) {
  if (!message.error.empty()) app.notice(message.error, true);
  if (!current_answers(app) || message.revision != app.revision() || message.answers.empty())
    return nullptr;
  std::vector<infer::AnswerResult> found;
  for (const Json& answer : message.answers) read(answer, &found.emplace_back());
  if (found[0].answers.empty()) return nullptr;
  const infer::Answer& best = found[0].answers[0];
  auto view = std::make_unique<LeftOut>();
  view->answer = best.text;
  view->probability = static_cast<float>(best.probability);
  const std::vector<std::string> words = words_of(app.field(kQuestion).text());
  for (size_t i = 0; i < words.size(); ++i) {
    LeftOut::Row& row = view->rows.emplace_back();
    row.word = words[i];
    if (i + 1 >= found.size() || found[i + 1].answers.empty()) continue;
    const std::vector<infer::Answer>& answers = found[i + 1].answers;
    row.answer = answers[0].text;
    const auto same = std::find_if(answers.begin(), answers.end(), [&](const infer::Answer& one) {
      return one.begin == best.begin && one.end == best.end;
    });
    if (same != answers.end()) row.probability = static_cast<float>(same->probability);
  }
  return view;
}

std::optional<std::string> speak(const App& app) {
  const auto& found = static_cast<const Answers*>(app.result())->found;
  const Language language = app.settings().language;
  if (!app.shows_guesses()) return std::string(say(Word::hidden_guesses, language));
  if (found.answers.empty()) return "";
  const infer::Answer& best = found.answers[0];
  const std::string low(best.probability < infer::kSure ? say(Word::unsure_answer, language) : "");
  return std::string(say(Word::answer, language)) + ": " + best.text +
         whole_percent(best.probability) + (low.empty() ? "" : ". " + low);
}

bool choose(App& app, size_t rank) {
  auto* answers = static_cast<Answers*>(app.result());
  if (rank >= answers->found.answers.size()) return false;
  answers->chosen = rank;
  return true;
}

std::vector<Best> best(const Ui& ui, const App& app) {
  std::vector<Best> best;
  for (const infer::Answer& answer : static_cast<const Answers*>(app.result())->found.answers)
    best.push_back({answer.text, percent(static_cast<float>(answer.probability)),
                    ui.colors().accent, ui.colors().soft});
  return best;
}

std::vector<Mark> mark_answer(const Ui& ui, const App& app) {
  const Answers* answers = app.shows_guesses() ? current_answers(app) : nullptr;
  if (!answers || answers->chosen >= answers->found.answers.size()) return {};
  const infer::Answer& answer = answers->found.answers[answers->chosen];
  return {{app.places(kText).range(answer.begin, answer.end), ui.colors().soft, ui.colors().accent,
           true}};
}

std::string as_text(const App& app, const Answers& answers) {
  std::string text = about(app, answers);
  for (const infer::Answer& answer : answers.found.answers)
    text += answer.text + "\t" + percent(static_cast<float>(answer.probability)) + "\n";
  return text;
}

// The question again without each of its words, once that was asked for.
void draw_left_out(Ui& ui, App& app) {
  const auto* view = static_cast<const LeftOut*>(app.current(1));
  if (!view) {
    ui.flow(ui.button_width(ui.word(Word::leave_out)));
    if (ui.button("leave-out", ui.word(Word::leave_out), true, Weight::quiet) && app.current())
      app.request();
    return;
  }
  ui.paragraph(say(Word::leave_out_hint, ui.language(), view->answer), ui.colors().text,
               TextSize::small, "leave-out-hint");
  std::vector<TableRow> rows;
  rows.push_back({{std::string(ui.word(Word::nothing)), view->answer, percent(view->probability)},
                  view->probability});
  for (const LeftOut::Row& row : view->rows)
    rows.push_back({{row.word, row.answer, percent(row.probability)}, row.probability});
  draw_table(ui, "left-out", ui.word(Word::leave_out),
             {std::string(ui.word(Word::left_out_word)), std::string(ui.word(Word::answer_then)),
              std::string(ui.word(Word::probability))},
             rows);
}

void draw_list(Ui& ui, App& app, const Answers& answers) {
  const std::string title(ui.word(Word::answers));
  const RowStyle style{ui.colors().accent, ui.colors().soft, "answer", title, answers.chosen};
  ui.outline().begin(Role::list, style.name, title);
  for (size_t k = 0; k < answers.found.answers.size(); ++k) {
    const infer::Answer& answer = answers.found.answers[k];
    const auto probability = static_cast<float>(answer.probability);
    if (draw_row(ui, answer.text, probability, k, percent(probability), ui.inner_width(), style))
      app.take_guess(k);
  }
  ui.outline().end();
  ImGui::Dummy({1, ui.px(2)});
  if (answers.found.answers[0].probability < infer::kSure)
    ui.paragraph(ui.word(Word::unsure_answer), ui.colors().text, TextSize::body, "unsure-answer");
  ui.paragraph(hint_of_rows(ui, Word::answers_hint), ui.colors().muted, TextSize::small,
               "answers-hint");
  draw_result_buttons(ui, app, [&] { return as_text(app, answers); });
  draw_left_out(ui, app);
}

void draw_answers(Ui& ui, App& app, float width) {
  ui.begin_card("answers", ui.word(Word::answers), width);
  ui.card_title(ui.word(Word::answers));
  const auto* answers = static_cast<const Answers*>(app.result());
  if (!draw_instead(ui, app, "no-answers", answers && answers->found.answers.empty(),
                    Word::no_question))
    draw_list(ui, app, *answers);
  draw_figures(ui, app, Word::answer_figures, "answer-figures");
  ui.end_card();
}

// The examples are about the text that the page comes with.
void draw_questions(Ui& ui, App& app) {
  if (!draw_chips(ui, app) || to_utf8(app.field(kText).text()) == kAskedText) return;
  app.apply(kText, {{0, app.field(kText).text().size()}, to_code_points(kAskedText)});
}

}  // namespace

Tab ask_tab() {
  return {.link = {"answers", "ask=1", "a", {"p", "q"}},
          .button = "task-ask",
          .title = Word::ask,
          .card = "asking",
          .card_title = Word::ask,
          .opening = Word::ask_opening,
          .fields = kFields,
          .examples = kQuestions,
          .inquiries = {{{"answers", question, read_answers},
                         {"left_out", questions_left, read_left_out, nullptr, true}}},
          .limits = Word::answer_limits_text,
          .speak = speak,
          .result = "answers",
          .draw = draw_answers,
          .best = best,
          .draw_examples = draw_questions,
          .marks = mark_answer,
          .choose = choose};
}

}  // namespace minibert::page
