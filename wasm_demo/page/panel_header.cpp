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

void draw_choosers(Ui& ui, App& app, float width) {
  const bool two = width > ui.px(560);
  const float label_gap = ui.px(6);
  const float each = two ? (width - ui.px(12)) / 2 : width;
  const auto chooser = [&](const char* name, Word label, const std::string& current,
                           bool optional) {
    std::string picked = current;
    const float label_width = ui.measure(TextSize::small, ui.word(label)).x + label_gap;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ui.draw_text({at.x, at.y + ui.px(10)}, TextSize::small, ui.colors().muted, ui.word(label));
    ImGui::SetCursorScreenPos({at.x + label_width, at.y});
    if (ui.begin_combo(name, shown_name(ui, app.model(current)), each - label_width)) {
      if (optional && ui.combo_item((std::string(name) + "-none").c_str(), ui.word(Word::nothing),
                                    current.empty()))
        picked.clear();
      for (const ModelView& model : app.models()) {
        if (optional && model.id == app.settings().model) continue;
        const std::string item = std::string(name) + "-" + model.id;
        if (ui.combo_item(item.c_str(), shown_name(ui, &model), model.id == current))
          picked = model.id;
      }
      ImGui::EndCombo();
    }
    return picked;
  };
  const std::string chosen = chooser("model", Word::model, app.settings().model, false);
  if (chosen != app.settings().model) app.choose_model(chosen);
  if (two) ImGui::SameLine(0, ui.px(12));
  const std::string compare = chooser("compare", Word::compare_with, app.settings().compare, true);
  if (compare != app.settings().compare) app.choose_compare(compare);
}

}  // namespace

void draw_header(Ui& ui, App& app, float width) {
  Settings& settings = app.settings();
  ui.begin_card("header", width);
  ui.label("minibert", ui.colors().accent, TextSize::large);
  const float subtitle = ui.measure(TextSize::small, ui.word(Word::subtitle)).x;
  if (width > ui.px(760)) {
    ImGui::SameLine(0, ui.px(12));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ui.draw_text({at.x, at.y + ui.px(10)}, TextSize::small, ui.colors().muted,
                 ui.word(Word::subtitle));
    ImGui::Dummy({subtitle, ui.px(20)});
  }
  const Word theme = settings.theme == Theme::light ? Word::theme_dark : Word::theme_light;
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
    settings.language =
        settings.language == Language::korean ? Language::english : Language::korean;
  ImGui::SameLine(0, gap);
  if (ui.button("theme", ui.word(theme)))
    settings.theme = settings.theme == Theme::light ? Theme::dark : Theme::light;
  draw_choosers(ui, app, ui.inner_width());
  if (!app.notice_text().empty())
    ui.paragraph(app.notice_text(),
                 app.notice_is_warning() ? ui.colors().warning : ui.colors().second);
  const ModelView* chosen = app.chosen();
  if (chosen && chosen->state == ModelState::failed)
    ui.paragraph(chosen->name + ": " + chosen->error, ui.colors().warning);
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
  std::string picked;
  if (ui.begin_combo("examples", ui.word(Word::examples), ui.inner_width())) {
    for (size_t i = 0; i < kExamples.size(); ++i)
      if (ui.combo_item(("example-" + std::to_string(i)).c_str(), kExamples[i].text, false))
        picked = kExamples[i].text;
    ImGui::EndCombo();
  }
  if (!picked.empty()) app.use_example(picked);
}

}  // namespace minibert::page
