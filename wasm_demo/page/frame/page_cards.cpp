// The cards of a tab, and the notice over them.
#include <algorithm>
#include <cmath>

#include "core/utf8.h"
#include "frame/page.h"
#include "host/host.h"

namespace minibert::page {
namespace {

// The share of the window's height that one field may take, and each of two.
constexpr float kMostOfOne = 0.4f, kMostOfTwo = 0.22f;
constexpr float kOpening = 1.5f;      // of the type of one large sentence, where there is room
constexpr float kLineSpacing = 1.5f;  // as in web/page.css
constexpr float kLeastSize = 16;      // CSS pixels: phones zoom into fields of smaller type

}  // namespace

// The place of a field's text element (web/fields.js), which shows and edits the text itself; at most `most_height`
// device pixels high, or three lines.
void Page::draw_field(size_t index, float most_height) {
  const FieldLook& look = app_.tab().fields[index].look;
  const FieldText& field = app_.field(index);
  const bool edited = index == app_.edited();
  const bool opens =
      look.size == TextSize::large && !ui_.compact() && app_.view() == View::sentence;
  const float size = GlyphCache::css_size(look.size) * zoom() * (opens ? kOpening : 1);
  const float line = kLineSpacing * size * pixel_ratio_, edge = ui_.px(8);
  const float told = field_heights_[look.name] * pixel_ratio_;
  const float height =
      std::ceil(std::clamp(told, line + edge, std::max(3 * line, most_height) + edge));
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const ImVec2 high{low.x + ui_.inner_width(), low.y + height};
  ImGui::Dummy({ui_.inner_width(), height});
  const Box box = ui_.last_item();
  ui_.mark(look.name, box);
  if (edited) ui_.mark("editor", box);
  if (field.revision() != shown_revision_ && edited) {
    shown_revision_ = field.revision();
    ui_.measure(TextSize::small,
                to_utf8(field.text()));  // whatever it has that no font here has is asked for
  }
  Json marks = Json::array();
  UnitPlaces places(field.text());
  const auto mark = [&](Range range, Color ground, Color under, const std::string& label,
                        bool here) {
    const uint32_t begin = places.units_at(std::min(range.begin, field.text().size()));
    marks.push_back(
        {begin, places.units_at(range.end), css_color(ground), css_color(under), label, here});
  };
  if (index == 0 && app_.tab().marks)
    for (const Mark& one : app_.tab().marks(ui_, app_))
      mark(one.range, one.ground, one.line, "", one.here);
  const std::vector<std::string> filled =
      app_.tab().blanks ? app_.tab().blanks(app_) : std::vector<std::string>();
  for (size_t i = 0; i < field.masks().size(); ++i)
    mark(field.masks()[i], ui_.colors().soft, ui_.colors().accent,
         i < filled.size() ? filled[i] : std::string(), false);
  const Json shown = {{"text", to_utf8(field.text())},
                      {"placeholder", ui_.word(look.placeholder)},
                      {"opened", field.opened()},
                      {"most", kMostCharacters},
                      {"masks", app_.tab().fields[index].masks},
                      {"lines", app_.tab().fields[index].lines},
                      {"size", std::max(kLeastSize, size)},
                      {"marks", std::move(marks)}};
  OutlineNode& node = ui_.outline().add(Role::editor, look.name, ui_.word(look.title), box);
  node.on = edited;
  node.cells = {shown.dump(-1, ' ', false, Json::error_handler_t::replace)};
  if (picture_) return;
  const bool typed = focused_ == look.name;
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(low, high, ui_.colors().page, ui_.px(8));
  list->AddRect(low, high, typed ? ui_.colors().accent : ui_.colors().outline, ui_.px(8), 0,
                ui_.px(typed ? 1.5f : 1));
  if (UnitPlaces(field.text()).units_at(field.text().size()) >= kMostCharacters)
    ui_.paragraph(say(Word::text_full, ui_.language(), std::to_string(kMostCharacters)),
                  ui_.colors().warning, TextSize::small, std::string(look.name) + "-full");
}

// The chosen tab's fields, each at most so high a part of the window.
void Page::draw_fields() {
  const Tab& tab = app_.tab();
  const size_t fields = tab.fields.size();
  for (size_t i = 0; i < fields; ++i) {
    if (fields > 1)
      ui_.label(ui_.word(tab.fields[i].look.title), ui_.colors().muted, TextSize::small);
    const bool small = fields > 1 && !tab.fields[i].lines;
    draw_field(i, (small ? kMostOfTwo : kMostOfOne) * static_cast<float>(height_));
  }
}

// The card of the chosen tab's fields; on a narrow page its result and examples are below it.
void Page::draw_tab(float main, bool two, bool folds) {
  const Tab& tab = app_.tab();
  ui_.begin_card(tab.card, ui_.word(tab.card_title), main);
  ui_.paragraph(ui_.word(tab.opening), ui_.colors().text, TextSize::body, "opening");
  draw_fields();
  if (folds) draw_best(ui_, app_);
  if (!picture_) draw_toolbar(ui_, app_, panels_, folds);
  // Where the result is beside the text the examples are near that.
  const bool examples_here = two && !tab.masks && !folds && !picture_;
  if (examples_here) draw_examples();
  ui_.end_card();
  if (!two && !tab.masks) tab.draw(ui_, app_, main);
  if (!examples_here && !tab.masks) draw_more(main, folds);
}

void Page::draw_examples() {
  if (app_.tab().draw_examples)
    app_.tab().draw_examples(ui_, app_);
  else
    draw_chips(ui_, app_);
}

void Page::draw_more(float width, bool folds) {
  if (picture_) return;
  const Tab& tab = app_.tab();
  ui_.begin_card("more", ui_.word(Word::examples), width, Frame::none);
  draw_examples();
  if (tab.masks && !folds && !touch_)
    ui_.paragraph(ui_.word(Word::shortcuts), ui_.colors().muted, TextSize::small, "shortcuts");
  ui_.end_card();
}

// How it guessed, how it learnt, or the model's facts, below the sentence that they are about.
void Page::draw_place(float width) {
  const View view = app_.view();
  const Word title = view == View::explain    ? Word::explain
                     : view == View::training ? Word::training
                                              : Word::about_model;
  ui_.begin_card("place", ui_.word(Word::back), width, Frame::none);
  if (ui_.button("back", ui_.word(Word::back), true, Weight::quiet))
    app_.choose_view(View::sentence);
  ui_.flow(ui_.measure(TextSize::title, ui_.word(title)).x, 14);
  const ImVec2 at = ImGui::GetCursorScreenPos(),
               size = ui_.measure(TextSize::title, ui_.word(title));
  ui_.draw_text({at.x, at.y + (ui_.button_height() - size.y) / 2}, TextSize::title,
                ui_.colors().text, ui_.word(title));
  ImGui::Dummy({size.x, ui_.button_height()});
  ui_.flow(ui_.button_width(ui_.word(Word::save_picture)), 14);
  if (ui_.button("save-picture", ui_.word(Word::save_picture), true, Weight::quiet))
    host::save_picture();
  if (view == View::explain) draw_explain_tools(ui_, app_);
  ui_.end_card();
  ui_.begin_card(app_.tab().card, ui_.word(app_.tab().card_title), width);
  draw_fields();
  if (view == View::explain) draw_answer(ui_, app_);
  ui_.end_card();
  if (view == View::explain) return draw_explain(ui_, app_, panels_, width);
  ui_.begin_card("details", ui_.word(title), width);
  view == View::training ? draw_training(ui_, app_) : draw_model(ui_, app_);
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
