// The explanation of a guess: the sentence as bands through embeddings and layers to the guesses,
// and the numbers of the pressed step, all from the engine's own activations.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "panels/panels.h"

namespace minibert::page {
namespace {

constexpr int kMostTokens = 32;  // that the bands show
constexpr size_t kMostRows = 8;  // of a table
constexpr size_t kShownGuesses = 5;
constexpr float kRow = 24;     // height of a token's row
constexpr float kBlock = 12;   // width of a block
constexpr float kLabels = 84;  // beside the bands, for tokens and guesses each
constexpr double kColdest = 0.1, kHottest = 3, kTemperatureStep = 0.1;
constexpr float kPathLabels = 150, kPathValues = 118, kNarrowPathValues = 100;  // beside its bars
constexpr double kLeastShown = 1e-3;  // where the path's scale begins, or before
constexpr float kSlider = 320;        // width, label and value included

std::string number(float value) {
  char text[24];
  std::snprintf(text, sizeof text, "%.2f", value);
  return text;
}

// Step 0 is the embeddings; then come each layer's mixing part (attention, or neighbours alone) and
// its feed-forward part; the last is the output.
int steps(const ExplainView& view) { return 2 * view.layers + 2; }
int layer_of(int step) { return (step - 1) / 2; }
bool mixes_tokens(int step) { return step % 2 == 1; }

std::string step_name(const Ui& ui, const ExplainView& view, int step) {
  if (step == 0) return std::string(ui.word(Word::step_embedding));
  if (step == steps(view) - 1) return std::string(ui.word(Word::step_output));
  const Word mixing = view.is_local(layer_of(step)) ? Word::step_local : Word::step_attention;
  return say(mixes_tokens(step) ? mixing : Word::step_feed_forward, ui.language(),
             std::to_string(layer_of(step) + 1));
}

// One vector as a strip of cells, from its least (second color) over 0 (ground) to its greatest.
void draw_strip(Ui& ui, std::string_view label, std::span<const float> vector, float most) {
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float space = ui.px(kLabels), height = ui.px(16);
  const float cell = (ui.inner_width() - space) / static_cast<float>(vector.size());
  ui.draw_text(origin, TextSize::small, ui.colors().muted,
               ui.elide(TextSize::small, label, space - ui.px(6)));
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (size_t i = 0; i < vector.size(); ++i) {
    const float part = most > 0 ? std::min(1.0f, std::abs(vector[i]) / most) : 0;
    const Color color = mix(
        ui.colors().card, vector[i] < 0 ? ui.colors().second : ui.colors().accent, std::sqrt(part));
    const float x = origin.x + space + cell * static_cast<float>(i);
    list->AddRectFilled({x, origin.y}, {x + cell, origin.y + height}, color);
  }
  ImGui::Dummy({ui.inner_width(), height});
}

float largest(std::span<const float> vector) {
  float most = 0;
  for (const float value : vector) most = std::max(most, std::abs(value));
  return most;
}

void draw_embedding(Ui& ui, const ExplainView& view, int s) {
  const bool placed = !view.relative_position;
  const std::string sizes = std::to_string(view.embedding) + " → " + std::to_string(view.width);
  const Word same = placed ? Word::explain_embedding : Word::explain_embedding_placeless;
  const Word wider =
      placed ? Word::explain_embedding_wider : Word::explain_embedding_placeless_wider;
  ui.paragraph(
      view.embedding == view.width ? std::string(ui.word(same)) : say(wider, ui.language(), sizes),
      ui.colors().text, TextSize::small, "explain-text");
  const float most =
      std::max({largest(view.token(s)), largest(view.position(s)), largest(view.segment(s))});
  draw_strip(ui, ui.word(Word::vector_token), view.token(s), most);
  if (placed) draw_strip(ui, ui.word(Word::vector_position), view.position(s), most);
  draw_strip(ui, ui.word(Word::vector_segment), view.segment(s), most);
  draw_strip(ui, ui.word(Word::vector_state), view.state(0, s), largest(view.state(0, s)));
}

void draw_neighbours(Ui& ui, const ExplainView& view, int layer, int s) {
  ui.paragraph(say(Word::explain_local, ui.language(), std::to_string(view.local_taps / 2)),
               ui.colors().text, TextSize::small, "explain-text");
  const std::vector<NeighbourRow> neighbours = view.neighbour_rows(layer, s);
  const std::vector<std::string> pieces = shown_pieces(view.tokens);
  float most = 0;
  for (const NeighbourRow& row : neighbours) most = std::max(most, row.added);
  std::vector<TableRow> rows;
  for (const NeighbourRow& row : neighbours)
    rows.push_back(
        {{pieces[static_cast<size_t>(row.to)],
          (row.distance > 0 ? "+" : "") + std::to_string(row.distance), number(row.added)},
         most > 0 ? row.added / most : 0});
  draw_table(ui, "explain-table", step_name(ui, view, 2 * layer + 1),
             {std::string(ui.word(Word::tokens)), std::string(ui.word(Word::distance)),
              std::string(ui.word(Word::added_length))},
             rows);
}

// Draws a sentence for each special part of this model's attention.
void draw_attention_notes(Ui& ui, const ExplainView& view, int layer, int head, int s) {
  const auto note = [&](const char* name, std::string_view text) {
    ui.paragraph(text, ui.colors().text, TextSize::small, name);
  };
  if (view.convolution > 0)
    note("explain-convolution",
         say(Word::explain_convolution, ui.language(), std::to_string(view.convolution / 2)));
  if (view.relative_position) note("explain-offsets", ui.word(Word::explain_offsets));
  if (view.gated_heads)
    note("explain-gate", say(Word::explain_gate, ui.language(), number(view.gate(layer, head, s))));
  if (view.shared && view.layers - view.local_layers > 1)
    note("explain-shared",
         ui.word(view.local_layers > 0 ? Word::explain_shared_attention : Word::explain_shared));
}

void draw_head(Ui& ui, const ExplainView& view, ExplainState& state, int layer, int s) {
  ui.paragraph(ui.word(Word::explain_attention), ui.colors().text, TextSize::small, "explain-text");
  ui.outline().begin(Role::group, "explain-heads", ui.word(Word::head));
  for (int head = 0; head < view.heads; ++head) {
    const std::string text = std::string(ui.word(Word::head)) + " " + std::to_string(head + 1);
    if (head) ui.flow(ui.button_width(text));
    if (ui.toggle(("explain-head-" + std::to_string(head)).c_str(), text, head == state.head))
      state.head = head;
  }
  ui.outline().end();
  draw_attention_notes(ui, view, layer, state.head, s);
  std::vector<TableRow> rows;
  const bool offsets = view.relative_position;
  const std::vector<std::string> pieces = shown_pieces(view.tokens);
  for (const HeadRow& row : view.head_rows(layer, state.head, s)) {
    if (rows.size() == kMostRows) break;
    rows.push_back(
        {{pieces[static_cast<size_t>(row.to)], number(offsets ? row.scaled : row.product),
          number(offsets ? row.offset : row.scaled), percent(row.weight), number(row.value)},
         row.weight});
  }
  draw_table(ui, "explain-table", step_name(ui, view, 2 * layer + 1),
             {std::string(ui.word(Word::tokens)), offsets ? "q·k / √d" : "q·k",
              offsets ? "+ " + std::string(ui.word(Word::distance)) : "q·k / √d", "softmax",
              std::string(ui.word(Word::value_length))},
             rows);
}

void draw_units(Ui& ui, const ExplainView& view, int layer, int s) {
  const Word text =
      view.gated_units ? Word::explain_feed_forward_gated : Word::explain_feed_forward;
  ui.paragraph(say(text, ui.language(), std::to_string(view.feed_forward)), ui.colors().text,
               TextSize::small, "explain-text");
  const std::span<const float> units = view.units(layer, s);
  draw_strip(ui, ui.word(Word::units), units, largest(units));
  std::vector<TableRow> rows;
  const std::vector<UnitRow> strongest = view.strongest_units(layer, s, kMostRows);
  const float most = strongest.empty() ? 1 : std::abs(strongest.front().value);
  for (const UnitRow& row : strongest)
    rows.push_back({{std::to_string(row.unit + 1), number(row.value)},
                    most > 0 ? std::abs(row.value) / most : 0});
  draw_table(ui, "explain-table", step_name(ui, view, 2 * layer + 2),
             {std::string(ui.word(Word::strongest_units)), std::string(ui.word(Word::unit_value))},
             rows);
}

void draw_output(Ui& ui, const ExplainedMaskView& mask, bool transform, ExplainState& state) {
  ui.paragraph(ui.word(transform ? Word::explain_output_transform : Word::explain_output),
               ui.colors().text, TextSize::small, "explain-text");
  const std::vector<StageGuessView>& guesses = mask.stages.back();
  const auto most = static_cast<int>(guesses.size());
  const int shown = std::min(state.shown, most);
  const float width = std::min(ui.inner_width(), ui.px(kSlider));
  const Scale temperatures{kColdest, kHottest, kTemperatureStep, state.temperature,
                           number(static_cast<float>(state.temperature))};
  if (const auto chosen = ui.slider("temperature", ui.word(Word::temperature), temperatures, width))
    state.temperature = *chosen;
  const Scale counts{1, static_cast<double>(most), 1, static_cast<double>(shown),
                     std::to_string(shown)};
  if (const auto chosen = ui.slider("explain-top", ui.word(Word::top_k), counts, width))
    state.shown = static_cast<int>(*chosen);
  std::vector<TableRow> rows;
  for (const StageGuessView& guess : guesses) {
    if (rows.size() == static_cast<size_t>(shown)) break;
    const float probability =
        probability_at(guess.logit, mask.logits, static_cast<float>(state.temperature));
    rows.push_back({{guess.text, number(guess.logit), percent(probability)}, probability});
  }
  draw_table(ui, "explain-table", ui.word(Word::step_output),
             {std::string(ui.word(Word::guesses)), std::string(ui.word(Word::score)), "softmax"},
             rows);
  if (mask.shown.empty()) return;
  ui.paragraph(ui.word(Word::explain_shown), ui.colors().text, TextSize::small, "explain-shown");
  const float largest = std::max(1e-6F, mask.shown.front().added);
  rows.clear();
  for (const ShownPieceView& piece : mask.shown) {
    if (rows.size() == static_cast<size_t>(shown)) break;
    rows.push_back({{piece.text, number(piece.added)}, std::max(0.0F, piece.added / largest)});
  }
  draw_table(ui, "explain-shown-table", ui.word(Word::explain_shown),
             {std::string(ui.word(Word::tokens)), std::string(ui.word(Word::added_score))}, rows);
}

// Draws the output head's guesses from each step's state.
void draw_stages(Ui& ui, const ExplainedMaskView& mask) {
  ui.section(ui.word(Word::stages), "stages-title");
  ui.paragraph(ui.word(Word::explain_stages), ui.colors().muted, TextSize::small, "explain-stages");
  std::vector<TableRow> rows;
  for (size_t stage = 0; stage < mask.stages.size(); ++stage) {
    TableRow row;
    row.cells.push_back(stage == 0 ? std::string(ui.word(Word::step_embedding))
                                   : say(Word::after_layer, ui.language(), std::to_string(stage)));
    for (size_t k = 0; k < 3; ++k)
      row.cells.push_back(k < mask.stages[stage].size()
                              ? mask.stages[stage][k].text + " " +
                                    percent(mask.stages[stage][k].probability)
                              : "");
    rows.push_back(std::move(row));
  }
  draw_table(ui, "explain-stage-table", ui.word(Word::explain_stages),
             {std::string(ui.word(Word::layer)), "1", "2", "3"}, rows);
}

// From a block to one of the next column.
void draw_band(ImVec2 from, ImVec2 to, float width, Color color) {
  const float middle = (from.x + to.x) / 2;
  ImGui::GetWindowDrawList()->AddBezierCubic(from, {middle, from.y}, {middle, to.y}, to, color,
                                             width);
}

void draw_bands(Ui& ui, const ExplainView& view, const ExplainedMaskView& mask,
                ExplainState& state) {
  const auto n = static_cast<int>(view.tokens.size());
  if (n > kMostTokens) {
    ui.paragraph(ui.word(Word::explain_long), ui.colors().muted, TextSize::small, "explain-long");
    return;
  }
  const std::vector<std::string> pieces = shown_pieces(view.tokens);
  // The columns' headings.
  const ImVec2 top = ImGui::GetCursorScreenPos();
  const ImVec2 origin{top.x, top.y + ui.px(kRow)};
  const float row = ui.px(kRow), labels = ui.px(kLabels), block = ui.px(kBlock);
  const float room = ui.inner_width() - 2 * labels - block;
  const float column = room / static_cast<float>(view.layers + 1);
  const Palette& colors = ui.colors();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const auto x = [&](int stage) { return origin.x + labels + column * static_cast<float>(stage); };
  const auto y = [&](int s) { return origin.y + row * (static_cast<float>(s) + 0.5f); };
  const float line = ui.font(TextSize::small)->FontSize;

  for (int stage = 0; stage <= view.layers; ++stage) {
    const std::string text = stage == 0
                                 ? std::string(ui.word(Word::step_embedding))
                                 : say(Word::after_layer, ui.language(), std::to_string(stage));
    const std::string shown = ui.elide(TextSize::small, text, column - ui.px(4));
    ui.draw_text({x(stage) + (block - ui.measure(TextSize::small, shown).x) / 2, top.y},
                 TextSize::small, colors.muted, shown);
  }
  for (int stage = 0; stage < view.layers; ++stage)
    for (int s = 0; s < n; ++s) {
      const float weight = view.contribution(stage, mask.position, s);
      draw_band({x(stage) + block, y(s)}, {x(stage + 1), y(s)}, ui.px(1), colors.border);
      if (weight >= 0.01f)
        draw_band({x(stage) + block, y(s)}, {x(stage + 1), y(mask.position)}, ui.px(1 + 9 * weight),
                  with_alpha(colors.accent, 0.25f + 0.75f * weight));
    }
  const auto& guesses = mask.stages.back();
  const float right = x(view.layers) + block + column;
  const size_t shown = std::min(guesses.size(), kShownGuesses);
  // Beside the mask, but within the bands' height.
  const float half = ui.px(11) * static_cast<float>(shown);
  const float middle =
      std::clamp(y(mask.position), origin.y + half,
                 std::max(origin.y + half, origin.y + row * static_cast<float>(n) - half));
  for (size_t k = 0; k < shown; ++k) {
    const float at = middle - half + ui.px(22) * (static_cast<float>(k) + 0.5f);
    draw_band({x(view.layers) + block, y(mask.position)}, {right - ui.px(4), at},
              ui.px(1 + 9 * guesses[k].probability),
              with_alpha(colors.second, 0.35f + 0.65f * guesses[k].probability));
    ui.draw_text({right, at - line / 2}, TextSize::small, k ? colors.text : colors.second,
                 ui.elide(TextSize::small, guesses[k].text + " " + percent(guesses[k].probability),
                          origin.x + ui.inner_width() - right));
  }
  for (int s = 0; s < n; ++s) {
    const bool looked_at = s == mask.position;
    const std::string piece =
        ui.elide(TextSize::small, pieces[static_cast<size_t>(s)], labels - ui.px(8));
    ui.draw_text(
        {origin.x + labels - ui.measure(TextSize::small, piece).x - ui.px(6), y(s) - line / 2},
        TextSize::small, looked_at ? colors.accent : colors.text, piece);
    for (int stage = 0; stage <= view.layers; ++stage)
      list->AddRectFilled({x(stage), y(s) - row * 0.36f}, {x(stage) + block, y(s) + row * 0.36f},
                          looked_at ? colors.accent : colors.outline, ui.px(3));
  }
  // A press on a column opens its step.
  for (int stage = 0; stage <= view.layers; ++stage) {
    const int step = stage == 0 ? 0 : 2 * stage - 1;
    ImGui::SetCursorScreenPos({x(stage) - ui.px(6), origin.y});
    if (ImGui::InvisibleButton(("band-" + std::to_string(stage)).c_str(),
                               {block + ui.px(12), row * static_cast<float>(n)}))
      state.step = step;
    ui.mark("band-" + std::to_string(stage), ui.last_item());
    if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  }
  ImGui::SetCursorScreenPos(top);
  ImGui::Dummy({ui.inner_width(), row * static_cast<float>(n + 1)});
  ui.paragraph(ui.word(Word::explain_measure), ui.colors().muted, TextSize::small,
               "explain-measure");
}

// "×4.1", "÷12": the change of a probability.
std::string factor(float before, float after) {
  if (before <= 0 || after <= 0) return "";
  const float ratio = after >= before ? after / before : before / after;
  char text[24];
  std::snprintf(text, sizeof text, ratio < 9.95f ? "%.1f" : "%.0f", ratio);
  return (after >= before ? "×" : "÷") + std::string(text);
}

// The residual stream at the mask: the output head's probability of the first guess after each
// step, on a scale of powers of ten. A bar is the change by its step.
void draw_path(Ui& ui, const ExplainView& view, const ExplainedMaskView& mask) {
  const std::vector<StepView>& path = mask.path;
  if (path.size() != static_cast<size_t>(2 * view.layers + 1) || mask.stages.back().empty()) return;
  const std::string title = say(Word::path, ui.language(), mask.stages.back()[0].text);
  ui.section(title, "path-title");
  double least = kLeastShown;
  for (const StepView& step : path)
    if (step.probability > 0) least = std::min(least, static_cast<double>(step.probability));
  const auto decades = static_cast<float>(-std::floor(std::log10(std::max(least, 1e-9))));
  const float row = ui.px(kRow), line = ui.font(TextSize::small)->FontSize;
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float labels = ui.px(ui.compact() ? kLabels : kPathLabels);
  const float values = ui.px(ui.compact() ? kNarrowPathValues : kPathValues);
  const float left = origin.x + labels, right = origin.x + ui.inner_width() - values;
  const auto x = [&](float probability) {
    const float place = 1 + std::log10(std::max(probability, 1e-9f)) / decades;
    return left + (right - left) * std::clamp(place, 0.0f, 1.0f);
  };
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float bottom = origin.y + row * static_cast<float>(path.size() + 1);
  float free = right + ui.px(40);  // where the next label of the scale, to the left, has to end
  for (int power = 0; power >= -static_cast<int>(decades); --power) {
    const float at = x(std::pow(10.0f, static_cast<float>(power)));
    list->AddRectFilled({at, origin.y + row}, {at + std::max(1.0f, ui.px(1)), bottom},
                        ui.colors().border);
    char text[24];
    std::snprintf(text, sizeof text, "%.*f%%", std::max(0, -2 - power), std::pow(10.0, power + 2));
    const float width = ui.measure(TextSize::small, text).x, begin = at - width / 2;
    if (begin + width > free || begin < origin.x) continue;
    ui.draw_text({begin, origin.y + (row - line) / 2}, TextSize::small, ui.colors().muted, text);
    free = begin - ui.px(10);
  }
  OutlineNode& table = ui.outline().add(Role::table, "path-table", title);
  table.columns = 3;
  table.cells = {std::string(ui.word(Word::step)), std::string(ui.word(Word::probability)),
                 std::string(ui.word(Word::path_factor))};
  for (size_t i = 0; i < path.size(); ++i) {
    const float y = origin.y + row * static_cast<float>(i + 1);
    const float middle = y + row / 2, now = x(path[i].probability);
    const float before = i == 0 ? left : x(path[i - 1].probability);
    const std::string name = step_name(ui, view, static_cast<int>(i));
    const std::string changed = i == 0 ? "" : factor(path[i - 1].probability, path[i].probability);
    ui.draw_text({origin.x, middle - line / 2}, TextSize::small, ui.colors().text,
                 ui.elide(TextSize::small, name, labels - ui.px(8)));
    const Color color = i == 0          ? ui.colors().outline
                        : now >= before ? ui.colors().accent
                                        : ui.colors().second;
    const float low = std::min(before, now), high = std::max({before, now, low + ui.px(2)});
    list->AddRectFilled({low, middle - ui.px(6)}, {high, middle + ui.px(6)}, color, ui.px(3));
    if (i + 1 < path.size())
      list->AddRectFilled({now - ui.px(0.5f), middle + ui.px(6)},
                          {now + ui.px(0.5f), middle + row - ui.px(6)}, ui.colors().muted);
    const std::string shown = percent(path[i].probability);
    const float end = origin.x + ui.inner_width(), half = values / 2;
    ui.draw_text({end - half - ui.measure(TextSize::small, shown).x, middle - line / 2},
                 TextSize::small, ui.colors().text, shown);
    ui.draw_text({end - ui.measure(TextSize::small, changed).x, middle - line / 2}, TextSize::small,
                 color, changed);
    for (const std::string& cell : {name, shown, changed}) table.cells.push_back(cell);
  }
  ImGui::Dummy({ui.inner_width(), bottom - origin.y});
  ui.mark("path", ui.last_item());
  ui.paragraph(ui.word(Word::path_hint), ui.colors().muted, TextSize::small, "path-hint");
}

// Tells how a model differs from the BERT of the books; returns a plainer one if pressed.
const ModelView* draw_difference(Ui& ui, const App& app, const ExplainView& view,
                                 const ExplainedMaskView& mask) {
  std::string parts;
  const auto add = [&](bool is, std::string_view part) {
    if (is) parts += (parts.empty() ? "" : ", ") + std::string(part);
  };
  const std::string local = std::to_string(view.local_layers);
  add(view.local_layers > 0,
      say(Word::strange_local, ui.language(), view.local_layers > 1 ? "1–" + local : local));
  add(view.convolution > 0, ui.word(Word::strange_convolution));
  add(view.relative_position, ui.word(Word::strange_distance));
  add(view.gated_heads, ui.word(Word::strange_gates));
  add(view.gated_units, ui.word(Word::strange_units));
  add(view.shared, ui.word(Word::strange_shared));
  add(!mask.shown.empty(), ui.word(Word::strange_bonus));
  if (parts.empty()) return nullptr;
  ui.paragraph(say(Word::strange, ui.language(), parts), ui.colors().text, TextSize::small,
               "strange");
  const ModelView* standard = app.teaching_model();
  if (!standard || standard->id == app.explained_model()) return nullptr;
  return ui.button("standard",
                   say(Word::explain_own, ui.language(), standard->shown.in(ui.language())))
             ? standard
             : nullptr;
}

}  // namespace

void draw_explain(Ui& ui, App& app, PanelState&) {
  const Fill* fill = app.fill();
  if (fill && fill->error.empty() && fill->found.masks.empty()) {
    ui.paragraph(ui.word(Word::no_mask), ui.colors().muted, TextSize::body, "no-explanation");
    return;
  }
  const ExplainView& view = app.explanation();
  if (const Result* result = app.explained(); result && !result->error.empty())
    return ui.paragraph(result->error.in(ui.language()), ui.colors().warning, TextSize::body,
                        "no-explanation");
  if (view.empty() || view.masks.empty()) return draw_nothing_yet(ui, app, "no-explanation");
  if (!app.shows_guesses()) {
    ui.paragraph(ui.word(Word::hidden_guesses), ui.colors().text, TextSize::body, "hidden-steps");
    return;
  }
  ExplainState& state = app.settings().explain;
  const auto count = static_cast<int>(view.masks.size());
  state.mask = std::clamp(state.mask, 0, count - 1);
  state.step = std::clamp(state.step, 0, steps(view) - 1);
  state.head = std::clamp(state.head, 0, view.heads - 1);
  if (const ModelView* model = app.model(app.explained_model());
      model && app.chosen() && model->id != app.chosen()->id) {
    ui.paragraph(say(Word::explained_by, ui.language(), model->shown.in(ui.language())),
                 ui.colors().text, TextSize::small, "explained-by");
    if (ui.button("explain-own",
                  say(Word::explain_own, ui.language(), app.chosen()->shown.in(ui.language())),
                  true, Weight::quiet))
      state.own = true;
  }
  ui.paragraph(ui.word(Word::explain_hint), ui.colors().muted, TextSize::small, "explain-hint");
  if (count > 1) {
    ui.outline().begin(Role::group, "explain-masks", ui.word(Word::guess));
    for (int i = 0; i < count; ++i) {
      const std::string text = std::string(ui.word(Word::guess)) + " " + std::to_string(i + 1);
      if (i) ui.flow(ui.button_width(text));
      if (ui.toggle(("explain-mask-" + std::to_string(i)).c_str(), text, i == state.mask))
        state.mask = i;
    }
    ui.outline().end();
  }
  const ExplainedMaskView& mask = view.masks[static_cast<size_t>(state.mask)];
  const ModelView* standard = draw_difference(ui, app, view, mask);
  draw_changes(ui, app, view);
  draw_bands(ui, view, mask, state);
  draw_path(ui, view, mask);
  ui.section(ui.word(Word::steps), "steps-title");
  ui.outline().begin(Role::group, "explain-steps", ui.word(Word::explain));
  for (int step = 0; step < steps(view); ++step) {
    const std::string text = step_name(ui, view, step);
    if (step) ui.flow(ui.button_width(text));
    if (ui.toggle(("step-" + std::to_string(step)).c_str(), text, step == state.step))
      state.step = step;
  }
  ui.outline().end();
  if (state.step == 0) {
    draw_embedding(ui, view, mask.position);
  } else if (state.step == steps(view) - 1) {
    draw_output(ui, mask, view.transform, state);
  } else if (mixes_tokens(state.step) && view.is_local(layer_of(state.step))) {
    draw_neighbours(ui, view, layer_of(state.step), mask.position);
  } else if (mixes_tokens(state.step)) {
    draw_head(ui, view, state, layer_of(state.step), mask.position);
  } else {
    draw_units(ui, view, layer_of(state.step), mask.position);
  }
  draw_stages(ui, mask);
  if (standard && state.own)
    state.own = false;
  else if (standard)
    app.choose_model(standard->id);  // after which there is no explanation any more
}

}  // namespace minibert::page
