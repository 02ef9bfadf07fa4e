// The cards of a tab, and the notice over them.
#include <algorithm>
#include <cmath>

#include "frame/page.h"

namespace minibert::page {
namespace {

// The share of the window's height that one field may take, and each of two.
constexpr float kMostOfOne = 0.4f, kMostOfTwo = 0.22f;
constexpr float kHigh =
    840;  // of a window with room for a sentence, examples and ten guesses, in the page's measure

}  // namespace

// The card of the chosen tab's fields; on a narrow page its result and examples are below it.
void Page::draw_tab(float main, bool two, bool folds) {
  const Tab& tab = app_.tab();
  std::vector<EditorView>& views = views_[app_.settings().chosen];
  if (tab.marks) views.front().set_marks(tab.marks(ui_, app_));
  const auto draw_examples = [&] {
    if (tab.draw_examples)
      tab.draw_examples(ui_, app_);
    else
      draw_chips(ui_, app_);
  };
  ui_.begin_card(tab.card, ui_.word(tab.card_title), main);
  std::optional<size_t> pressed;
  const float most = (views.size() > 1 ? kMostOfTwo : kMostOfOne) * static_cast<float>(height_);
  for (size_t i = 0; i < views.size(); ++i) {
    if (views.size() > 1)
      ui_.label(ui_.word(tab.fields[i].look.title), ui_.colors().muted, TextSize::small);
    const bool edited = i == app_.edited();
    if (views[i].draw(ui_, app_.field(i), edited, most)) pressed = i;
    if (edited) app_.lines = views[i].lines();
  }
  if (folds) draw_best(ui_, app_);
  if (!picture_) draw_toolbar(ui_, app_, panels_, folds);
  // Where the result is below the text it stays near it, unless that is one of exercises, or the window is high.
  const bool below = tab.masks || !two;
  const bool high = static_cast<float>(height_) >= kHigh * pixel_ratio_ * zoom();
  const bool exercises = tab.masks && !app_.settings().exercises.empty();
  const bool examples_here = !picture_ && ((!folds && (high || !below)) || exercises);
  // Else the first of them, for who comes anew.
  const bool first_here = tab.masks && !examples_here && !folds && !picture_;
  const size_t first = first_here ? draw_chip_line(ui_, app_) : 0;
  const auto draw_more = [&] {
    if (first == 0)
      draw_examples();
    else if (first < tab.examples.size())
      draw_chips(ui_, app_, first);
    if (tab.masks && !folds && !touch_)
      ui_.paragraph(ui_.word(Word::shortcuts), ui_.colors().muted, TextSize::small, "shortcuts");
  };
  if (examples_here) draw_more();
  ui_.end_card();
  if (pressed) app_.edit(*pressed);
  if (below) tab.draw(ui_, app_, main);
  if (examples_here || picture_) return;
  ui_.begin_card("more", ui_.word(Word::examples), main);
  draw_more();
  ui_.end_card();
}

void Page::draw_model_card(float width) {
  ui_.begin_card("details", ui_.word(Word::about_model), width);
  ui_.card_title(ui_.word(Word::about_model));
  draw_model(ui_, app_, panels_);
  ui_.end_card();
}

// Over the page's foot, so that nothing moves.
void Page::draw_notice() {
  if (app_.notice_text().empty()) return;
  const std::string text(ui_.drawable(TextSize::body, app_.notice_text()));
  ImFont* font = ui_.font(TextSize::body);
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
  ui_.outline().add(Role::text, "notice", app_.notice_text(), ui_.box(low, high));
}

}  // namespace minibert::page
