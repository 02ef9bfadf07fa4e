// The panels beside the sentence.
#include "panels.h"

#include <algorithm>

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
          ui.colors().accent, ui.px(1));
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
