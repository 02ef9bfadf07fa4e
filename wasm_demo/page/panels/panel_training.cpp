// A model's training: the sentence's guesses at several points of it.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "panels/panels.h"

namespace minibert::page {
namespace {

constexpr size_t kBestOfAll = 3, kBestOfOne = 7;  // guesses that are shown
constexpr float kWidest = 560;

// "0 %", "0.5 %", "100 %": thousandths of a training.
std::string shown_share(uint32_t share) {
  char text[16];
  std::snprintf(text, sizeof text, "%.*f %%", share % 10 ? 1 : 0, share / 10.0);
  return text;
}

// The checkpoint that stands nearest to the chosen share.
size_t nearest(const std::vector<infer::CheckpointFill>& all, int share) {
  const auto distance = [&](const infer::CheckpointFill& one) {
    return std::abs(static_cast<int>(one.share) - share);
  };
  return static_cast<size_t>(
      std::min_element(all.begin(), all.end(),
                       [&](const auto& a, const auto& b) { return distance(a) < distance(b); }) -
      all.begin());
}

// Draws a message in place of a result.
void draw_waiting(Ui& ui, const App& app, const ModelView* model) {
  const Learnt* learnt = app.learnt();
  if (model && model->state == ModelState::failed)
    return ui.paragraph(model->error.in(ui.language()), ui.colors().warning, TextSize::body,
                        "no-training");
  if (learnt && !learnt->error.empty())
    return ui.paragraph(learnt->error.in(ui.language()), ui.colors().warning, TextSize::body,
                        "no-training");
  std::string text(ui.word(Word::loading));
  if (model && model->state == ModelState::loading) {
    char part[48];
    std::snprintf(part, sizeof part, " %.0f%% / %.1f MB", 100 * model->progress,
                  model->bytes / 1e6);
    text += part;
  }
  ui.paragraph(text, ui.colors().muted, TextSize::body, "no-training");
}

}  // namespace

void draw_training(Ui& ui, App& app) {
  ui.paragraph(ui.word(Word::training_hint), ui.colors().muted, TextSize::small, "training-hint");
  if (app.field(0).masks().empty())
    return ui.paragraph(ui.word(Word::no_mask), ui.colors().muted, TextSize::body, "no-training");
  if (!app.shows_guesses())
    return ui.paragraph(ui.word(Word::hidden_guesses), ui.colors().text, TextSize::body,
                        "hidden-training");
  const Learnt* learnt = app.learnt();
  if (!learnt || !learnt->error.empty() || learnt->found.empty())
    return draw_waiting(ui, app, app.model(kLearningModel));
  const std::vector<infer::CheckpointFill>& all = learnt->found;
  const size_t chosen = nearest(all, app.settings().share);
  const Scale scale{0, static_cast<double>(all.size() - 1), 1, static_cast<double>(chosen),
                    shown_share(all[chosen].share)};
  if (const auto moved = ui.slider("training-share", ui.word(Word::training_at), scale,
                                   std::min(ui.inner_width(), ui.px(kWidest))))
    app.settings().share = static_cast<int>(all[static_cast<size_t>(*moved)].share);
  for (size_t i = 0; i < all[chosen].found.masks.size(); ++i) {
    const std::string number = std::to_string(i + 1);
    const std::string title = std::string(ui.word(Word::guess)) + " " + number;
    std::vector<TableRow> rows;
    for (const infer::Guess& guess : all[chosen].found.masks[i].guesses)
      if (rows.size() < kBestOfOne)
        rows.push_back({{guess.text, percent(guess.probability)}, guess.probability});
    draw_table(ui, ("training-table-" + number).c_str(), title + ", " + scale.shown,
               {title, std::string(ui.word(Word::probability))}, rows);
    ui.section(ui.word(Word::training_all), "training-all-" + number);
    rows.clear();
    for (const infer::CheckpointFill& one : all) {
      TableRow row{{shown_share(one.share)}};
      const auto& guesses = one.found.masks[i].guesses;
      for (size_t k = 0; k < kBestOfAll; ++k)
        row.cells.push_back(
            k < guesses.size() ? guesses[k].text + whole_percent(guesses[k].probability) : "");
      rows.push_back(std::move(row));
    }
    draw_table(ui, ("training-all-table-" + number).c_str(), ui.word(Word::training_all),
               {std::string(ui.word(Word::training_at)), "1", "2", "3"}, rows);
  }
}

}  // namespace minibert::page
