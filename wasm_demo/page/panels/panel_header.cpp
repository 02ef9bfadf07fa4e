// Title, tabs, model chooser, language, theme, link; the editor's buttons.
#include <algorithm>
#include <cstdio>

#include "core/utf8.h"
#include "host/host.h"
#include "panels/panels.h"

namespace minibert::page {
namespace {

constexpr float kChoosers = 720;  // width of both

// What there is to download before it can be used, and how much of that has come.
std::string shown_size(const ModelView& model) {
  char size[32] = "";
  if (model.state == ModelState::loading)
    std::snprintf(size, sizeof size, " · %.0f%% / %.1f MB", 100 * model.progress,
                  model.bytes / 1e6);
  else if (model.state != ModelState::ready)
    std::snprintf(size, sizeof size, " · %.1f MB", model.bytes / 1e6);
  return size;
}

std::string shown_name(const ModelView& model, Language language) {
  return model.shown.in(language) + shown_size(model);
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
    if (model.task != app.tab().link.task || model.series) continue;
    if (none != Word::count && &model == app.chosen()) continue;
    if (model.id == current) selected = ids.size();
    ids.push_back(model.id);
    names.push_back(shown_name(model, app.settings().language));
  }
  const auto picked = ui.select(name, ui.word(label), names, selected, width);
  return picked ? ids[*picked] : current;
}

// The models of the tab that are used: the chosen one, the one to compare with.
std::vector<const ModelView*> used_models(const App& app) {
  std::vector<const ModelView*> used = {app.chosen()};
  if (app.tab().masks) used.push_back(app.model(app.settings().compare));
  if (app.view() == View::explain && app.explained_model() != app.model_id(app.settings().chosen))
    used.push_back(app.model(app.explained_model()));
  std::erase(used, nullptr);
  return used;
}

bool is_waited_for(const ModelView* model) {
  return model->state == ModelState::loading || model->state == ModelState::failed;
}

// Which of them are still to come, and which did not.
void draw_waiting(Ui& ui, App& app) {
  const ModelView *stopped = nullptr, *again = nullptr;
  for (const ModelView* model : used_models(app)) {
    if (model->state == ModelState::failed) {
      ui.paragraph(model->error.in(ui.language()), ui.colors().warning, TextSize::small,
                   "model-error-" + model->id);
      if (ui.button(("again-" + model->id).c_str(), ui.word(Word::try_again), true, Weight::quiet))
        again = model;
    }
    if (model->state != ModelState::loading) continue;
    ui.paragraph(shown_name(*model, ui.language()), ui.colors().text, TextSize::small,
                 "loading-" + model->id);
    if (ui.button(("stop-" + model->id).c_str(), ui.word(Word::stop_download), true, Weight::quiet))
      stopped = model;
  }
  if (stopped) app.stop_download(stopped->id);
  if (again) app.try_again(again->id);
}

// Both choosers: labels of one width, beside each other where there is room.
void draw_choosers(Ui& ui, App& app) {
  const float width = std::min(ui.inner_width(), ui.px(kChoosers));
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
  const std::string current = app.model_id(app.settings().chosen);
  const bool masks = app.tab().masks;
  float rest = labelled(Word::model, masks && !two ? same : model_label);
  const std::string chosen =
      draw_chooser(ui, app, "model", Word::model, Word::count, current, rest);
  std::string compare = app.settings().compare;
  if (masks) {
    if (two) ImGui::SameLine(0, ui.px(16));
    rest = labelled(Word::compare_with, two ? compare_label : same);
    compare = draw_chooser(ui, app, "compare", Word::compare_with, Word::nothing, compare, rest);
  }
  if (chosen != current) app.choose_model(chosen);
  if (compare != app.settings().compare) app.choose_compare(compare);
}

// Draws the tabs that have a model, each wider than its title by `padding` on both sides.
void draw_tabs(Ui& ui, App& app, float padding) {
  ui.outline().begin(Role::group, "tasks", ui.word(Word::task));
  size_t pressed = app.settings().chosen;
  bool was_pressed = false;
  for (size_t i = 0; i < app.tabs().size(); ++i) {
    const Tab& tab = app.tabs()[i];
    if (i > 0 && !app.can(tab)) continue;
    if (i > 0) ImGui::SameLine(0, 0);
    const std::string_view title = ui.word(tab.title);
    if (ui.tab(tab.button, title, i == app.settings().chosen,
               ui.tab_text_width(title) + 2 * padding)) {
      pressed = i;
      was_pressed = true;
    }
  }
  ui.outline().end();
  if (!was_pressed) return;
  app.choose_view(View::sentence);
  if (pressed != app.settings().chosen) app.choose_tab(pressed);
}

// To share, class, language, theme.
constexpr Word kPageButtons[] = {Word::share_menu, Word::lesson, Word::other_language};

Word other_theme(const App& app) {
  return app.theme() == Theme::light ? Word::theme_dark : Word::theme_light;
}

float page_buttons_width(Ui& ui, const App& app) {
  const float gap = ui.px(6);
  float width = ui.button_width(ui.word(other_theme(app)));
  for (const Word word : kPageButtons) width += ui.button_width(ui.word(word)) + gap;
  return width;
}

// Link, code, worksheet; the exercises of a class, which link and code carry.
void draw_sharing(Ui& ui, App& app) {
  const auto next = [&](const char* name, Word word) {
    if (word != Word::share) ui.flow(ui.button_width(ui.word(word)));
    return ui.button(name, ui.word(word), true, Weight::quiet);
  };
  if (next("share", Word::share)) host::copy_link();
  if (next("code", Word::code)) host::show_code();
  if (next("worksheet", Word::worksheet))
    host::open_file(ui.language() == Language::korean ? "lesson.ko.html" : "lesson.en.html");
  if (!app.settings().lesson || !app.tab().masks) return;
  if (ui.button("add-exercise", ui.word(Word::add_exercise), app.can_add_exercise()))
    app.add_exercise();
  ui.flow(ui.button_width(ui.word(Word::clear_exercises)));
  if (ui.button("clear-exercises", ui.word(Word::clear_exercises),
                !app.settings().exercises.empty(), Weight::quiet))
    app.clear_exercises();
  ui.paragraph(ui.word(Word::exercises_hint), ui.colors().muted, TextSize::small, "exercises-hint");
}

void draw_page_buttons(Ui& ui, App& app, PanelState& state) {
  Settings& settings = app.settings();
  const auto next = [&](const char* name, Word word) {
    ui.flow(ui.button_width(ui.word(word)));
    return ui.button(name, ui.word(word), true, Weight::quiet);
  };
  if (ui.toggle("share-menu", ui.word(Word::share_menu), state.share)) state.share = !state.share;
  ui.flow(ui.button_width(ui.word(Word::lesson)));
  if (ui.toggle("lesson", ui.word(Word::lesson), settings.lesson)) {
    settings.lesson = !settings.lesson;
    app.hide();
  }
  if (next("language", Word::other_language))
    app.choose_language(settings.language == Language::korean ? Language::english
                                                              : Language::korean);
  if (next("theme", other_theme(app)))
    app.choose_theme(app.theme() == Theme::light ? Theme::dark : Theme::light);
}

}  // namespace

