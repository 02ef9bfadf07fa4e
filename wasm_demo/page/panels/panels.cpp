// The panels beside the sentence.
#include "panels/panels.h"

#include <algorithm>

#include "host/host.h"

namespace minibert::page {

const std::array<Panel, static_cast<size_t>(View::count)> kPanels = {{
    {View::attention, Word::attention, draw_attention},
    {View::explain, Word::explain, draw_explain},
    {View::tokens, Word::tokens, draw_tokens},
    {View::timing, Word::timing, draw_timing},
    {View::model, Word::about_model, draw_model},
}};

void draw_details(Ui& ui, App& app, PanelState& state, float width) {
  ui.begin_card("details", ui.word(Word::details), width);
  ui.outline().begin(Role::group, "views", ui.word(Word::details));
  for (const Panel& panel : kPanels) {
    if (&panel != kPanels.data()) ui.flow(ui.button_width(ui.word(panel.title)));
    const std::string name = "view-" + std::string(view_name(panel.view));
    if (ui.toggle(name.c_str(), ui.word(panel.title), app.settings().view == panel.view))
      app.settings().view = panel.view;
  }
  ui.outline().end();
  ImGui::Dummy({1, ui.px(2)});
  for (const Panel& panel : kPanels)
    if (panel.view == app.settings().view) panel.draw(ui, app, state);
  ui.end_card();
}

bool draw_instead(Ui& ui, App& app, const char* name, const Bilingual* error, bool empty,
                  Word when_empty) {
  const ModelView* model = app.chosen();
  if (model && model->state == ModelState::failed) {
    ui.paragraph(model->error.in(ui.language()), ui.colors().warning, TextSize::body, name);
  } else if (!error) {
    ui.paragraph(ui.word(Word::loading), ui.colors().muted, TextSize::body, name);
  } else if (!error->empty()) {
    ui.paragraph(error->in(ui.language()), ui.colors().warning, TextSize::body, name);
  } else if (empty) {
    ui.paragraph(ui.word(when_empty), ui.colors().muted, TextSize::body, name);
  } else if (!app.shows_guesses()) {
    ui.paragraph(ui.word(Word::hidden_guesses), ui.colors().text, TextSize::body, "hidden");
    if (ui.button("show", ui.word(Word::show_guesses), true, true)) app.reveal();
  } else {
    return false;
  }
  return true;
}

void draw_result_buttons(Ui& ui, App& app, const std::string& text) {
  if (ui.button("copy-text", ui.word(Word::copy_text))) host::copy_text(text);
  ui.flow(ui.button_width(ui.word(Word::save_picture)));
  if (ui.button("save-picture", ui.word(Word::save_picture))) host::save_picture();
  if (!app.settings().lesson) return;
  ui.flow(ui.button_width(ui.word(Word::hide_guesses)));
  if (ui.button("hide", ui.word(Word::hide_guesses))) app.hide();
}

void draw_read_part(Ui& ui, const ReadView& read) {
  if (read.read < read.pieces)
    ui.paragraph(say(Word::read_part, ui.language(), std::to_string(read.read)),
                 ui.colors().warning, TextSize::small, "read-part");
}

void draw_figures(Ui& ui, Word word, std::initializer_list<std::string> values, const char* name) {
  std::string text(ui.word(word));
  for (const std::string& value : values) {
    if (value.empty()) return;
    text.replace(text.find("{}"), 2, value);
  }
  ui.paragraph(text, ui.colors().muted, TextSize::small, name);
}

std::string fact(const ModelView& model, std::string_view key) {
  for (const auto& [name, value] : model.facts)
    if (name == key) return value;
  return {};
}

std::string shown_piece(std::string_view piece) {
  constexpr std::string_view kWordStart = "▁";
  std::string text;
  for (size_t at = 0; at < piece.size();) {
    const bool start = piece.substr(at).starts_with(kWordStart);
    text += start ? "·" : std::string(1, piece[at]);
    at += start ? kWordStart.size() : 1;
  }
  return text;
}

void draw_table(Ui& ui, const char* name, std::string_view label,
                const std::vector<std::string>& heads, const std::vector<TableRow>& rows) {
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float line = ui.px(24), column = ui.inner_width() / static_cast<float>(heads.size());
  OutlineNode& table = ui.outline().add(Role::table, name, label);
  table.columns = static_cast<int>(heads.size());
  table.cells = heads;
  float y = origin.y;
  for (size_t i = 0; i < heads.size(); ++i)
    ui.draw_text({origin.x + column * static_cast<float>(i), y}, TextSize::small, ui.colors().muted,
                 ui.elide(TextSize::small, heads[i], column - ui.px(6)));
  for (const TableRow& row : rows) {
    y += line;
    if (row.bar >= 0)
      ImGui::GetWindowDrawList()->AddRectFilled(
          {origin.x, y + line - ui.px(7)},
          {origin.x + ui.inner_width() * std::min(1.0f, row.bar), y + line - ui.px(5)},
          row.against ? ui.colors().second : ui.colors().accent, ui.px(1));
    for (size_t i = 0; i < row.cells.size(); ++i)
      ui.draw_text({origin.x + column * static_cast<float>(i), y}, TextSize::small,
                   ui.colors().text, ui.elide(TextSize::small, row.cells[i], column - ui.px(6)));
    table.cells.insert(table.cells.end(), row.cells.begin(), row.cells.end());
  }
  ImGui::Dummy({ui.inner_width(), y + line - origin.y});
}

void draw_nothing_yet(Ui& ui, const App& app, std::string_view name) {
  const auto& fill = app.fill(0);
  const ModelView* chosen = app.chosen();
  if (fill && !fill->error.empty()) {
    ui.paragraph(fill->error.in(ui.language()), ui.colors().warning, TextSize::body, name);
  } else if (!fill && chosen && chosen->state == ModelState::failed) {
    ui.paragraph(chosen->error.in(ui.language()), ui.colors().warning, TextSize::body, name);
  } else {
    ui.paragraph(ui.word(fill && fill->tokens.empty() ? Word::no_text : Word::loading),
                 ui.colors().muted, TextSize::body, name);
  }
}

}  // namespace minibert::page
