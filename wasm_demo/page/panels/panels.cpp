// The panels beside the sentence.
#include "panels/panels.h"

namespace minibert::page {

const std::array<Panel, kViewNames.size()> kPanels = {{
    {View::attention, Word::attention, draw_attention},
    {View::explain, Word::explain, draw_explain},
    {View::training, Word::training, draw_training},
    {View::tokens, Word::tokens, draw_tokens},
    {View::timing, Word::timing, draw_timing},
    {View::model, Word::about_model, draw_model},
}};

void draw_details(Ui& ui, App& app, PanelState& state, float width) {
  ui.begin_card("details", ui.word(Word::details), width);
  ui.card_title(ui.word(Word::details));
  ui.outline().begin(Role::group, "views", ui.word(Word::what_to_show));
  for (const Panel& panel : kPanels) {
    if (panel.view == View::training && !app.model(kLearningModel)) continue;
    if (&panel != kPanels.data()) ui.flow(ui.button_width(ui.word(panel.title)));
    const std::string name = "view-" + std::string(name_of(panel.view));
    if (ui.toggle(name.c_str(), ui.word(panel.title), app.settings().view == panel.view))
      app.choose_view(panel.view);
  }
  ui.outline().end();
  ImGui::Dummy({1, ui.px(2)});
  for (const Panel& panel : kPanels)
    if (panel.view == app.settings().view) panel.draw(ui, app, state);
  ui.end_card();
}

}  // namespace minibert::page
