// How a guess comes about, in five steps. Each has two sentences, one picture, and what its terms mean.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "core/utf8.h"
#include "host/host.h"
#include "panels/panels.h"

namespace minibert::page {
namespace {

constexpr int kMostTokens = 32;  // that the bands show
constexpr size_t kShownGuesses = 3;
constexpr float kRow = 22;     // height of a token's row
constexpr float kBlock = 12;   // width of a block
constexpr float kLabels = 84;  // beside the bands, for tokens
constexpr float kText = 340;   // width of what stands beside a picture
constexpr float kBesidePicture = 860;
constexpr float kStage = 170;  // width of the guesses after a layer, at least
constexpr float kLayerSelect = 170, kPositionSelect = 150;
constexpr float kFullBar =
    0.1f;  // a difference of probabilities that fills its bar, or the largest

struct Part {
  Word tab, title, told;
  std::vector<Word> terms;
};
const std::array<Part, kParts>& parts() {
  using enum Word;
  static const std::array<Part, kParts> all = {{
      {part_hide, title_hide, told_hide, {term_model, term_teaching}},
      {part_tokens, title_tokens, told_tokens, {term_token, term_vector}},
      {part_mix, title_mix, told_mix, {term_band, term_layer, term_head}},
      {part_answers, title_answers, told_answers, {term_percent}},
      {part_change, title_change, told_change, {term_off}},
  }};
  return all;
}

std::string layer_name(const Ui& ui, int layer) {
  return say(Word::layer_name, ui.language(), std::to_string(layer + 1));
}

std::string stage_name(const Ui& ui, size_t stage) {
  return stage == 0 ? std::string(ui.word(Word::before_layers))
                    : say(Word::after_layer, ui.language(), std::to_string(stage));
}

// The mask that is looked at; null: there is no explanation yet.
const ExplainedMaskView* looked_at(const App& app) {
  const std::vector<ExplainedMaskView>& masks = app.explanation().masks;
  if (masks.empty()) return nullptr;
  return &masks[std::min(static_cast<size_t>(app.settings().explain.mask), masks.size() - 1)];
}

struct Chip {
  std::string text;
  float x = 0, y = 0, width = 0;
  bool hidden = false;  // the mask that is looked at
};

// The sentence's words, the hidden one apart, and an arc to it from each.
void draw_hiding(Ui& ui, const ExplainView& view, const ExplainedMaskView& mask) {
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float height = ui.px(48), gap = ui.px(8), over = ui.px(30);
  std::vector<Chip> chips;
  std::string spoken;
  for (size_t i = 1; i + 1 < view.tokens.size(); ++i) {
    const infer::Token &token = view.tokens[i], &before = view.tokens[i - 1];
    const bool is_mask = token.piece == "[MASK]";
    const bool apart = i == 1 || is_mask || before.piece == "[MASK]" || begins_word(token.piece) ||
                       before.piece == "▁" || token.begin > before.end;
    if (token.piece == "▁") continue;
    if (apart) chips.emplace_back();
    chips.back().text += is_mask ? "?" : shown_piece(token.piece);
    chips.back().hidden |= static_cast<int>(i) == mask.position;
  }
  float x = origin.x, y = origin.y + over;
  const Chip* hidden = nullptr;
  for (Chip& chip : chips) {
    chip.width =
        std::max(ui.measure(TextSize::large, chip.text).x, chip.hidden ? ui.px(40) : 0) + ui.px(20);
    if (x > origin.x && x + chip.width > ui.right_edge()) {
      x = origin.x;
      y += height + over;
    }
    chip.x = x, chip.y = y;
    x += chip.width + gap;
    if (chip.hidden) hidden = &chip;
    spoken += (spoken.empty() ? "" : " ") + chip.text;
  }
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (const Chip& chip : chips) {
    if (!hidden || &chip == hidden) continue;
    const bool above = chip.y<hidden->y, below = chip.y> hidden->y;
    const ImVec2 from{chip.x + chip.width / 2, chip.y + (above ? height : 0)};
    const ImVec2 to{hidden->x + hidden->width / 2, hidden->y + (below ? height : 0)};
    const float lift =
        std::min(ui.px(26), ui.px(8) + (above || below ? 0 : 0.06f * std::abs(to.x - from.x)));
    list->AddBezierCubic(from, {from.x, from.y + (above ? lift : -lift)},
                         {to.x, to.y + (below ? lift : -lift)}, to, ui.colors().accent,
                         ui.px(1.5f));
  }
  for (const Chip& chip : chips) {
    list->AddRectFilled({chip.x, chip.y}, {chip.x + chip.width, chip.y + height},
                        chip.hidden ? ui.colors().accent : ui.colors().button, ui.px(8));
    const ImVec2 size = ui.measure(TextSize::large, chip.text);
    ui.draw_text({chip.x + (chip.width - size.x) / 2, chip.y + (height - size.y) / 2},
                 TextSize::large, chip.hidden ? ui.colors().on_accent : ui.colors().text,
                 chip.text);
  }
  ImGui::Dummy({ui.inner_width(), y + height - origin.y});
  ui.outline().add(Role::text, "hiding", spoken, ui.last_item());
  ui.mark("hiding", ui.last_item());
}

// Each token with its number, those of one word side by side. A press on one hides it.
void draw_tokens(Ui& ui, App& app, const ExplainView& view) {
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float height = ui.px(50);
  float x = origin.x, y = origin.y;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const infer::Token* pressed = nullptr;
  ui.outline().begin(Role::list, "token-list", ui.word(Word::part_tokens));
  for (size_t i = 0; i < view.tokens.size(); ++i) {
    const infer::Token& token = view.tokens[i];
    const bool first = i == 0, last = i + 1 == view.tokens.size(), masked = token.piece == "[MASK]";
    const std::string piece = shown_piece(token.piece);
    const std::string below = first  ? std::string(ui.word(Word::text_begins))
                              : last ? std::string(ui.word(Word::text_ends))
                                     : std::to_string(token.id);
    const ImVec2 above = ui.measure(TextSize::body, piece),
                 under = ui.measure(TextSize::small, below);
    const float width = std::max(std::max(above.x, under.x) + ui.px(14), ui.px(ui.target(24)));
    if (i > 0)
      x += ui.px(last || begins_word(token.piece) || token.begin > view.tokens[i - 1].end ? 14 : 2);
    if (x > origin.x && x + width > ui.right_edge()) {
      x = origin.x;
      y += height + ui.px(12);
    }
    ImGui::SetCursorScreenPos({x, y});
    if (ui.target_area("token-" + std::to_string(i), piece + " " + below, {width, height}))
      pressed = &token;
    const bool hovered = ImGui::IsItemHovered() && !first && !last;
    if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    list->AddRectFilled({x, y}, {x + width, y + height},
                        masked    ? ui.colors().accent
                        : hovered ? ui.colors().button_hover
                                  : ui.colors().button,
                        ui.px(6));
    ui.draw_text({x + (width - above.x) / 2, y + ui.px(5)}, TextSize::body,
                 masked ? ui.colors().on_accent : ui.colors().text, piece);
    ui.draw_text({x + (width - under.x) / 2, y + ui.px(29)}, TextSize::small,
                 masked ? ui.colors().on_accent : ui.colors().muted, below);
    x += width;
  }
  ImGui::SetCursorScreenPos(origin);
  ImGui::Dummy({ui.inner_width(), y + height - origin.y});
  ui.outline().end();
  if (pressed) app.mask_token(*pressed);
}

void draw_band(ImVec2 from, ImVec2 to, float width, Color color) {
  const float middle = (from.x + to.x) / 2;
  ImGui::GetWindowDrawList()->AddBezierCubic(from, {middle, from.y}, {middle, to.y}, to, color,
                                             width);
}

// What each layer brings to the mask, from a column of tokens to the next one.
void draw_bands(Ui& ui, const ExplainView& view, const ExplainedMaskView& mask, int head) {
  const std::vector<std::string> pieces = shown_pieces(view.tokens);
  const ImVec2 top = ImGui::GetCursorScreenPos();
  const ImVec2 origin{top.x, top.y + ui.px(kRow)};
  const auto n = static_cast<int>(pieces.size());
  const float row = ui.px(kRow), labels = ui.px(kLabels), block = ui.px(kBlock);
  const float column = (ui.inner_width() - labels - block) / static_cast<float>(view.layers);
  const float line = ui.font(TextSize::small)->FontSize;
  const Palette& colors = ui.colors();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const auto x = [&](int stage) { return origin.x + labels + column * static_cast<float>(stage); };
  const auto y = [&](int s) { return origin.y + row * (static_cast<float>(s) + 0.5f); };
  OutlineNode table;
  table.cells.emplace_back(ui.word(Word::part_tokens));
  for (int layer = 0; layer < view.layers; ++layer) {
    const std::string name = layer_name(ui, layer);
    table.cells.push_back(name);
    ui.draw_text({x(layer) + (column + block - ui.measure(TextSize::small, name).x) / 2, top.y},
                 TextSize::small, colors.muted, name);
  }
  for (int s = 0; s < n; ++s) {
    table.cells.push_back(pieces[static_cast<size_t>(s)]);
    for (int layer = 0; layer < view.layers; ++layer) {
      const float part = view.contribution(layer, head, mask.position, s);
      table.cells.push_back(percent(part));
      if (part >= 0.01f)
        draw_band({x(layer) + block, y(s)}, {x(layer + 1), y(mask.position)}, ui.px(1 + 11 * part),
                  with_alpha(colors.accent, 0.25f + 0.75f * part));
    }
  }
  for (int s = 0; s < n; ++s) {
    const bool here = s == mask.position;
    const std::string piece =
        ui.elide(TextSize::small, pieces[static_cast<size_t>(s)], labels - ui.px(8));
    ui.draw_text(
        {origin.x + labels - ui.measure(TextSize::small, piece).x - ui.px(6), y(s) - line / 2},
        TextSize::small, here ? colors.accent : colors.text, piece);
    for (int stage = 0; stage <= view.layers; ++stage) {
      if (stage == view.layers && !here) continue;
      list->AddRectFilled({x(stage), y(s) - row * 0.36f}, {x(stage) + block, y(s) + row * 0.36f},
                          here ? colors.accent : colors.outline, ui.px(3));
      const float part = stage < view.layers ? view.contribution(stage, head, mask.position, s) : 0;
      const std::string share = std::to_string(std::lround(100 * part)) + "%";
      const float width = ui.measure(TextSize::small, share).x;
      if (part < 0.05f || width > column / 2) continue;
      const ImVec2 at{x(stage) + block + ui.px(4), y(s) - line / 2};
      list->AddRectFilled({at.x - ui.px(1), at.y}, {at.x + width + ui.px(1), at.y + line},
                          with_alpha(colors.card, 0.85f), ui.px(3));
      ui.draw_text(at, TextSize::small, colors.text, share);
    }
  }
  ImGui::Dummy({ui.inner_width(), row * static_cast<float>(n + 1)});
  OutlineNode& told =
      ui.outline().add(Role::table, "bands", ui.word(Word::part_mix), ui.last_item());
  told.cells = std::move(table.cells);
  told.columns = view.layers + 1;
  ui.mark("bands", ui.last_item());
}

void draw_mixing(Ui& ui, const ExplainView& view, const ExplainedMaskView& mask,
                 ExplainState& state) {
  if (view.tokens.size() > kMostTokens)
    return ui.paragraph(ui.word(Word::explain_long), ui.colors().muted, TextSize::body,
                        "explain-long");
  state.head = std::clamp(state.head, kAllHeads, view.heads - 1);
  if (view.local_layers < view.layers) {
    ui.outline().begin(Role::group, "heads", ui.word(Word::head));
    const ImVec2 at = ImGui::GetCursorScreenPos(),
                 size = ui.measure(TextSize::small, ui.word(Word::head));
    ui.draw_text({at.x, at.y + (ui.button_height() - size.y) / 2}, TextSize::small,
                 ui.colors().muted, ui.word(Word::head));
    ImGui::Dummy({size.x, ui.button_height()});
    for (int head = kAllHeads; head < view.heads; ++head) {
      const std::string text =
          head == kAllHeads ? std::string(ui.word(Word::all_heads)) : std::to_string(head + 1);
      ui.flow(ui.button_width(text));
      if (ui.toggle(("head-" + std::to_string(head)).c_str(), text, head == state.head))
        state.head = head;
    }
    ui.outline().end();
  }
  draw_bands(ui, view, mask, state.head);
  if (view.local_layers > 0)
    ui.paragraph(say(Word::local_layers, ui.language(), layer_name(ui, view.local_layers - 1)),
                 ui.colors().muted, TextSize::small, "local-layers");
}

// A guess, how probable it is, and a bar of that.
void draw_guess(Ui& ui, ImVec2 at, float width, const std::string& text, const std::string& right,
                float part, Color color) {
  const float end = at.x + width, bar = at.y + ui.px(20);
  const float space = ui.measure(TextSize::small, right).x;
  ui.draw_text(at, TextSize::body, color, ui.elide(TextSize::body, text, width - space - ui.px(6)));
  ui.draw_text({end - space, at.y + ui.px(2)}, TextSize::small, ui.colors().text, right);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled({at.x, bar}, {end, bar + ui.px(5)}, ui.colors().soft, ui.px(2.5f));
  list->AddRectFilled({at.x, bar}, {at.x + std::max(ui.px(2), width * part), bar + ui.px(5)},
                      ui.colors().accent, ui.px(2.5f));
}

// What the output would guess before the first layer and after each, and how the last guess fares there.
void draw_stages(Ui& ui, const ExplainedMaskView& mask) {
  if (mask.stages.back().empty()) return;
  const std::string& answer = mask.stages.back()[0].text;
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float gap = ui.px(24), line = ui.px(32);
  const size_t count = mask.stages.size();
  const auto fit = static_cast<size_t>((ui.inner_width() + gap) / (ui.px(kStage) + gap));
  const size_t columns = std::clamp<size_t>(fit, 1, count);
  const float width =
      (ui.inner_width() - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns);
  const float height = ui.px(22) + line * static_cast<float>(kShownGuesses + 1) + ui.px(10);
  float bottom = origin.y;
  OutlineNode& table = ui.outline().add(Role::table, "stages", ui.word(Word::part_answers));
  table.columns = static_cast<int>(kShownGuesses) + 2;
  table.cells = {std::string(ui.word(Word::layer)), "1", "2", "3", answer};
  for (size_t stage = 0; stage < count; ++stage) {
    ImVec2 at{origin.x + (width + gap) * static_cast<float>(stage % columns),
              origin.y + height * static_cast<float>(stage / columns)};
    ui.draw_text(at, TextSize::strong, ui.colors().muted, stage_name(ui, stage));
    table.cells.push_back(stage_name(ui, stage));
    at.y += ui.px(22);
    const std::vector<StageGuessView>& guesses = mask.stages[stage];
    bool shown = false;
    for (size_t k = 0; k < kShownGuesses; ++k, at.y += line) {
      table.cells.emplace_back();
      if (k >= guesses.size()) continue;
      const auto& [text, probability] = guesses[k];
      table.cells.back() = text + " " + percent(probability);
      shown |= text == answer;
      draw_guess(ui, at, width, text, percent(probability), probability,
                 text == answer ? ui.colors().accent : ui.colors().text);
    }
    const StepView& standing = mask.path[2 * stage];
    const std::string right = say(Word::standing, ui.language(), std::to_string(standing.rank)) +
                              " " + percent(standing.probability);
    table.cells.push_back(right);
    if (!shown) draw_guess(ui, at, width, answer, right, standing.probability, ui.colors().accent);
    bottom = std::max(bottom, at.y + (shown ? 0 : line));
  }
  ImGui::Dummy({ui.inner_width(), bottom - origin.y});
  ui.mark("stages", ui.last_item());
}

// A row a layer, a button a head: lit where it is on.
void draw_switches(Ui& ui, const ExplainView& view, ChangeState& change) {
  Intervention off;
  read_parts(change.off, &off);
  const auto flip = [&](auto& list, const auto& one) {
    const auto found = std::find(list.begin(), list.end(), one);
    found == list.end() ? static_cast<void>(list.push_back(one))
                        : static_cast<void>(list.erase(found));
    change.off = written(off);
  };
  ui.outline().begin(Role::group, "switches", ui.word(Word::title_change));
  for (int layer = 0; layer < view.layers; ++layer) {
    const std::string number = std::to_string(layer + 1);
    const bool on = !off.layer_is_off(layer);
    if (ui.toggle(("switch-" + number).c_str(), layer_name(ui, layer), on)) flip(off.layers, layer);
    for (int head = 0; head < view.heads && !view.is_local(layer); ++head) {
      const Intervention::Head one{layer, head};
      const std::string name = number + "." + std::to_string(head + 1);
      const bool lit = on && std::find(off.heads.begin(), off.heads.end(), one) == off.heads.end();
      ui.flow(ui.button_width(name));
      if (ui.toggle(("switch-" + name).c_str(), name, lit)) flip(off.heads, one);
    }
  }
  ui.outline().end();
}

// The other sentence, after which layer its vectors are taken, and at which position.
void draw_swap(Ui& ui, const ExplainView& view, ChangeState& change) {
  if (ui.button("swap", ui.word(Word::swap_state), true, Weight::quiet))
    host::ask_line("other", change.other);
  if (change.other.empty()) return;
  ui.paragraph(say(Word::swap_from, ui.language(), change.other), ui.colors().text, TextSize::small,
               "swap-from");
  change.stage = std::clamp(change.stage, 0, view.layers);
  const auto pieces = static_cast<int>(view.tokens.size());
  change.at = std::min(change.at, pieces - 1);
  std::vector<std::string> stages;
  for (size_t stage = 0; stage <= static_cast<size_t>(view.layers); ++stage)
    stages.push_back(stage_name(ui, stage));
  if (const auto chosen = ui.select("swap-layer", ui.word(Word::layer), stages,
                                    static_cast<size_t>(change.stage), ui.px(kLayerSelect)))
    change.stage = static_cast<int>(*chosen);
  std::vector<std::string> places = {std::string(ui.word(Word::swap_everywhere))};
  const std::vector<std::string> names = shown_pieces(view.tokens);
  for (int s = 0; s < pieces; ++s)
    places.push_back(std::to_string(s) + " " + names[static_cast<size_t>(s)]);
  ui.flow(ui.px(kPositionSelect));
  if (const auto chosen = ui.select("swap-at", ui.word(Word::position), places,
                                    static_cast<size_t>(change.at + 1), ui.px(kPositionSelect)))
    change.at = static_cast<int>(*chosen) - 1;
}

// What the change gives and takes.
void draw_changes(Ui& ui, App& app, const ExplainView& view) {
  ExplainState& state = app.settings().explain;
  draw_switches(ui, view, state.change);
  draw_swap(ui, view, state.change);
  const Changed* changed = app.changed();
  const auto mask = static_cast<size_t>(state.mask);
  if (!state.change.changes() || !changed || mask >= changed->found.masks.size()) return;
  const std::vector<infer::ChangedGuess>& guesses = changed->found.masks[mask].guesses;
  float most = kFullBar;
  for (const infer::ChangedGuess& guess : guesses)
    most = std::max(most, std::abs(guess.probability - guess.before));
  std::vector<TableRow> rows;
  for (const infer::ChangedGuess& guess : guesses)
    rows.push_back({{guess.text, percent(guess.probability), percent(guess.before),
                     points(guess.probability - guess.before, ui.language())},
                    std::abs(guess.probability - guess.before) / most,
                    guess.probability < guess.before});
  draw_table(ui, "changed-table", ui.word(Word::changed_guesses),
             {std::string(ui.word(Word::changed_guesses)), std::string(ui.word(Word::changed_now)),
              std::string(ui.word(Word::changed_then)), std::string(ui.word(Word::difference))},
             rows);
}

// Why the change cannot be made.
std::string told_error(const Ui& ui, const ChangeState& change) {
  return std::string(ui.word(change.other.empty() ? Word::off_missing
                             : change.at < 0      ? Word::swap_lengths
                                                  : Word::swap_missing));
}

void draw_picture(Ui& ui, App& app, const ExplainView& view, const ExplainedMaskView& mask) {
  ExplainState& state = app.settings().explain;
  if (state.part == 0) {
    draw_hiding(ui, view, mask);
    if (app.model(kLearningModel) &&
        ui.button("to-training", ui.word(Word::to_training), true, Weight::quiet))
      app.choose_view(View::training);
  } else if (state.part == 1) {
    draw_tokens(ui, app, view);
  } else if (state.part == 2) {
    draw_mixing(ui, view, mask, state);
  } else if (state.part == 3) {
    draw_stages(ui, mask);
  } else {
    draw_changes(ui, app, view);
  }
}

}  // namespace

void draw_answer(Ui& ui, App& app) {
  ExplainState& state = app.settings().explain;
  const ExplainedMaskView* mask = looked_at(app);
  if (app.field(0).masks().empty())
    return ui.paragraph(ui.word(Word::no_mask), ui.colors().muted, TextSize::body,
                        "no-explanation");
  if (!app.shows_guesses()) {
    ui.paragraph(ui.word(Word::hidden_guesses), ui.colors().text, TextSize::body, "hidden-steps");
    return draw_show(ui, app);
  }
  const Result* result = app.explained();
  const bool fails = result && !result->error.empty();
  if (fails && !state.change.changes())
    return ui.paragraph(result->error.in(ui.language()), ui.colors().warning, TextSize::body,
                        "no-explanation");
  if (!mask && !fails) return draw_nothing_yet(ui, app, "no-explanation");
  const auto count = static_cast<int>(app.explanation().masks.size());
  state.mask = std::clamp(state.mask, 0, std::max(0, count - 1));
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
  if (fails) {
    ui.paragraph(told_error(ui, state.change), ui.colors().warning, TextSize::body,
                 "changed-error");
  } else if (!mask->stages.back().empty()) {
    const StageGuessView& best = mask->stages.back()[0];
    const std::string name = result ? " (" + model_name(app, *result) + ")" : "";
    ui.paragraph(
        say(Word::explained_guess, ui.language(), best.text + " " + percent(best.probability)) +
            name,
        ui.colors().text, TextSize::body, "explained-guess");
  }
  const Changed* changed = app.changed();
  const auto at = static_cast<size_t>(state.mask);
  if (state.change.changes() && !fails && changed && at < changed->found.masks.size() &&
      !changed->found.masks[at].before.empty()) {
    const infer::Guess& before = changed->found.masks[at].before[0];
    ui.paragraph(
        say(Word::changed_before, ui.language(), before.text + " " + percent(before.probability)),
        ui.colors().muted, TextSize::body, "changed-before");
  }
  ui.paragraph(ui.word(Word::own_confidence), ui.colors().muted, TextSize::small, "own-confidence");
}

void draw_explain_tools(Ui& ui, App& app) {
  ExplainState& state = app.settings().explain;
  if (state.change.changes()) {
    ui.flow(ui.button_width(ui.word(Word::switch_all)));
    if (ui.button("switch-all", ui.word(Word::switch_all))) state.change = {};
  }
  const ModelView *model = app.model(app.explained_model()), *teaching = app.teaching_model(),
                  *chosen = app.chosen();
  if (!model || !teaching || !chosen || chosen->is_own() || teaching == chosen) return;
  const std::string look = say(Word::explain_other, ui.language(),
                               (model == teaching ? chosen : teaching)->shown.in(ui.language()));
  ui.flow(ui.button_width(look));
  if (ui.button("explain-own", look, true, Weight::quiet)) state.own = !state.own;
}

void draw_explain(Ui& ui, App& app, PanelState& panels, float width) {
  ExplainState& state = app.settings().explain;
  const ExplainView& view = app.explanation();
  const ExplainedMaskView* mask = looked_at(app);
  if (!mask || !app.shows_guesses()) return;
  const Part& part = parts()[static_cast<size_t>(state.part)];
  ui.begin_card("steps", ui.word(Word::explain), width, Frame::none);
  for (int i = 0; i < kParts; ++i) {
    if (i) ImGui::SameLine(0, 0);
    const std::string text =
        std::to_string(i + 1) + " " + std::string(ui.word(parts()[static_cast<size_t>(i)].tab));
    if (ui.tab(("part-" + std::to_string(i + 1)).c_str(), text, i == state.part,
               std::floor(ui.inner_width() / kParts), ui.compact()))
      state.part = i;
  }
  ui.end_card();
  const bool two = width >= ui.px(kBesidePicture);
  const ImVec2 top = ImGui::GetCursorScreenPos();
  const float beside = ui.px(kText), gap = ui.px(20);
  const auto draw_terms = [&] {
    for (const Word term : part.terms) {
      const int count = term == Word::term_vector ? view.width : view.layers;
      ui.paragraph(say(term, ui.language(), std::to_string(count)), ui.colors().muted,
                   TextSize::small, "term-" + std::to_string(static_cast<int>(term)));
    }
    const bool last = state.part + 1 == kParts;
    const std::string next = last ? std::string(ui.word(Word::back))
                                  : say(Word::next_part, ui.language(),
                                        ui.word(parts()[static_cast<size_t>(state.part) + 1].tab));
    if (ui.button("next-part", next, true, Weight::primary)) {
      last ? app.choose_view(View::sentence) : static_cast<void>(++state.part);
      panels.to_step = !last;
    }
  };
  ui.begin_card("step", ui.word(part.title), two ? beside : width, Frame::none);
  ui.paragraph(ui.word(part.title), ui.colors().text, TextSize::title);
  ui.paragraph(ui.word(part.told), ui.colors().text, TextSize::body, "told");
  if (two) draw_terms();
  ui.end_card();
  const float bottom = ImGui::GetCursorScreenPos().y;
  if (two) ImGui::SetCursorScreenPos({top.x + beside + gap, top.y});
  ui.begin_card("picture", ui.word(Word::picture), two ? width - beside - gap : width);
  draw_picture(ui, app, view, *mask);
  ui.end_card();
  if (two) {
    ImGui::SetCursorScreenPos({top.x, std::max(bottom, ImGui::GetCursorScreenPos().y)});
    return;
  }
  ui.begin_card("terms", ui.word(Word::terms), width, Frame::none);
  draw_terms();
  ui.end_card();
}

}  // namespace minibert::page
