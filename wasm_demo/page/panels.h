// The page's parts below and beside the editor. Each draws one card or its inside.
#pragma once

#include <string>

#include "app.h"
#include "ui.h"

namespace minibert::page {

// Figures that are not in the app's state.
struct PageStats {
  uint64_t frames = 0;
  double page_megabytes = 0;
  double texture_megabytes = 0;
};

void draw_header(Ui& ui, App& app, float width);
void draw_toolbar(Ui& ui, App& app);
void draw_guesses(Ui& ui, App& app, float width);
void draw_examples(Ui& ui, App& app);
// `from`: the piece that is looked from, -1 for none; it stays when the pointer leaves, for touch.
void draw_attention(Ui& ui, App& app, int* from);
void draw_tokens(Ui& ui, const App& app);
void draw_timing(Ui& ui, const App& app, const PageStats& stats);
void draw_model(Ui& ui, const App& app);

// One "key  value" line of a table; a long value wraps.
void draw_fact(Ui& ui, std::string_view key, std::string_view value);

// "12.3%" and "1.23 ms".
std::string percent(float probability);
std::string milliseconds(double ms);

}  // namespace minibert::page