void draw_other_size(Ui& ui, App& app, bool beside) {
  const ModelView *large = app.large_model(), *chosen = app.chosen();
  if (ui.picture() || !large || !chosen || large->task != app.tab().link.task) return;
  const ModelView& small = app.models().front();
  if (chosen != large && large->state == ModelState::loading) {
    char size[32], percent[32];
    std::snprintf(size, sizeof size, "%.1f", large->bytes / 1e6);
    std::snprintf(percent, sizeof percent, "%.0f", 100 * large->progress);
    ui.paragraph(say_all(Word::large_comes, ui.language(), {size, percent}), ui.colors().muted,
                 TextSize::small, "large-comes");
    if (ui.button("stop-large", ui.word(Word::stop_download), true, Weight::quiet))
      app.stop_download(large->id);
    return;
  }
  const ModelView& other = chosen == large ? small : *large;
  if (chosen != large && chosen != &small) return;
  const std::string label =
      say(Word::explain_other, ui.language(), other.shown.in(ui.language())) + shown_size(other);
  if (beside) ui.flow(ui.button_width(label));
  if (ui.button("other-size", label, true, Weight::quiet)) app.choose_model(std::string(other.id));
}

void draw_about(Ui& ui, App& app) {
  ui.paragraph(ui.word(Word::privacy), ui.colors().muted, TextSize::small, "privacy");
  if (app.view() != View::model &&
      ui.button("view-model", ui.word(Word::about_model), true, Weight::quiet))
    app.choose_view(View::model);
}

