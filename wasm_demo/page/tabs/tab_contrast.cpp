// Two sentences with the same blank that differ in a word: what each fills in, and which of them gives more to it.
#include <algorithm>
#include <cmath>

#include "core/utf8.h"
#include "panels/panels.h"
#include "state/tab.h"

namespace minibert::page {
namespace {

constexpr std::string_view kFirst[] = {
    "그는 대한민국의 [MASK]이다.",
    "아버지는 [MASK]에서 일하신다.",
    "부산은 [MASK]로 유명하다.",
    "여름에는 [MASK]이 많이 온다.",
};
constexpr std::string_view kSecond[] = {
    "그녀는 대한민국의 [MASK]이다.",
    "어머니는 [MASK]에서 일하신다.",
    "서울은 [MASK]로 유명하다.",
    "겨울에는 [MASK]이 많이 온다.",
};

constexpr Field kFields[] = {
    {{"first-field", Word::first_sentence, Word::placeholder}, kFirst[0], true},
    {{"second-field", Word::second_sentence, Word::placeholder}, kSecond[0], true},
};

constexpr int kAsked = 200;  // guesses of each sentence
constexpr size_t kBest = 8;  // of each that are shown, with what the other has of them

struct Contrast : Result {
  struct Row {
    std::string text;
    std::array<float, 2> probability = {};  // in each sentence
    std::array<bool, 2> below = {};         // less than that: it is not among those asked for
    float gain() const { return probability[1] - probability[0]; }
  };
  std::array<std::vector<infer::Guess>, 2> guesses;
  std::vector<Row> rows;  // what the first one gives most to before, the second's last
};

Json question(Texts texts, const Settings& settings) {
  Json calls = Json::array();
  if (texts[0].masks().size() == 1 && texts[1].masks().size() == 1)
    for (const FieldText& text : texts)
      calls.push_back({"fill", to_utf8(text.text()), asked_guesses(settings, kAsked)});
  return Json::array({calls});
}

std::unique_ptr<Result> read_contrast(App& app, const Message& message) {
  auto contrast = std::make_unique<Contrast>();
  if (message.answers.size() < 2) return contrast;
  for (size_t i = 0; i < 2; ++i) {
    infer::FillResult found;
    read(message.answers[i], &found);
    if (!found.masks.empty()) contrast->guesses[i] = std::move(found.masks[0].guesses);
    leave_out(app.settings(), kAsked, &contrast->guesses[i]);
  }
  if (contrast->guesses[0].empty() || contrast->guesses[1].empty()) return contrast;
  std::vector<Contrast::Row>& rows = contrast->rows;
  for (const auto& guesses : contrast->guesses)
    for (size_t k = 0; k < std::min(kBest, guesses.size()); ++k) {
      const auto same = [&](const auto& one) { return one.text == guesses[k].text; };
      if (std::any_of(rows.begin(), rows.end(), same)) continue;
      Contrast::Row& row = rows.emplace_back();
      row.text = guesses[k].text;
      for (size_t i = 0; i < 2; ++i) {
        const auto& all = contrast->guesses[i];
        const auto found = std::find_if(all.begin(), all.end(), same);
        row.below[i] = found == all.end();
        row.probability[i] = row.below[i] ? all.back().probability : found->probability;
      }
    }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.gain() < b.gain(); });
  return contrast;
}

std::string shown(const Contrast::Row& row, size_t i) {
  return (row.below[i] ? "< " : "") + percent(row.probability[i]);
}

std::string as_text(const App& app, const Contrast& found) {
  std::string text = about(app, found);
  for (const Contrast::Row& row : found.rows)
    text += row.text + "\t" + shown(row, 0) + "\t" + shown(row, 1) + "\t" +
            points(row.gain(), app.settings().language) + "\n";
  return text;
}

void draw_rows(Ui& ui, App& app, const Contrast& found) {
  float most = 0;
  for (const Contrast::Row& row : found.rows) most = std::max(most, std::abs(row.gain()));
  std::vector<TableRow> rows;
  for (const Contrast::Row& one : found.rows) {
    TableRow row{{one.text, shown(one, 0), shown(one, 1), points(one.gain(), ui.language())}};
    row.bar = most > 0 ? std::abs(one.gain()) / most : 0;
    row.against = one.gain() < 0;
    row.color = row.against ? ui.colors().second : ui.colors().accent;
    rows.push_back(std::move(row));
  }
  draw_table(ui, "contrast", ui.word(Word::contrast),
             {std::string(ui.word(Word::guessed_word)), std::string(ui.word(Word::in_first)),
              std::string(ui.word(Word::in_second)), std::string(ui.word(Word::gain))},
             rows);
  ui.paragraph(ui.word(Word::contrast_hint), ui.colors().muted, TextSize::small, "contrast-hint");
  draw_result_buttons(ui, app, [&] { return as_text(app, found); });
  draw_other_size(ui, app, true);
  draw_left_out(ui, app);
}

void draw_contrast(Ui& ui, App& app, float width) {
  ui.begin_card("contrasted", ui.word(Word::gain), width);
  ui.card_title(ui.word(Word::gain));
  const auto* found = static_cast<const Contrast*>(app.result());
  if (!draw_instead(ui, app, "no-pair", found && found->rows.empty(), Word::no_pair))
    draw_rows(ui, app, *found);
  ui.end_card();
}

// Both sentences' best, in the fields' colours.
std::vector<Best> best(const Ui& ui, const App& app) {
  const auto& found = *static_cast<const Contrast*>(app.result());
  std::vector<Best> best;
  for (size_t i = 0; i < 2 && !found.rows.empty(); ++i) {
    const Color color = i == 0 ? ui.colors().second : ui.colors().accent;
    const infer::Guess& guess = found.guesses[i].front();
    best.push_back(
        {guess.text, percent(guess.probability), color, mix(ui.colors().card, color, 0.1f)});
  }
  return best;
}

std::optional<std::string> speak(const App& app) {
  const auto& found = *static_cast<const Contrast*>(app.result());
  const Language language = app.settings().language;
  if (!app.shows_guesses()) return std::string(say(Word::hidden_guesses, language));
  if (found.rows.empty()) return "";
  std::string spoken;
  for (size_t i = 0; i < 2; ++i) {
    const infer::Guess& guess = found.guesses[i].front();
    spoken += std::string(say(i == 0 ? Word::first_sentence : Word::second_sentence, language)) +
              ": " + guess.text + whole_percent(guess.probability) + ". ";
  }
  return spoken;
}

}  // namespace

Tab contrast_tab() {
  return {.link = {"masks", "task=contrast", "wm", {"f", "g"}},
          .button = "task-contrast",
          .title = Word::contrast,
          .card = "contrasting",
          .card_title = Word::contrast,
          .opening = Word::contrast_opening,
          .fields = kFields,
          .examples = kSecond,
          .partners = kFirst,
          .inquiries = {{{"contrast", question, read_contrast}}},
          .limits = Word::card_limits_text,
          .speak = speak,
          .result = "contrasted",
          .draw = draw_contrast,
          .best = best};
}

}  // namespace minibert::page
