// Tokens, timing and model facts.
#include <algorithm>
#include <cstdio>

#include "host/host.h"
#include "panels/panels.h"

namespace minibert::page {
namespace {

std::string megabytes(double value) {
  char text[24];
  std::snprintf(text, sizeof text, "%.1f MB", value);
  return text;
}

constexpr float kFactColumns = 480;  // of short facts, where the card is as wide
constexpr float kFactLine = 22;

struct FactName {
  std::string_view key;  // as web/models.js writes it
  Word word;
  bool is_short = false;
};
// What it can do stands before what it is made of and where it comes from.
constexpr FactName kFactNames[] = {
    {"parameters", Word::parameters, true},
    {"bytes", Word::file_size, true},
    {"weights", Word::weights, true},
    {"kernel", Word::kernel, true},
    {"data", Word::card_data},
    {"architecture", Word::architecture},
    {"source_run", Word::source_run},
    {"source_sha256", Word::source_hash},
};

const FactName* known_fact(const std::string& key) {
  for (const FactName& name : kFactNames)
    if (name.key == key) return &name;
  return nullptr;
}

// How good it is, in large figures beside each other: each with what it is and on which data below it.
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

// Short facts in two columns where there is room.
void draw_short_facts(Ui& ui, const ModelView& model) {
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const int columns = ui.inner_width() >= ui.px(kFactColumns) ? 2 : 1;
  const float width = ui.inner_width() / static_cast<float>(columns);
  const float indent = std::min(ui.px(130), ui.inner_width() * 0.4f), line = ui.px(kFactLine);
  int at = 0;
  for (const auto& [key, value] : model.facts) {
    const FactName* known = known_fact(key);
    if (!known || !known->is_short) continue;
    const float x = origin.x + width * static_cast<float>(at % columns);
    const float y = origin.y + line * static_cast<float>(at / columns);
    ui.draw_text({x, y}, TextSize::small, ui.colors().muted, ui.word(known->word));
    ui.draw_text({x + indent, y}, TextSize::small, ui.colors().text,
                 ui.elide(TextSize::small, value, width - indent - ui.px(8)));
    ui.outline().add(Role::text, fact_name(ui), std::string(ui.word(known->word)) + ": " + value,
                     ui.box({x, y}, {x + width, y + line}));
    ++at;
  }
  const int rows = (at + columns - 1) / columns;
  ImGui::Dummy({ui.inner_width(), line * static_cast<float>(rows) - ui.px(6)});
}

// `limits`: what it cannot do.
void draw_facts_of(Ui& ui, const ModelView& model, ImU32 color, TextSize size,
                   std::string_view limits) {
  ui.label(model.name, color, size);
  draw_card_figures(ui, model);
  ImGui::Dummy({1, ui.px(2)});
  draw_short_facts(ui, model);
  for (const FactName& name : kFactNames) {
    const std::string value = fact(model, name.key);
    if (name.is_short || value.empty()) continue;
    const bool made = name.key == "architecture";
    if (made && !limits.empty() && !is_own(model))
      draw_fact(ui, ui.word(Word::card_limits), limits);
    draw_fact(ui, ui.word(name.word), made ? model.shape.in(ui.language()) : value);
  }
}

}  // namespace

void draw_tokens(Ui& ui, App& app, PanelState&) {
  if (!app.fill() || app.fill()->found.tokens.empty())
    return draw_nothing_yet(ui, app, "no-tokens");
  const infer::FillResult& found = app.fill()->found;
  draw_fact(ui, ui.word(Word::pieces), std::to_string(found.tokens.size()));
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float gap = ui.px(6);
  const float height = ui.px(46);
  float x = origin.x, y = origin.y;
  ImDrawList* list = ImGui::GetWindowDrawList();
  int pressed = -1;
  ui.outline().begin(Role::list, "token-list", ui.word(Word::tokens));
  for (size_t i = 0; i < found.tokens.size(); ++i) {
    const infer::Token& token = found.tokens[i];
    const std::string id = std::to_string(token.id);
    const std::string piece = shown_piece(token.piece);
    const float piece_width = ui.measure(TextSize::body, piece).x;
    const float id_width = ui.measure(TextSize::small, id).x;
    const float width = std::max(piece_width, id_width) + ui.px(16);
    if (x > origin.x && x + width > ui.right_edge()) {
      x = origin.x;
      y += height + gap;
    }
    ImGui::SetCursorScreenPos({x, y});
    const std::string name = "token-" + std::to_string(i);
    if (ui.target_area(name, spoken_piece(ui, piece) + " " + id, {width, height}))
      pressed = static_cast<int>(i);
    const bool hovered = ImGui::IsItemHovered();
    if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    bool masked = false;
    for (const infer::MaskGuesses& mask : found.masks)
      masked |= mask.position == static_cast<int>(i);
    list->AddRectFilled({x, y}, {x + width, y + height},
                        masked    ? ui.colors().soft
                        : hovered ? ui.colors().button_hover
                                  : ui.colors().button,
                        ui.px(6));
    ui.draw_text({x + (width - piece_width) / 2, y + ui.px(5)}, TextSize::body,
                 masked ? ui.colors().accent : ui.colors().text, piece);
    ui.draw_text({x + (width - id_width) / 2, y + ui.px(26)}, TextSize::small, ui.colors().muted,
                 id);
    x += width + gap;
  }
  ImGui::SetCursorScreenPos(origin);
  ImGui::Dummy({ui.inner_width(), y + height - origin.y});
  ui.outline().end();
  ui.paragraph(ui.word(Word::tokens_hint), ui.colors().muted, TextSize::small, "tokens-hint");
  if (pressed >= 0) app.mask_token(static_cast<size_t>(pressed));
}

void draw_timing(Ui& ui, App& app, PanelState& state) {
  for (const Fill* fill : {app.fill(), app.compared()}) {
    if (!fill || !fill->error.empty()) continue;
    const ModelView* model = app.model(fill->model);
    const infer::Timing& timing = fill->found.timing;
    ui.label(model ? model->name : fill->model,
             fill == app.fill() ? ui.colors().accent : ui.colors().second);
    draw_fact(ui, ui.word(Word::tokenize_ms), milliseconds(timing.tokenize_ms));
    draw_fact(ui, ui.word(Word::encoder_ms), milliseconds(timing.encoder_ms));
    draw_fact(ui, ui.word(Word::output_ms), milliseconds(timing.output_ms));
    draw_fact(ui, ui.word(Word::total_ms), milliseconds(total_ms(timing)));
    draw_fact(ui, ui.word(Word::pieces), std::to_string(fill->found.tokens.size()));
    draw_fact(ui, ui.word(Word::kernel), fill->kernel);
  }
  draw_fact(ui, ui.word(Word::frames), std::to_string(state.frames));
  draw_fact(ui, ui.word(Word::memory),
            megabytes(state.page_megabytes) + " + " + megabytes(state.texture_megabytes));
}

void draw_model(Ui& ui, App& app, PanelState&) {
  // Where the card has a title, the model's name is none.
  const TextSize size = app.tab().masks ? TextSize::title : TextSize::body;
  if (const ModelView* chosen = app.chosen())
    draw_facts_of(ui, *chosen, ui.colors().accent, size, ui.word(app.tab().limits));
  if (const ModelView* other = app.model(app.settings().compare); other && app.tab().masks) {
    ImGui::Dummy({1, ui.px(10)});
    draw_facts_of(ui, *other, ui.colors().second, size, {});
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
