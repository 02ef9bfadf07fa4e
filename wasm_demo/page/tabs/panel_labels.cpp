// The labels of a text with their probabilities, and what its words do for the best one.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "core/utf8.h"
#include "panels/panels.h"

namespace minibert::page {
namespace {

constexpr size_t kMostWords = 12;  // shown, those that weigh most

std::string signed_points(float effect) {
  const double points = 100.0 * effect;
  char text[16];
  // Never "-0.0".
  std::snprintf(text, sizeof text, std::abs(points) < 0.05 ? "0.0" : "%+.1f", points);
  return text;
}

std::string text_of(const App& app, const WordView& word) {
  const Range range = app.range_of(Field::review, word.begin, word.end);
  return to_utf8(app.field(Field::review).text().substr(range.begin, range.end - range.begin));
}

std::string as_text(const App& app, const LabelsView& found, Language language) {
  std::string text;
  for (const LabelView& label : found.labels)
    text += shown_label(label.label, language) + "\t" + percent(label.probability) + "\n";
  // The words are cut out of the text as it is now.
  if (!app.labels()) return text;
  for (const WordView& word : found.words)
    text += text_of(app, word) + "\t" + signed_points(App::effect(found, word)) + "\n";
  return text;
}

void draw_words(Ui& ui, const App& app, const LabelsView& found) {
  std::vector<const WordView*> words;
  for (const WordView& word : found.words) words.push_back(&word);
  std::stable_sort(words.begin(), words.end(), [&](const WordView* a, const WordView* b) {
    return std::abs(App::effect(found, *a)) > std::abs(App::effect(found, *b));
  });
  words.resize(std::min(words.size(), kMostWords));
  const std::string label = shown_label(found.labels[0].label, ui.language());
  ui.paragraph(say(Word::weights_hint, ui.language(), label), ui.colors().muted, TextSize::small,
               "weights-hint");
  std::vector<TableRow> rows;
  for (const WordView* word : words) {
    const float effect = App::effect(found, *word);
    rows.push_back({{text_of(app, *word), percent(word->probability), signed_points(effect)},
                    std::abs(effect),
                    effect < 0});
  }
  draw_table(
      ui, "word-weights", ui.word(Word::word_weights),
      {std::string(ui.word(Word::masked_word)), say(Word::probability_then, ui.language(), label),
       std::string(ui.word(Word::points))},
      rows);
}

void draw_found(Ui& ui, App& app, const LabelsView& found) {
  const LabelView& best = found.labels[0];
  ui.paragraph(shown_label(best.label, ui.language()) + " " + percent(best.probability),
               ui.colors().accent, TextSize::large, "verdict");
  std::vector<TableRow> rows;
  for (const LabelView& label : found.labels)
    rows.push_back(
        {{shown_label(label.label, ui.language()), percent(label.probability)}, label.probability});
  draw_table(ui, "labels", ui.word(Word::probability),
             {std::string(ui.word(Word::verdict)), std::string(ui.word(Word::probability))}, rows);
  draw_read_part(ui, found);
  if (found.weighed && app.labels()) draw_words(ui, app, found);
  draw_result_buttons(ui, app, as_text(app, found, ui.language()));
  ui.paragraph(milliseconds(found.total_ms) + " · " + found.kernel, ui.colors().muted,
               TextSize::small, "labels-time");
}

}  // namespace

std::string shown_label(const std::string& label, Language language) {
  if (label == "positive") return std::string(say(Word::positive, language));
  if (label == "negative") return std::string(say(Word::negative, language));
  return label;
}

std::vector<Mark> marks_of_words(const Ui& ui, const App& app) {
  const LabelsView* found = app.shows_guesses() ? app.labels() : nullptr;
  if (!found || found->words.empty()) return {};
  const Palette& colors = ui.colors();
  std::vector<Mark> marks;
  for (const WordView& word : found->words) {
    const float effect = App::effect(*found, word);
    // As on a ruler, so that a word that does little looks so in every text.
    const float strength = std::min(1.0f, 3 * std::abs(effect));
    if (strength < 0.05f) continue;
    const Range range = app.range_of(Field::review, word.begin, word.end);
    if (effect > 0)
      marks.push_back({range, mix(colors.card, colors.selection, strength),
                       mix(colors.card, colors.accent, strength)});
    else
      marks.push_back({range, mix(colors.card, colors.soft_second, strength),
                       mix(colors.card, colors.second, strength)});
  }
  return marks;
}

void draw_labels(Ui& ui, App& app, float width) {
  ui.begin_card("verdicts", ui.word(Word::verdict), width);
  const auto& found = app.last_labels();
  if (!draw_instead(ui, app, "no-labels", found ? &found->error : nullptr,
                    found && found->labels.empty(), Word::no_text))
    draw_found(ui, app, *found);
  if (const ModelView* model = app.chosen()) {
    const std::string accuracy = fact(*model, "test accuracy");
    const double share = std::atof(accuracy.c_str());
    draw_figures(ui, Word::label_figures,
                 {fact(*model, "weights"), fact(*model, "parameters"),
                  accuracy.empty() ? "" : std::to_string(std::lround(100 * share))},
                 "label-figures");
  }
  ui.end_card();
}

void draw_reviews(Ui& ui, App& app) { draw_chips(ui, app, kReviews); }

}  // namespace minibert::page
