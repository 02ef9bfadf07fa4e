// Title, tabs, model chooser, language, theme, link; the editor's buttons.
#include <algorithm>
#include <cstdio>

#include "core/utf8.h"
#include "host/host.h"
#include "panels/panels.h"

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
    if (model.task != app.tab().link.task) continue;
    if (none != Word::count && model.id == app.settings().tab().model) continue;
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
  const std::string current = app.settings().tab().model;
  if (!app.tab().masks) {
    const float rest = labelled(Word::model, model_label);
    const std::string chosen =
        draw_chooser(ui, app, "model", Word::model, Word::count, current, rest);
    if (chosen != current) app.choose_model(chosen);
    return;
  }
  float rest = labelled(Word::model, two ? model_label : same);
  const std::string chosen =
      draw_chooser(ui, app, "model", Word::model, Word::count, current, rest);
  if (two) ImGui::SameLine(0, ui.px(16));
  rest = labelled(Word::compare_with, two ? compare_label : same);
  const std::string compare = draw_chooser(ui, app, "compare", Word::compare_with, Word::nothing,
                                           app.settings().compare, rest);
  if (chosen != current) app.choose_model(chosen);
  if (compare != app.settings().compare) app.choose_compare(compare);
}

// The tabs, of those that there are models for.
void draw_tabs(Ui& ui, App& app) {
  ui.outline().begin(Role::group, "tasks", ui.word(Word::task));
  size_t pressed = app.settings().chosen;
  for (size_t i = 0; i < app.tabs().size(); ++i) {
    const Tab& tab = app.tabs()[i];
    if (i > 0 && !app.can(tab)) continue;
    if (i > 0) ui.flow(ui.button_width(ui.word(tab.title)));
    if (ui.toggle(tab.button, ui.word(tab.title), i == app.settings().chosen)) pressed = i;
  }
  ui.outline().end();
  if (pressed != app.settings().chosen) app.choose_tab(pressed);
}

}  // namespace

void draw_header(Ui& ui, App& app, float width) {
  Settings& settings = app.settings();
  ui.begin_card("header", "minibert", width);
  ui.label("minibert", ui.colors().accent, TextSize::large);
  ui.outline().add(Role::title, "title", "minibert", ui.last_item());
  const Word theme = app.theme() == Theme::light ? Word::theme_dark : Word::theme_light;
  const float gap = ui.px(6);
  float buttons = -gap;
  for (const Word word : {Word::share, Word::code, Word::lesson, Word::other_language, theme})
    buttons += ui.button_width(ui.word(word)) + gap;
  const ImVec2 row = ImGui::GetItemRectMin();
  const std::span<const Tab> others = app.tabs().subspan(1);
  if (std::any_of(others.begin(), others.end(), [&](const Tab& tab) { return app.can(tab); })) {
    ImGui::SetCursorScreenPos({ImGui::GetItemRectMax().x + ui.px(16), row.y - ui.px(2)});
    draw_tabs(ui, app);
  }
  const float end = ImGui::GetItemRectMax().x;
  if (ui.right_edge() - buttons > end + gap)
    ImGui::SetCursorScreenPos({ui.right_edge() - buttons, row.y - ui.px(2)});
  if (ui.button("share", ui.word(Word::share))) host::copy_link();
  const auto next = [&](Word word) { ui.flow(ui.button_width(ui.word(word))); };
  next(Word::code);
  if (ui.button("code", ui.word(Word::code))) host::show_code();
  next(Word::lesson);
  if (ui.toggle("lesson", ui.word(Word::lesson), settings.lesson)) {
    settings.lesson = !settings.lesson;
    app.hide();
  }
  next(Word::other_language);
  if (ui.button("language", ui.word(Word::other_language)))
    app.choose_language(settings.language == Language::korean ? Language::english
                                                              : Language::korean);
  next(theme);
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
  bool first = true;
  const auto next = [&](const char* name, Word word, bool enabled, bool primary = false) {
    if (!first) ui.flow(ui.button_width(ui.word(word)));
    first = false;
    return ui.button(name, ui.word(word), enabled, primary);
  };
  const bool has_text = !editor.text().empty();
  if (app.tab().masks) {
    if (next("insert-mask", Word::insert_mask, true, true)) editor.insert(kMaskText);
    if (next("mask-word", Word::mask_word, has_text)) editor.mask_selection();
    if (next("fill-all", Word::fill_all, app.can_fill_all())) app.fill_all();
  }
  if (next("undo", Word::undo, editor.can_undo())) editor.undo();
  if (next("redo", Word::redo, editor.can_redo())) editor.redo();
  if (next("clear", Word::clear, has_text)) editor.set_text(U"");
  if (!ui.touch()) return;
  // Fingers have neither Ctrl+C nor a menu here.
  const Range selected = editor.selection().range();
  if (next("select-all", Word::select_all, has_text)) editor.select({0, editor.text().size()});
  if (next("copy", Word::copy, !selected.empty()))
    host::copy_text(to_utf8(
        std::u32string_view(editor.text()).substr(selected.begin, selected.end - selected.begin)));
  if (next("paste", Word::paste, true)) host::paste_text();
}

}  // namespace minibert::page
