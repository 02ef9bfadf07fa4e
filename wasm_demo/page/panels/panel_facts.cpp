// Tokens, timing and model facts.
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

struct FactName {
  std::string_view key;  // as web/models.js writes it
  Word word;
};
constexpr FactName kFactNames[] = {
    {"parameters", Word::parameters},     {"bytes", Word::file_size},
    {"weights", Word::weights},           {"kernel", Word::kernel},
    {"architecture", Word::architecture}, {"source_run", Word::source_run},
    {"source_sha256", Word::source_hash}, {"data", Word::card_data},
};

std::string shown_key(const Ui& ui, const std::string& key) {
  for (const FactName& name : kFactNames)
    if (name.key == key) return std::string(ui.word(name.word));
  return key;
}

void draw_facts_of(Ui& ui, const ModelView& model, ImU32 color) {
  ui.label(model.name, color);
  for (const Figure& figure : model.card)
    draw_fact(ui, measure_name(ui, figure), measure_value(ui, figure));
  for (const auto& [key, value] : model.facts)
    draw_fact(ui, shown_key(ui, key),
              key == "architecture" ? model.shape.in(ui.language()) : value);
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
    if (ui.target_area(name, piece + " " + id, {width, height})) pressed = static_cast<int>(i);
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
  if (const ModelView* chosen = app.chosen()) draw_facts_of(ui, *chosen, ui.colors().accent);
  if (const ModelView* other = app.model(app.settings().compare); other && app.tab().masks)
    draw_facts_of(ui, *other, ui.colors().second);
  draw_fact(ui, ui.word(Word::card_limits), ui.word(app.tab().limits));
  draw_fact(ui, ui.word(Word::card_licence), ui.word(Word::card_licence_text));
  if (ui.button("open-notice", ui.word(Word::open_notice))) host::open_file("NOTICE.txt");
  if (!app.source_link().empty()) {
    ui.flow(ui.button_width(ui.word(Word::open_source)));
    if (ui.button("open-source", ui.word(Word::open_source)))
      host::open_file(app.source_link().c_str());
  }
  ui.flow(ui.button_width(ui.word(Word::pick_file)));
  if (ui.button("pick-file", ui.word(Word::pick_file))) host::pick_file();
  ui.paragraph(ui.word(Word::drop_hint), ui.colors().muted, TextSize::small, "drop-hint");
}

}  // namespace minibert::page
