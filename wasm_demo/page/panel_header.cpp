// Title, model chooser, language, theme, link; the editor's buttons; examples.
#include <algorithm>
#include <cstdio>

#include "host.h"
#include "panels.h"

namespace minibert::page {
namespace {

std::string shown_name(const Ui& ui, const ModelView* model) {
  if (!model) return std::string(ui.word(Word::nothing));
  if (model->state != ModelState::loading) return model->name;
  char percent[16];
  std::snprintf(percent, sizeof percent, " · %.0f%%", 100 * model->progress);
  return model->name + percent;
}

// A labelled list of models; the id of the chosen one.
std::string draw_chooser(Ui& ui, const App& app, const char* name, Word label, Word none,
                         const std::string& current, float width) {
  std::vector<std::string> ids, names;
  size_t selected = 0;
  if (none != Word::count) {
    ids.emplace_back();
    names.emplace_back(ui.word(none));
  }
  for (const ModelView& model : app.models()) {
    if (none != Word::count && model.id == app.settings().model) continue;
    if (model.id == current) selected = ids.size();
    ids.push_back(model.id);
    names.push_back(shown_name(ui, &model));
  }
  const auto picked = ui.select(name, ui.word(label), names, selected, width);
  return picked ? ids[*picked] : current;
}

// Both choosers: labels of one width, beside each other where there is room.
void draw_choosers(Ui& ui, App& app) {
  const float width = ui.inner_width();
  const bool two = width > ui.px(560);
  const float label_gap = ui.px(8);
  const float each = two ? (width - ui.px(16)) / 2 : width;
  const float model_label = ui.measure(TextSize::small, ui.word(Word::model)).x;
  const float compare_label = ui.measure(TextSize::small, ui.word(Word::compare_with)).x;
  const float same = std::max(model_label, compare_label);
  const auto labelled = [&](Word word, float label) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float line = ui.font(TextSize::small)->FontSize;
    ui.draw_text({at.x, at.y + (ui.button_height() - line) / 2}, TextSize::small, ui.colors().muted,
                 ui.word(word));
    ImGui::SetCursorScreenPos({at.x + label + label_gap, at.y});
    return each - label - label_gap;
  };
  float rest = labelled(Word::model, two ? model_label : same);
  const std::string chosen =
      draw_chooser(ui, app, "model", Word::model, Word::count, app.settings().model, rest);
  if (two) ImGui::SameLine(0, ui.px(16));
  rest = labelled(Word::compare_with, two ? compare_label : same);
  const std::string compare = draw_chooser(ui, app, "compare", Word::compare_with, Word::nothing,
                                           app.settings().compare, rest);
  if (chosen != app.settings().model) app.choose_model(chosen);
  if (compare != app.settings().compare) app.choose_compare(compare);
}

}  // namespace

void draw_header(Ui& ui, App& app, float width) {
  Settings& settings = app.settings();
  ui.begin_card("header", "minibert", width);
  ui.label("minibert", ui.colors().accent, TextSize::large);
  ui.outline().add(Role::title, "title", "minibert", ui.last_item());
  const Word theme = app.theme() == Theme::light ? Word::theme_dark : Word::theme_light;
  const float gap = ui.px(6);
  const float buttons = ui.button_width(ui.word(Word::share)) +
                        ui.button_width(ui.word(Word::other_language)) +
                        ui.button_width(ui.word(theme)) + 2 * gap;
  const ImVec2 row = ImGui::GetItemRectMin();
  const float title = ImGui::GetItemRectMax().x;
  if (ui.right_edge() - buttons > title + gap)
    ImGui::SetCursorScreenPos({ui.right_edge() - buttons, row.y - ui.px(2)});
  if (ui.button("share", ui.word(Word::share))) host::copy_link();
  ImGui::SameLine(0, gap);
  if (ui.button("language", ui.word(Word::other_language)))
    app.choose_language(settings.language == Language::korean ? Language::english
                                                              : Language::korean);
  ImGui::SameLine(0, gap);
  if (ui.button("theme", ui.word(theme)))
    app.choose_theme(app.theme() == Theme::light ? Theme::dark : Theme::light);
  ui.paragraph(ui.word(Word::subtitle), ui.colors().muted, TextSize::small, "subtitle");
  if (const ModelView* model = app.chosen(); model && !model->facts.empty())
    ui.paragraph(say(Word::privacy, ui.language(), model->facts.front().second), ui.colors().muted,
                 TextSize::small, "privacy");
  draw_choosers(ui, app);
  const ModelView* chosen = app.chosen();
  if (chosen && chosen->state == ModelState::failed)
    ui.paragraph(chosen->error.in(ui.language()), ui.colors().warning, TextSize::small,
                 "model-error");
  ui.end_card();
}

void draw_toolbar(Ui& ui, App& app) {
  EditorModel& editor = app.editor();
  if (ui.button("insert-mask", ui.word(Word::insert_mask), true, true)) editor.insert(kMaskText);
  const auto next = [&](const char* name, Word word, bool enabled) {
    ui.flow(ui.button_width(ui.word(word)));
    return ui.button(name, ui.word(word), enabled);
  };
  if (next("mask-word", Word::mask_word, !editor.text().empty())) editor.mask_selection();
  if (next("fill-all", Word::fill_all, app.can_fill_all())) app.fill_all();
  if (next("undo", Word::undo, editor.can_undo())) editor.undo();
  if (next("redo", Word::redo, editor.can_redo())) editor.redo();
  if (next("clear", Word::clear, !editor.text().empty())) editor.set_text(U"");
}

void draw_examples(Ui& ui, App& app) {
  const float width = ui.inner_width();
  ui.outline().begin(Role::list, "examples", ui.word(Word::examples));
  ui.label(ui.word(Word::examples), ui.colors().muted, TextSize::small);
  const float height = ui.px(ui.target(30));
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (size_t i = 0; i < kExamples.size(); ++i) {
    const std::string text = ui.elide(TextSize::small, kExamples[i].text, width - ui.px(24));
    const ImVec2 extent = ui.measure(TextSize::small, text);
    const float chip = extent.x + ui.px(24);
    if (i) ui.flow(chip);
    const ImVec2 low = ImGui::GetCursorScreenPos();
    const std::string name = "example-" + std::to_string(i);
    const bool pressed = ui.target_area(name, kExamples[i].text, {chip, height});
    const ImVec2 high{low.x + chip, low.y + height};
    const bool hovered = ImGui::IsItemHovered();
    if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    list->AddRectFilled(low, high, hovered ? ui.colors().button_hover : ui.colors().soft,
                        height / 2);
    list->AddRect(low, high, ui.colors().outline, height / 2);
    ui.draw_text({low.x + ui.px(12), low.y + (height - extent.y) / 2}, TextSize::small,
                 ui.colors().text, text);
    if (pressed) app.use_example(kExamples[i].text);
  }
  ui.outline().end();
}

}  // namespace minibert::page
