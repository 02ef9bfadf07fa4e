// The cards of each task, and the notice over them.
#include <algorithm>
#include <cmath>

#include "frame/page.h"

namespace minibert::page {

// A text and a question; the answers beside them, or below on a narrow page.
void Page::draw_asking(float main, bool two) {
  text_view_.set_marks(marks_of_answer(ui_, app_));
  ui_.begin_card("asking", ui_.word(Word::ask), main);
  ui_.label(ui_.word(Word::text_asked), ui_.colors().muted, TextSize::small);
  const bool edit_text = text_view_.draw(ui_, app_, static_cast<float>(height_));
  ui_.label(ui_.word(Word::question), ui_.colors().muted, TextSize::small);
  const bool edit_question = question_view_.draw(ui_, app_, static_cast<float>(height_));
  draw_toolbar(ui_, app_);
  // On a narrow page the answers stay near their question.
  if (two) draw_questions(ui_, app_);
  ui_.end_card();
  if (edit_text) app_.edit(Field::text);
  if (edit_question) app_.edit(Field::question);
  if (two) return;
  draw_answers(ui_, app_, main);
  ui_.begin_card("more", ui_.word(Word::examples), main);
  draw_questions(ui_, app_);
  ui_.end_card();
}

void Page::draw_reading(Word title, EditorView* view, DrawResult result, DrawExamples examples,
                        float main, bool two) {
  ui_.begin_card("reading", ui_.word(title), main);
  view->draw(ui_, app_, static_cast<float>(height_));
  draw_toolbar(ui_, app_);
  if (two) examples(ui_, app_);
  ui_.end_card();
  if (two) return;
  result(ui_, app_, main);
  ui_.begin_card("more", ui_.word(Word::examples), main);
  examples(ui_, app_);
  ui_.end_card();
}

void Page::draw_filling(float main, bool two) {
  ui_.begin_card("sentence", ui_.word(Word::sentence), main);
  sentence_view_.draw(ui_, app_, static_cast<float>(height_));
  draw_toolbar(ui_, app_);
  // On a narrow page the guesses stay near their sentence, unless it is one of a class' exercises.
  const bool examples_here = two || app_.settings().lesson;
  if (examples_here) draw_examples(ui_, app_);
  if (!touch_)
    ui_.paragraph(ui_.word(Word::shortcuts), ui_.colors().muted, TextSize::small, "shortcuts");
  ui_.end_card();
  draw_guesses(ui_, app_, main);
  if (!examples_here) {
    ui_.begin_card("more", ui_.word(Word::examples), main);
    draw_examples(ui_, app_);
    ui_.end_card();
  }
}

// Over the page's foot, so that nothing moves.
void Page::draw_notice() {
  const std::string& text = app_.notice_text();
  if (text.empty()) return;
  ImFont* font = ui_.font(TextSize::body);
  ui_.measure(TextSize::body, text);  // brings the glyphs in
  const float padding = ui_.px(14);
  const float most = std::min(static_cast<float>(width_) - 4 * padding, ui_.px(640));
  const ImVec2 extent =
      font->CalcTextSizeA(font->FontSize, 1e9f, most, text.data(), text.data() + text.size());
  const ImVec2 low{std::floor((static_cast<float>(width_) - extent.x) / 2 - padding),
                   std::floor(static_cast<float>(height_) - extent.y - 3 * padding)};
  const ImVec2 high{low.x + extent.x + 2 * padding, low.y + extent.y + 2 * padding};
  const Color color = app_.notice_is_warning() ? ui_.colors().warning : ui_.colors().second;
  ImDrawList* list = ImGui::GetForegroundDrawList();
  list->AddRectFilled(low, high, ui_.colors().card, ui_.px(10));
  list->AddRect(low, high, color, ui_.px(10), 0, ui_.px(1.5f));
  list->AddText(font, font->FontSize, {low.x + padding, low.y + padding}, color, text.data(),
                text.data() + text.size(), most);
  ui_.mark("notice", ui_.box(low, high));
  ui_.outline().add(Role::text, "notice", text, ui_.box(low, high));
}

}  // namespace minibert::page
