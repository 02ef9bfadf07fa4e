// The page's header, its fields' buttons, and the panels beside the first tab's sentence.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "panels/parts.h"

namespace minibert::page {

// The panels' state between frames.
struct PanelState {
  bool menu = false;        // the header's folded part is open
  bool share = false;       // link, code and worksheet are shown
  bool tools = false;       // the toolbar's folded part is open
  bool to_details = false;  // scroll the panel into the window
  // The token whose attention is shown, -1 for none; stays when the pointer leaves.
  int attention_from = -1;
  int attention_to = -1;  // in the heat map's cell that was pointed at last
};

// One panel of the card; its name in links is name_of(view).
struct Panel {
  View view;
  Word title;
  void (*draw)(Ui&, App&, PanelState&);
};
extern const std::array<Panel, kViewNames.size()> kPanels;

// `folds`: models, link, language and theme are behind one button.
void draw_header(Ui& ui, App& app, PanelState& state, float width, bool folds);
// Tells what the page is, and that its models are often wrong.
void draw_about(Ui& ui, const App& app);
// Draws the buttons of the field being edited. `folds`: the rarer ones are behind one button.
void draw_toolbar(Ui& ui, App& app, PanelState& state, bool folds);
// Draws the panels' tabs and the chosen panel.
void draw_details(Ui& ui, App& app, PanelState& state, float width);

void draw_attention(Ui& ui, App& app, PanelState& state);
void draw_explain(Ui& ui, App& app, PanelState& state);
// In the explanation: switches for heads and layers, and their effect.
void draw_changes(Ui& ui, App& app, const ExplainView& view);
void draw_training(Ui& ui, App& app, PanelState& state);
void draw_tokens(Ui& ui, App& app, PanelState& state);
void draw_model(Ui& ui, App& app, PanelState& state);

}  // namespace minibert::page
