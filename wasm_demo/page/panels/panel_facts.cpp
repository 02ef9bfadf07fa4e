// Model facts.
#include <algorithm>
#include <cstdio>

#include "host/host.h"
#include "panels/panels.h"

namespace minibert::page {
namespace {

struct FactName {
  std::string_view key;  // as web/models.js writes it
  Word word;
};
// The model's quality comes before its architecture and origin.
constexpr FactName kFactNames[] = {
    {"parameters", Word::parameters}, {"bytes", Word::file_size},
    {"weights", Word::weights},       {"kernel", Word::kernel},
    {"data", Word::card_data},        {"architecture", Word::architecture},
    {"source_run", Word::source_run}, {"source_sha256", Word::source_hash},
};

// The model's quality in large figures side by side, each with its measure and data below it.
void draw_card_figures(Ui& ui, const ModelView& model) {
  bool first = true;
  for (const Figure& figure : model.card) {
    const std::string value = measure_number(figure), name = measure_name(ui, figure),
                      split = measure_split(ui, figure);
    const TextSize size = first ? TextSize::headline : TextSize::large;
    const float width = std::max({ui.measure(size, value).x, ui.measure(TextSize::small, name).x,
                                  ui.measure(TextSize::small, split).x});
    if (!first) ui.flow(width, 28);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float line = ui.font(TextSize::small)->FontSize + ui.px(2);
    const float large = ui.font(TextSize::headline)->FontSize + ui.px(2);
    ui.draw_text({at.x, at.y + large - ui.px(2) - ui.font(size)->FontSize}, size, ui.colors().text,
                 value);
    ui.draw_text({at.x, at.y + large}, TextSize::small, ui.colors().text, name);
    ui.draw_text({at.x, at.y + large + line}, TextSize::small, ui.colors().muted, split);
    ImGui::Dummy({width, large + 2 * line});
    ui.outline().add(Role::text, fact_name(ui), name + ": " + value + " (" + split + ")",
                     ui.last_item());
    first = false;
  }
}

// How long the last answer to the first tab's sentence took.
void draw_timing(Ui& ui, const Fill* fill) {
  if (!fill || !fill->error.empty()) return;
  draw_fact(ui, ui.word(Word::timing),
            milliseconds(total_ms(fill->found.timing)) + " · " + fill->kernel);
}

// `limits`: what the model cannot do.
void draw_facts_of(Ui& ui, const ModelView& model, ImU32 color, std::string_view limits) {
  ui.label(model.shown.in(ui.language()), color, TextSize::title);
  ui.paragraph(model.name, ui.colors().muted, TextSize::small, fact_name(ui));
  draw_card_figures(ui, model);
  ImGui::Dummy({1, ui.px(2)});
  for (const FactName& name : kFactNames) {
    const std::string value = model.fact(name.key);
    if (value.empty()) continue;
    const bool made = name.key == "architecture";
    if (made && !limits.empty() && !model.is_own())
      draw_fact(ui, ui.word(Word::card_limits), limits);
    draw_fact(ui, ui.word(name.word), made ? model.shape.in(ui.language()) : value);
  }
}

}  // namespace

void draw_model(Ui& ui, App& app) {
  if (const ModelView* chosen = app.chosen())
    draw_facts_of(ui, *chosen, ui.colors().accent, ui.word(app.tab().limits));
  if (app.tab().masks) draw_timing(ui, app.fill());
  if (const ModelView* other = app.model(app.settings().compare); other && app.tab().masks) {
    ImGui::Dummy({1, ui.px(10)});
    draw_facts_of(ui, *other, ui.colors().second, {});
    draw_timing(ui, app.compared());
  }
  draw_fact(ui, ui.word(Word::card_licence), ui.word(Word::card_licence_text));
  if (ui.button("open-notice", ui.word(Word::open_notice), true, Weight::quiet))
    host::open_file("NOTICE.txt");
  if (!app.source_link().empty()) {
    ui.flow(ui.button_width(ui.word(Word::open_source)));
    if (ui.button("open-source", ui.word(Word::open_source), true, Weight::quiet))
      host::open_file(app.source_link().c_str());
  }
  ui.flow(ui.button_width(ui.word(Word::pick_file)));
  if (ui.button("pick-file", ui.word(Word::pick_file), true, Weight::quiet)) host::pick_file();
  ui.paragraph(ui.word(Word::drop_hint), ui.colors().muted, TextSize::small, "drop-hint");
}

}  // namespace minibert::page
