// The answers to a question, with bars; pressing one shows it in the text.
#include "panels/panels.h"

namespace minibert::page {
namespace {

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
  draw_result_buttons(ui, app, as_text(found));
  draw_left_out(ui, app);
  ui.paragraph(milliseconds(found.total_ms) + " · " + found.kernel, ui.colors().muted,
               TextSize::small, "answer-time");
}

}  // namespace

std::vector<Mark> marks_of_answer(const Ui& ui, const App& app) {
  return {{app.answer_range(), ui.colors().soft, ui.colors().accent}};
}

void draw_answers(Ui& ui, App& app, float width) {
  ui.begin_card("answers", ui.word(Word::answers), width);
  const auto& found = app.last_answers();
  if (!draw_instead(ui, app, "no-answers", found ? &found->error : nullptr,
                    found && found->answers.empty(), Word::no_question))
    draw_list(ui, app, *found);
  if (const ModelView* model = app.chosen()) {
    const std::string exact = fact(*model, "test exact_match");
    draw_figures(ui, Word::answer_figures,
                 {fact(*model, "weights"), fact(*model, "parameters"),
                  exact.substr(0, exact.find('.')), fact(*model, "test f1")},
                 "answer-figures");
  }
  ui.end_card();
}

}  // namespace minibert::page
