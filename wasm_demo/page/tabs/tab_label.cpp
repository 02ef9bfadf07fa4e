// Labels texts: the labels with their probabilities, and each word's part in the best one.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/utf8.h"
#include "panels/parts.h"
#include "state/tab.h"

namespace minibert::page {
namespace {

constexpr std::string_view kReviews[] = {
    "음악은 훌륭한데 결말이 허무하다.",
    "마지막 장면에서 눈물이 났다. 오래 기억에 남을 영화.",
    "기대하지 않고 봤는데 정말 재미있었어요!",
    "배우들의 연기는 좋았지만 이야기가 너무 지루했다.",
};

constexpr Field kFields[] = {
    {{"review-field", Word::review, Word::review_placeholder}, kReviews[0]},
};

// The most characters of a text whose words are weighed: that takes a pass or two a word, and
// nothing else is answered meanwhile.
constexpr size_t kMostWeighed = 2000;
constexpr float kStrong =
    3;  // a change of the log odds that is shown as strongly as any larger one

struct Labels : Result {
  infer::ClassifyResult found;  // its words come after its labels
};

// Asks for the labels, then, unless the text is long, with each word's part, which takes longer.
Json question(Texts texts, const Settings&) {
  if (is_blank(texts[0].text())) return Json::array({Json::array()});
  const std::string text = to_utf8(texts[0].text());
  Json rounds = Json::array();
  for (const bool words : {false, true})
    if (!words || texts[0].text().size() <= kMostWeighed)
      rounds.push_back(Json::array({Json::array({"classify", text, "", words})}));
  return rounds;
}

std::unique_ptr<Result> read_labels(App&, const Message& message) {
  auto labels = std::make_unique<Labels>();
  if (message.answers.empty()) return labels;
  read(message.answers[0], &labels->found);
  return labels;
}

const Labels* current_labels(const App& app) {
  const auto* labels = static_cast<const Labels*>(app.current());
  return labels && !labels->found.labels.empty() ? labels : nullptr;
}

float best_of(const Labels& labels) { return labels.found.labels.front().probability; }

// Negative always has its own colour; other labels are colored by rank.
Color color_of(const Palette& colors, const std::string& label, size_t rank) {
  if (label == "negative") return colors.warning;
  return label == "positive" || rank == 0 ? colors.accent : colors.second;
}

std::string shown_label(const std::string& label, Language language) {
  if (label == "positive") return std::string(say(Word::positive, language));
  if (label == "negative") return std::string(say(Word::negative, language));
  return label;
}

// Returns the text's labels with their probabilities: the best, or with several labels any number.
std::string verdict(const infer::ClassifyResult& found, Language language) {
  std::string text;
  const std::vector<std::string> given = found.given();
  for (size_t i = 0; i < given.size(); ++i)
    text += (i > 0 ? ", " : "") + shown_label(found.labels[i].label, language) + " " +
            percent(found.labels[i].probability);
  return text.empty() ? std::string(say(Word::no_label, language)) : text;
}

std::string as_text(const App& app, const Labels& found, Language language) {
  std::string text = about(app, found);
  for (const infer::LabelProbability& label : found.found.labels)
    text += shown_label(label.label, language) + "\t" + percent(label.probability) + "\n";
  // The words are cut out of the text as it is now.
  if (!current_labels(app)) return text;
  for (const infer::WordWeight& word : found.found.words)
    text += app.text_at(0, word.begin, word.end) + "\t" +
            signed_number(effect(best_of(found), word)) + "\n";
  return text;
}

void draw_words(Ui& ui, const App& app, const Labels& found) {
  const auto& labels = found.found.labels;
  const std::string label = shown_label(labels[0].label, ui.language());
  draw_word_weights(
      ui, app, 0, best_of(found), found.found.words, kStrong,
      {std::string(ui.word(Word::masked_word)), say(Word::probability_then, ui.language(), label),
       std::string(ui.word(Word::log_odds))},
      {color_of(ui.colors(), labels[0].label, 0),
       color_of(ui.colors(), labels[labels.size() > 1 ? 1 : 0].label, 1)});
  ui.paragraph(say(Word::weights_hint, ui.language(), label), ui.colors().muted, TextSize::small,
               "weights-hint");
}

// Two labels as the parts of one bar, the second one named at its end; the outline has a table of them.
void draw_two(Ui& ui, const infer::LabelProbability& best, const infer::LabelProbability& other,
              const std::vector<std::string>& heads) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ui.inner_width(), height = ui.px(14), gap = ui.px(2);
  const float part = std::round((width - gap) * best.probability);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(at, {at.x + part, at.y + height}, color_of(ui.colors(), best.label, 0),
                      ui.px(4));
  const Color color = color_of(ui.colors(), other.label, 1);
  list->AddRectFilled({at.x + part + gap, at.y}, {at.x + width, at.y + height}, color, ui.px(4));
  const std::string text =
      shown_label(other.label, ui.language()) + " " + percent(other.probability);
  ui.draw_text({at.x + width - ui.measure(TextSize::small, text).x, at.y + height + ui.px(3)},
               TextSize::small, color, text);
  ImGui::Dummy({width, height + ui.font(TextSize::small)->FontSize + ui.px(3)});
  ui.mark("labels", ui.last_item());
  OutlineNode& table = ui.outline().add(Role::table, "labels", ui.word(Word::probability));
  table.columns = 2;
  table.cells = heads;
  for (const infer::LabelProbability* label : {&best, &other}) {
    table.cells.push_back(shown_label(label->label, ui.language()));
    table.cells.push_back(percent(label->probability));
  }
}

void draw_found(Ui& ui, App& app, const Labels& found) {
  const std::string& first = found.found.labels[0].label;
  ui.paragraph(verdict(found.found, ui.language()), color_of(ui.colors(), first, 0),
               TextSize::headline, "verdict");
  const std::vector<std::string> heads = {std::string(ui.word(Word::verdict)),
                                          std::string(ui.word(Word::probability))};
  if (found.found.labels.size() == 2 && !found.found.several) {
    draw_two(ui, found.found.labels[0], found.found.labels[1], heads);
  } else {
    std::vector<TableRow> rows;
    for (const infer::LabelProbability& label : found.found.labels)
      rows.push_back({{shown_label(label.label, ui.language()), percent(label.probability)},
                      label.probability});
    draw_table(ui, "labels", ui.word(Word::probability), heads, rows);
  }
  if (!found.found.words.empty() && current_labels(app)) draw_words(ui, app, found);
  draw_result_buttons(ui, app, [&] { return as_text(app, found, ui.language()); });
}

std::optional<std::string> speak(const App& app) {
  const auto& labels = static_cast<const Labels&>(*app.result());
  const Language language = app.settings().language;
  if (!app.shows_guesses()) return std::string(say(Word::hidden_guesses, language));
  if (labels.found.labels.empty()) return "";
  if (labels.found.words.empty() && app.field(0).text().size() <= kMostWeighed)
    return std::nullopt;  // the words come in a moment
  std::string spoken = verdict(labels.found, language);
  const auto most = std::max_element(labels.found.words.begin(), labels.found.words.end(),
                                     [&](const infer::WordWeight& a, const infer::WordWeight& b) {
                                       return std::abs(effect(best_of(labels), a)) <
                                              std::abs(effect(best_of(labels), b));
                                     });
  if (most != labels.found.words.end() && current_labels(app))
    spoken += ". " + std::string(say(Word::weightiest, language)) + ": " +
              app.text_at(0, most->begin, most->end);
  return spoken;
}

std::vector<Best> best(const Ui& ui, const App& app) {
  std::vector<Best> best;
  for (const infer::LabelProbability& label :
       static_cast<const Labels*>(app.result())->found.labels) {
    const Color color = color_of(ui.colors(), label.label, best.size());
    best.push_back({shown_label(label.label, ui.language()), percent(label.probability), color,
                    mix(ui.colors().card, color, 0.1f)});
  }
  return best;
}

std::vector<Mark> mark_words(const Ui& ui, const App& app) {
  const Labels* found = app.shows_guesses() ? current_labels(app) : nullptr;
  if (!found || found->found.words.empty()) return {};
  const Palette& colors = ui.colors();
  std::vector<Mark> marks;
  UnitPlaces places = app.places(0);
  for (const infer::WordWeight& word : found->found.words) {
    const float gain = effect(best_of(*found), word);
    // As on a ruler, so that a word that does little looks so in every text.
    const float strength = std::min(1.0f, std::abs(gain) / kStrong);
    if (strength < 0.05f) continue;
    const Range range = places.range(word.begin, word.end);
    const auto& labels = found->found.labels;
    const size_t rank = gain < 0 && labels.size() > 1 ? 1 : 0;
    const Color color = color_of(colors, labels[rank].label, rank);
    marks.push_back(
        {range, mix(colors.page, color, 0.3f * strength), mix(colors.page, color, strength)});
  }
  return marks;
}

void draw_labels(Ui& ui, App& app, float width) {
  ui.begin_card("verdicts", ui.word(Word::verdict), width);
  ui.card_title(ui.word(Word::verdict));
  const auto* found = static_cast<const Labels*>(app.result());
  if (!draw_instead(ui, app, "no-labels", found && found->found.labels.empty(), Word::no_text))
    draw_found(ui, app, *found);
  draw_figures(ui, app, Word::label_figures, "label-figures");
  ui.end_card();
}

}  // namespace

Tab label_tab() {
  return {.link = {"labels", "task=labels", "lm", {"r"}},
          .button = "task-label",
          .title = Word::label_texts,
          .card = "reading",
          .card_title = Word::label_texts,
          .opening = Word::label_opening,
          .fields = kFields,
          .examples = kReviews,
          .inquiries = {{{"labels", question, read_labels}}},
          .limits = Word::label_limits_text,
          .speak = speak,
          .result = "verdicts",
          .draw = draw_labels,
          .best = best,
          .marks = mark_words};
}

}  // namespace minibert::page
