// Changes inside the model: heads and layers to switch off, a state of another sentence to swap in,
// and a word to follow through the layers.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "host/host.h"
#include "panels/panels.h"

namespace minibert::page {
namespace {

constexpr float kLayerSelect = 170, kPositionSelect = 150;  // widths

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
  ui.outline().begin(Role::group, "switches", ui.word(Word::switches));
  for (int layer = 0; layer < view.layers; ++layer) {
    const std::string number = std::to_string(layer + 1);
    const bool on = !off.layer_is_off(layer);
    if (ui.toggle(("switch-" + number).c_str(), say(Word::switch_layer, ui.language(), number), on))
      flip(off.layers, layer);
    for (int head = 0; head < view.heads && !view.is_local(layer); ++head) {
      const Intervention::Head one{layer, head};
      const std::string name = number + "." + std::to_string(head + 1);
      const bool lit = on && std::find(off.heads.begin(), off.heads.end(), one) == off.heads.end();
      ui.flow(ui.button_width(name));
      if (ui.toggle(("switch-" + name).c_str(), name, lit)) flip(off.heads, one);
    }
  }
  ui.outline().end();
  if (ui.button("switch-all", ui.word(Word::switch_all), change.changes())) {
    change.off.clear();
    change.other.clear();
  }
}

// The other sentence, after which layer its state is taken, and at which position.
void draw_swap(Ui& ui, const ExplainView& view, ChangeState& change) {
  ui.flow(ui.button_width(ui.word(Word::swap_state)));
  if (ui.button("swap", ui.word(Word::swap_state))) host::ask_line("other", change.other);
  if (change.other.empty()) return;
  ui.paragraph(say(Word::swap_from, ui.language(), change.other), ui.colors().text, TextSize::small,
               "swap-from");
  change.stage = std::clamp(change.stage, 0, view.layers);
  const auto pieces = static_cast<int>(view.tokens.size());
  change.at = std::min(change.at, pieces - 1);
  std::vector<std::string> stages = {std::string(ui.word(Word::step_embedding))};
  for (int layer = 1; layer <= view.layers; ++layer)
    stages.push_back(say(Word::after_layer, ui.language(), std::to_string(layer)));
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

void draw_difference(Ui& ui, const infer::ChangedMask& mask) {
  if (!mask.before.empty())
    ui.paragraph(say(Word::changed_before, ui.language(),
                     mask.before[0].text + " " + percent(mask.before[0].probability)),
                 ui.colors().muted, TextSize::small, "changed-before");
  std::vector<TableRow> rows;
  for (const infer::ChangedGuess& guess : mask.guesses)
    rows.push_back({{guess.text, percent(guess.probability), percent(guess.before),
                     points(guess.probability - guess.before, ui.language())},
                    std::abs(guess.probability - guess.before),
                    guess.probability < guess.before});
  draw_table(ui, "changed-table", ui.word(Word::changed_guesses),
             {std::string(ui.word(Word::changed_guesses)), std::string(ui.word(Word::changed_now)),
              std::string(ui.word(Word::changed_then)), std::string(ui.word(Word::difference))},
             rows);
}

std::string standing(const infer::WordScore& score) {
  std::string ranks;
  for (const infer::PieceScore& piece : score.pieces)
    ranks += (ranks.empty() ? "" : ", ") + std::to_string(piece.rank);
  return ranks;
}

// Where the word stands after each layer, beside the untouched model where that differs.
void draw_word(Ui& ui, const infer::ChangedResult& found, const ChangeState& change) {
  if (found.word.empty() || found.word.size() != found.word_before.size()) return;
  std::string pieces;
  for (const infer::PieceScore& piece : found.word[0].pieces)
    pieces += (pieces.empty() ? "" : " + ") + shown_piece(piece.piece);
  const std::string label = say(Word::followed, ui.language(), change.word + " (" + pieces + ")");
  ui.paragraph(label, ui.colors().text, TextSize::small, "followed");
  std::vector<TableRow> rows;
  for (size_t stage = 0; stage < found.word.size(); ++stage) {
    const infer::WordScore& score = found.word[stage];
    TableRow row{{stage == 0 ? std::string(ui.word(Word::step_embedding))
                             : say(Word::after_layer, ui.language(), std::to_string(stage)),
                  standing(score), percent(score.probability)},
                 score.probability};
    if (change.changes()) row.cells.push_back(percent(found.word_before[stage].probability));
    rows.push_back(std::move(row));
  }
  std::vector<std::string> heads = {std::string(ui.word(Word::layer)),
                                    std::string(ui.word(Word::rank)),
                                    std::string(ui.word(Word::changed_now))};
  if (change.changes()) heads.emplace_back(ui.word(Word::changed_then));
  draw_table(ui, "followed-table", label, heads, rows);
}

}  // namespace

void draw_changes(Ui& ui, App& app, const ExplainView& view) {
  ChangeState& change = app.settings().explain.change;
  ui.section(ui.word(Word::switches), "switches-title");
  ui.paragraph(ui.word(Word::switches_hint), ui.colors().muted, TextSize::small, "switches-hint");
  draw_switches(ui, view, change);
  draw_swap(ui, view, change);
  const std::string_view follow = ui.word(Word::follow_word);
  ui.flow(ui.button_width(follow));
  if (ui.button("follow", follow)) host::ask_line("word", change.word);
  const Changed* changed = app.changed();
  if (!changed || (!change.changes() && change.word.empty())) return;
  // States of all positions stand for each other only in texts of as many tokens.
  if (!changed->error.empty())
    return ui.paragraph(change.other.empty() || change.at >= 0
                            ? changed->error.in(ui.language())
                            : std::string(ui.word(Word::swap_lengths)),
                        ui.colors().warning, TextSize::small, "changed-error");
  const auto mask = static_cast<size_t>(app.settings().explain.mask);
  if (change.changes() && mask < changed->found.masks.size())
    draw_difference(ui, changed->found.masks[mask]);
  if (!change.word.empty()) draw_word(ui, changed->found, change);
  if (change.changes())
    ui.paragraph(ui.word(Word::below_unchanged), ui.colors().muted, TextSize::small,
                 "below-unchanged");
}

}  // namespace minibert::page
