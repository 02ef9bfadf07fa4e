// The panels beside the sentence.
#include "panels/panels.h"

#include <algorithm>

namespace minibert::page {
namespace {

constexpr float kTabPadding = 9;  // of a view's tab

}  // namespace

const std::array<Panel, kViewNames.size()> kPanels = {{
    {View::attention, Word::attention, draw_attention},
    {View::explain, Word::explain, draw_explain},
    {View::training, Word::training, draw_training},
    {View::tokens, Word::tokens, draw_tokens},
    {View::model, Word::about_model, draw_model},
}};

void draw_details(Ui& ui, App& app, PanelState& state, float width) {
  ui.begin_card("details", ui.word(Word::details), width);
  ui.outline().begin(Role::group, "views", ui.word(Word::what_to_show));
  for (const Panel& panel : kPanels) {
    if (panel.view == View::training && !app.model(kLearningModel)) continue;
    const std::string_view title = ui.word(panel.title);
    const float width = std::max(ui.tab_text_width(title, true) + 2 * ui.px(kTabPadding),
                                 ui.px(ui.touch() ? 44 : 0));
    if (&panel != kPanels.data()) ui.flow(width, 0);
    const std::string name = "view-" + std::string(name_of(panel.view));
    if (ui.tab(name.c_str(), title, app.settings().view == panel.view, width, true))
      app.choose_view(panel.view);
  }
  ui.outline().end();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (!ui.picture())
    ImGui::GetWindowDrawList()->AddRectFilled(
        {at.x, at.y - ui.px(8)}, {at.x + ui.inner_width(), at.y - ui.px(7)}, ui.colors().border);
  for (const Panel& panel : kPanels)
    if (panel.view == app.settings().view) panel.draw(ui, app, state);
  ui.end_card();
}

}  // namespace minibert::page