// A line with the name, the tabs and the buttons; on a narrow page the tabs have a line of their own.
void draw_header(Ui& ui, App& app, PanelState& state, float width, bool folds) {
  ui.outline().add(Role::title, "title", "minibert");
  ui.begin_card("header", ui.word(Word::page_tools), width, Frame::none);
  const ImVec2 row = ImGui::GetCursorScreenPos();
  const float height = ui.button_height(), gap = ui.px(ui.compact() ? 8 : 18);
  const ImVec2 name = ui.measure(TextSize::title, "minibert");
  ui.draw_text({row.x, row.y + (height - name.y) / 2}, TextSize::title, ui.colors().accent,
               "minibert");
  ImGui::Dummy({name.x, height});
  if (ui.picture()) {
    const ModelView* model = app.chosen();
    const float line = ui.font(TextSize::body)->FontSize;
    ui.draw_text({row.x + name.x + gap, row.y + (height - line) / 2}, TextSize::body,
                 ui.colors().muted,
                 std::string(ui.word(app.tab().title)) +
                     (model ? " · " + model->shown.in(ui.language()) : ""));
    ui.end_card();
    return;
  }
  float titles = 0;
  size_t count = 0;
  for (const Tab& tab : app.tabs()) {
    if (&tab != app.tabs().data() && !app.can(tab)) continue;
    titles += ui.tab_text_width(ui.word(tab.title));
    ++count;
  }
  const float right = folds ? height : page_buttons_width(ui, app);
  // On a line of their own they share it.
  const float narrow = (ui.inner_width() - titles) / static_cast<float>(2 * count);
  float padding = ui.px(12);
  const bool one_line =
      name.x + 2 * gap + titles + 2 * padding * static_cast<float>(count) + right <=
      ui.inner_width();
  if (!one_line) padding = std::min(padding, narrow);
  const float below = row.y + height + ui.px(ui.compact() ? 0 : 4);
  const auto draw_right = [&] {
    // Clear of the line below, where they stand on it.
    ImGui::SetCursorScreenPos({ui.right_edge() - right, row.y - (one_line ? ui.px(4) : 0)});
    if (!folds)
      draw_page_buttons(ui, app, state);
    else if (ui.icon("menu", ui.word(Word::menu), Icon::more, true, state.menu))
      state.menu = !state.menu;
  };
  if (one_line) {
    ImGui::SetCursorScreenPos({row.x + name.x + gap, row.y});
    if (count > 1) draw_tabs(ui, app, padding);
    draw_right();
  } else {
    draw_right();
    ImGui::SetCursorScreenPos({row.x, below});
    if (count > 1) draw_tabs(ui, app, padding);
  }
  const float bottom = one_line ? row.y + height : below + height;
  ImGui::GetWindowDrawList()->AddRectFilled({row.x, bottom}, {row.x + width, bottom + ui.px(1)},
                                            ui.colors().border);
  ImGui::SetCursorScreenPos({row.x, bottom + ui.px(1)});
  if (!folds) {
    ImGui::SetCursorScreenPos({row.x, bottom + ui.px(10)});
    if (state.share) draw_sharing(ui, app);
    if (app.view() == View::sentence) draw_choosers(ui, app);
    draw_waiting(ui, app);
  } else {
    ImGui::Dummy({1, 1});
  }
  ui.end_card();
  if (!folds) return;
  const std::vector<const ModelView*> used = used_models(app);
  if (!state.menu && std::none_of(used.begin(), used.end(), is_waited_for)) return;
  ui.begin_card("settings", ui.word(Word::menu), width);
  if (state.menu) {
    draw_choosers(ui, app);
    draw_page_buttons(ui, app, state);
    if (state.share) draw_sharing(ui, app);
  }
  draw_waiting(ui, app);
  ui.end_card();
}

void draw_toolbar(Ui& ui, App& app, PanelState& state, bool folds) {
  const FieldText& editor = app.editor();
  bool first = true;
  const auto next = [&](const char* name, Word word, bool enabled, Weight weight = Weight::quiet) {
    if (!first) ui.flow(ui.button_width(ui.word(word)));
    first = false;
    return ui.button(name, ui.word(word), enabled, weight);
  };
  const auto next_icon = [&](const char* name, Word word, Icon icon, bool enabled,
                             std::optional<bool> on = {}) {
    if (!first) ui.flow(ui.button_height());
    first = false;
    return ui.icon(name, ui.word(word), icon, enabled, on);
  };
  const bool has_text = !editor.text().empty();
  const auto draw_rare = [&] {
    if (app.tab().masks) {
      if (next("mask-word", Word::mask_word, has_text)) app.apply(editor.mask_for_word());
      if (next("fill-all", Word::fill_all, app.can_fill_all())) app.fill_all();
    }
  };
  if (app.tab().fields[app.edited()].masks &&
      next("insert-mask", Word::insert_mask, true,
           app.shows_guesses() ? Weight::primary : Weight::plain))
    app.apply({editor.selection(), std::u32string(kMaskText)});
  if (!folds) draw_rare();
  if (next_icon("undo", Word::undo, Icon::undo, editor.edited())) host::undo();
  if (folds && next_icon("tools", Word::tools, Icon::more, true, state.tools))
    state.tools = !state.tools;
  if (folds && !state.tools) return;
  if (folds) {
    first = true;
    draw_rare();
  }
  if (next("clear", Word::clear, has_text)) app.apply({{0, editor.text().size()}, {}});
}

}  // namespace minibert::page
