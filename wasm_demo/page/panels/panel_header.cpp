// Title, model chooser, language, theme, link; the editor's buttons; examples.
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
    if (model.task != app.task()) continue;
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
  if (app.task() != Task::fill) {
    const float rest = labelled(Word::model, model_label);
    const std::string current = app.settings().model_of(app.task());
    const std::string chosen =
        draw_chooser(ui, app, "model", Word::model, Word::count, current, rest);
    if (chosen != current) app.choose_model(chosen);
    return;
  }
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

// Which of the page's tasks, of those that there are models for.
void draw_tasks(Ui& ui, App& app) {
  struct Tab {
    Task task;
    const char* name;
    Word title;
  };
  constexpr Tab kTabs[] = {{Task::fill, "task-fill", Word::fill_masks},
                           {Task::ask, "task-ask", Word::ask},
                           {Task::label, "task-label", Word::label_texts},
                           {Task::name, "task-name", Word::mark_names}};
  ui.outline().begin(Role::group, "tasks", ui.word(Word::task));
  Task pressed = app.task();
  for (const Tab& tab : kTabs) {
    if (tab.task != Task::fill && !app.can(tab.task)) continue;
    if (tab.task != Task::fill) ui.flow(ui.button_width(ui.word(tab.title)));
    if (ui.toggle(tab.name, ui.word(tab.title), tab.task == app.task())) pressed = tab.task;
  }
  ui.outline().end();
  if (pressed != app.task()) app.choose_task(pressed);
}

// A sentence to press; `chosen` is the one that stands in the editor.
bool draw_chip(Ui& ui, const std::string& name, const std::string& sentence, bool chosen,
               bool first) {
  const float padding = ui.px(12), height = ui.px(ui.target(30));
  const std::string text = ui.elide(TextSize::small, sentence, ui.inner_width() - 2 * padding);
  const ImVec2 extent = ui.measure(TextSize::small, text);
  const float width = extent.x + 2 * padding;
  if (!first) ui.flow(width);
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const bool pressed = ui.target_area(name, sentence, {width, height});
  const ImVec2 high{low.x + width, low.y + height};
  const bool hovered = ImGui::IsItemHovered();
  if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(low, high, hovered ? ui.colors().button_hover : ui.colors().soft, height / 2);
  list->AddRect(low, high, chosen ? ui.colors().accent : ui.colors().outline, height / 2, 0,
                ui.px(chosen ? 2 : 1));
  ui.draw_text({low.x + padding, low.y + (height - extent.y) / 2}, TextSize::small,
               ui.colors().text, text);
  return pressed;
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
  if (app.can(Task::ask) || app.can(Task::label) || app.can(Task::name)) {
    ImGui::SetCursorScreenPos({ImGui::GetItemRectMax().x + ui.px(16), row.y - ui.px(2)});
    draw_tasks(ui, app);
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
  if (app.task() == Task::fill) {
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

void draw_questions(Ui& ui, App& app) {
  ui.outline().begin(Role::list, "examples", ui.word(Word::examples));
  ui.label(ui.word(Word::examples), ui.colors().muted, TextSize::small);
  const std::string now = to_utf8(app.field(Field::question).text());
  for (size_t i = 0; i < kQuestions.size(); ++i)
    if (draw_chip(ui, "example-" + std::to_string(i), std::string(kQuestions[i]),
                  now == kQuestions[i], i == 0))
      app.use_question(kQuestions[i]);
  ui.outline().end();
}

void draw_chips(Ui& ui, App& app, std::span<const std::string_view> texts) {
  ui.outline().begin(Role::list, "examples", ui.word(Word::examples));
  ui.label(ui.word(Word::examples), ui.colors().muted, TextSize::small);
  const std::string now = to_utf8(app.editor().text());
  for (size_t i = 0; i < texts.size(); ++i)
    if (draw_chip(ui, "example-" + std::to_string(i), std::string(texts[i]), now == texts[i],
                  i == 0))
      app.use_example(texts[i]);
  ui.outline().end();
}

void draw_examples(Ui& ui, App& app) {
  const std::vector<std::string>& exercises = app.settings().exercises;
  const Word title = exercises.empty() ? Word::examples : Word::exercises;
  ui.outline().begin(Role::list, "examples", ui.word(title));
  ui.label(ui.word(title), ui.colors().muted, TextSize::small);
  const std::string now = to_utf8(app.editor().text());
  std::string chosen;
  const auto offer = [&](size_t i, const std::string& number, std::string_view sentence) {
    const std::string name = "example-" + std::to_string(i);
    if (draw_chip(ui, name, number + std::string(sentence), now == sentence, i == 0))
      chosen = sentence;
  };
  for (size_t i = 0; i < exercises.size(); ++i)
    offer(i, std::to_string(i + 1) + ". ", exercises[i]);
  for (size_t i = 0; i < kExamples.size() && exercises.empty(); ++i) offer(i, "", kExamples[i]);
  ui.outline().end();
  if (!chosen.empty()) app.use_example(chosen);
  if (!app.settings().lesson) return;
  if (ui.button("add-exercise", ui.word(Word::add_exercise), app.can_add_exercise()))
    app.add_exercise();
  ui.flow(ui.button_width(ui.word(Word::clear_exercises)));
  if (ui.button("clear-exercises", ui.word(Word::clear_exercises), !exercises.empty()))
    app.clear_exercises();
  ui.paragraph(ui.word(Word::exercises_hint), ui.colors().muted, TextSize::small, "exercises-hint");
}

}  // namespace minibert::page
