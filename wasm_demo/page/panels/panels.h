// The page's header, the buttons of its fields, and the panels of the card beside the first tab's sentence.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "panels/parts.h"

namespace minibert::page {

// What the panels keep between frames.
struct PanelState {
  bool menu = false;        // what the header folds away is shown
  bool share = false;       // link, code and worksheet are
  bool tools = false;       // what the toolbar folds away is shown
  bool to_details = false;  // the panel is to come into the window
  int attention_from =
      -1;  // the token that is looked from, -1 for none; stays when the pointer leaves
  int attention_to = -1;  // of the heat map's cell that was last pointed at
};

// One choice of the card beside the sentence; its name in links is name_of(view).
struct Panel {
  View view;
  Word title;
  void (*draw)(Ui&, App&, PanelState&);
};
extern const std::array<Panel, kViewNames.size()> kPanels;

// `folds`: models, link, language and theme are behind one button.
void draw_header(Ui& ui, App& app, PanelState& state, float width, bool folds);
// What the page is, and that its models are often wrong.
void draw_about(Ui& ui, const App& app);
// The buttons of the field that is edited. `folds`: the rarer ones are behind one button.
void draw_toolbar(Ui& ui, App& app, PanelState& state, bool folds);
// The chooser of panels and the chosen one.
void draw_details(Ui& ui, App& app, PanelState& state, float width);

void draw_attention(Ui& ui, App& app, PanelState& state);
void draw_explain(Ui& ui, App& app, PanelState& state);
// In the explanation: switches for heads and layers, and what they change.
void draw_changes(Ui& ui, App& app, const ExplainView& view);
void draw_training(Ui& ui, App& app, PanelState& state);
void draw_tokens(Ui& ui, App& app, PanelState& state);
void draw_model(Ui& ui, App& app, PanelState& state);

}  // namespace minibert::page
