// The answers to a question, with bars; pressing one shows it in the text.
#include <cstdio>

#include "host.h"
#include "panels.h"

namespace minibert::page {
namespace {

std::string fact(const ModelView& model, std::string_view key) {
  for (const auto& [name, value] : model.facts)
    if (name == key) return value;
  return {};
}

// What the model is and how often it is right, from its file.
void draw_figures(Ui& ui, const ModelView& model) {
  const std::string exact = fact(model, "test exact_match"), f1 = fact(model, "test f1");
  if (exact.empty() || f1.empty()) return;
  std::string text(ui.word(Word::answer_figures));
  for (const std::string& value :
       {fact(model, "weights"), fact(model, "parameters"), exact.substr(0, exact.find('.')), f1})
    text.replace(text.find("{}"), 2, value);
  ui.paragraph(text, ui.colors().muted, TextSize::small, "answer-figures");
}

std::string as_text(const AnswersView& answers) {
  std::string text;
  for (const AnswerView& answer : answers.answers)
    text += answer.text + "\t" + percent(answer.probability) + "\n";
  return text;
}

// The question again without each of its words, once that was asked for.
void draw_left_out(Ui& ui, App& app) {
  const LeftOutView* view = app.left_out();
  if (!view) {
    ui.flow(ui.button_width(ui.word(Word::leave_out)));
    if (ui.button("leave-out", ui.word(Word::leave_out))) app.ask_left_out();
    return;
  }
  ui.paragraph(say(Word::leave_out_hint, ui.language(), view->answer), ui.colors().text,
               TextSize::small, "leave-out-hint");
  std::vector<TableRow> rows;
  rows.push_back({{std::string(ui.word(Word::nothing)), view->answer, percent(view->probability)},
                  view->probability});
  for (const LeftOutRow& row : view->rows)
    rows.push_back({{row.word, row.answer, percent(row.probability)}, row.probability});
  draw_table(ui, "left-out", ui.word(Word::leave_out),
             {std::string(ui.word(Word::left_out_word)), std::string(ui.word(Word::answer_then)),
              view->answer},
             rows);
}

void draw_list(Ui& ui, App& app, const AnswersView& found) {
  const std::string title(ui.word(Word::answers));
  const RowStyle style{ui.colors().accent, ui.colors().soft, "answer", title, app.chosen_answer()};
  ui.outline().begin(Role::list, style.name, title);
  for (size_t k = 0; k < found.answers.size(); ++k) {
    const AnswerView& answer = found.answers[k];
    if (draw_row(ui, answer.text, answer.probability, k, percent(answer.probability),
                 ui.inner_width(), style))
      app.choose_answer(k);
  }
  ui.outline().end();
  ui.paragraph(ui.word(Word::answers_hint), ui.colors().muted, TextSize::small, "answers-hint");
  if (ui.button("copy-text", ui.word(Word::copy_text))) host::copy_text(as_text(found));
  ui.flow(ui.button_width(ui.word(Word::save_picture)));
  if (ui.button("save-picture", ui.word(Word::save_picture))) host::save_picture();
  if (app.settings().lesson) {
    ui.flow(ui.button_width(ui.word(Word::hide_guesses)));
    if (ui.button("hide", ui.word(Word::hide_guesses))) app.hide();
  }
  draw_left_out(ui, app);
  ui.paragraph(milliseconds(found.total_ms) + " · " + found.kernel, ui.colors().muted,
               TextSize::small, "answer-time");
}

}  // namespace

void draw_answers(Ui& ui, App& app, float width) {
  ui.begin_card("answers", ui.word(Word::answers), width);
  const auto& found = app.last_answers();
  const ModelView* model = app.chosen();
  if (model && model->state == ModelState::failed) {
    ui.paragraph(model->error.in(ui.language()), ui.colors().warning, TextSize::body, "no-answers");
  } else if (!found) {
    ui.paragraph(ui.word(Word::loading), ui.colors().muted, TextSize::body, "no-answers");
  } else if (!found->error.empty()) {
    ui.paragraph(found->error.in(ui.language()), ui.colors().warning, TextSize::body, "no-answers");
  } else if (found->answers.empty()) {
    ui.paragraph(ui.word(Word::no_question), ui.colors().muted, TextSize::body, "no-answers");
  } else if (!app.shows_guesses()) {
    ui.paragraph(ui.word(Word::hidden_guesses), ui.colors().text, TextSize::body, "hidden");
    if (ui.button("show", ui.word(Word::show_guesses), true, true)) app.reveal();
  } else {
    draw_list(ui, app, *found);
  }
  if (model) draw_figures(ui, *model);
  ui.end_card();
}

}  // namespace minibert::page
