// The page's header, the buttons of its fields, and what its places show.
#pragma once

#include <string>

#include "panels/parts.h"

namespace minibert::page {

// The panels' state between frames.
struct PanelState {
  bool menu = false;     // what the header folds away is shown
  bool share = false;    // link, code and worksheet are
  bool tools = false;    // what the toolbar folds away is shown
  bool to_step = false;  // the explanation's step is to come into the window
};

// `folds`: models, link, language and theme are behind one button.
void draw_header(Ui& ui, App& app, PanelState& state, float width, bool folds);
// Offers the large model, or the small one where the large one is used; says what comes meanwhile. `beside`: what was
// drawn last, buttons.
void draw_other_size(Ui& ui, App& app, bool beside);
// Says what the page is, and that its models are often wrong.
void draw_about(Ui& ui, App& app);
// The buttons of the field that is edited. `folds`: the rarer ones are behind one button.
void draw_toolbar(Ui& ui, App& app, PanelState& state, bool folds);

// In the explanation, below the sentence: what was guessed by which model, and how that is changed.
void draw_answer(Ui& ui, App& app);
// Draws what stands beside the title: undoing changes, and another model.
void draw_explain_tools(Ui& ui, App& app);
// The steps that lead there, one at a time.
void draw_explain(Ui& ui, App& app, PanelState& state, float width);
void draw_training(Ui& ui, App& app);
void draw_model(Ui& ui, App& app);

}  // namespace minibert::page
