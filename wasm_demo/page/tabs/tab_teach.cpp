// The visitor teaches: labels of one's own learnt from sentences, how well, and what they make of a new sentence.
#include <algorithm>
#include <cmath>

#include "core/utf8.h"
#include "host/host.h"
#include "panels/panels.h"
#include "state/tab.h"

namespace minibert::page {
namespace {

constexpr std::string_view kLessons =
    "국어: 시를 읽고 느낀 점을 썼다.\n"
    "국어: 주인공의 마음을 상상해 보았다.\n"
    "국어: 낱말의 뜻을 사전에서 찾았다.\n"
    "국어: 이야기를 읽고 줄거리를 말했다.\n"
    "국어: 친구에게 편지를 썼다.\n"
    "국어: 맞춤법이 틀린 글자를 고쳤다.\n"
    "과학: 자석에 못이 붙는지 실험했다.\n"
    "과학: 물이 끓는 온도를 재어 보았다.\n"
    "과학: 식물의 뿌리와 줄기를 관찰했다.\n"
    "과학: 달의 모양이 날마다 바뀐다.\n"
    "과학: 전구에 전지를 연결하자 불이 켜졌다.\n"
    "과학: 소금이 물에 녹는 것을 보았다.";
constexpr std::string_view kTried[] = {
    "이야기를 읽고 주인공에게 편지를 썼다.",
    "물에 설탕을 녹이며 온도를 재었다.",
    "나뭇잎의 모양을 관찰하고 글로 썼다.",
};

constexpr size_t kLines = 0, kNew = 1;
constexpr Field kFields[] = {
    {{"lessons-field", Word::lessons, Word::lessons_placeholder, TextSize::body},
     kLessons,
     false,
     true},
    {{"tried-field", Word::tried, Word::tried_placeholder}, kTried[0]},
};

constexpr size_t kFewSentences = 20;  // of which the accuracy says little
constexpr size_t kMostWrong = 20;     // shown
constexpr float kStrong = 0.5f;  // a change of the log odds with a bar as long as any larger one

struct Taught : Result {
  infer::TeachResult found;
};

Json calls(Texts texts, bool learn) {
  Json calls = Json::array();
  if (!is_blank(texts[kLines].text()))
    calls.push_back({"teach", to_utf8(texts[kLines].text()),
                     learn ? to_utf8(texts[kNew].text()) : std::string(), learn});
  return Json::array({calls});
}
Json count(Texts texts, const Settings&) { return calls(texts, false); }
Json learn(Texts texts, const Settings&) { return calls(texts, true); }

size_t sentences(const infer::TeachResult& found) {
  size_t sum = 0;
  for (const infer::TaughtLabel& label : found.labels) sum += label.sentences;
  return sum;
}

std::string share(size_t part, size_t whole) {
  return whole_percent(static_cast<double>(part) / static_cast<double>(whole)).substr(1);
}

std::string score(const infer::TeachResult& found, Language language) {
  const size_t all = sentences(found);
  return say_all(Word::taught_score, language,
                 {std::to_string(all), std::to_string(found.right), share(found.right, all)});
}

std::unique_ptr<Result> read_counts(App&, const Message& message) {
  auto taught = std::make_unique<Taught>();
  if (!message.answers.empty()) read(message.answers[0], &taught->found);
  return taught;
}

std::unique_ptr<Result> read_taught(App& app, const Message& message) {
  auto result = read_counts(app, message);
  if (!message.error.empty()) app.notice(message.error, true);
  const auto& found = static_cast<const Taught&>(*result).found;
  if (found.learnt) host::announce(score(found, app.settings().language), false);
  return result;
}

// Why these lessons teach nothing yet, a line each; none: they do.
std::vector<std::string> missing(const infer::TeachResult& found, Language language) {
  std::vector<std::string> lines;
  const auto add = [&](bool wrong, Word word, const std::string& value) {
    if (wrong) lines.push_back(say(word, language, value));
  };
  const size_t labels = found.labels.size(), all = sentences(found);
  add(found.unread_line > 0, Word::unread_line, std::to_string(found.unread_line));
  add(labels < infer::kFewestLabels, Word::few_labels, std::to_string(labels));
  add(labels > infer::kMostLabels, Word::many_labels, std::to_string(labels));
  for (const infer::TaughtLabel& label : found.labels)
    add(label.sentences < infer::kFewestSentences && labels <= infer::kMostLabels,
        Word::few_sentences, label.label);
  add(all > infer::kMostLessons, Word::many_sentences, std::to_string(all));
  return lines;
}

// What was learnt from the fields as they are.
const infer::TeachResult* learnt(const App& app) {
  const auto* taught = static_cast<const Taught*>(app.current(1));
  return taught && taught->found.learnt ? &taught->found : nullptr;
}

// A label keeps its colour, whichever comes first.
Color color_of(const Ui& ui, const infer::TeachResult& found, const std::string& label) {
  const auto at = std::find_if(found.labels.begin(), found.labels.end(),
                               [&](const auto& one) { return one.label == label; });
  return ui.colors()
      .kinds[static_cast<size_t>(at - found.labels.begin()) % ui.colors().kinds.size()];
}

std::string wrong_line(const infer::TaughtError& one, Language language) {
  return say_all(Word::wrong_one, language,
                 {one.text, one.label, one.guess, percent(one.probability)});
}

std::string as_text(const App& app, const infer::TeachResult& found, const Result& result,
                    Language language) {
  std::string text = about(app, result) + score(found, language) + "\n";
  for (const infer::LabelProbability& label : found.guess)
    text += label.label + "\t" + percent(label.probability) + "\n";
  for (const infer::WordWeight& word : found.words)
    text += app.text_at(kNew, word.begin, word.end) + "\t" +
            signed_number(effect(found.guess.front().probability, word)) + "\n";
  for (const infer::TaughtError& one : found.wrong) text += wrong_line(one, language) + "\n";
  return text;
}

// The new sentence's labels, and what each of its words does for the best one.
void draw_tried(Ui& ui, const App& app, const infer::TeachResult& found) {
  if (found.guess.empty()) return;
  ui.section(ui.word(Word::tried_result), "tried-title");
  std::vector<TableRow> rows;
  for (const infer::LabelProbability& label : found.guess)
    rows.push_back({{label.label, percent(label.probability)},
                    label.probability,
                    false,
                    color_of(ui, found, label.label)});
  draw_table(ui, "tried", ui.word(Word::tried_result),
             {std::string(ui.word(Word::taught_label)), std::string(ui.word(Word::probability))},
             rows);
  if (found.words.empty()) return;
  const auto& [best, probability] = found.guess.front();
  draw_word_weights(ui, app, kNew, probability, found.words, kStrong,
                    {std::string(ui.word(Word::left_word)), std::string(ui.word(Word::probability)),
                     std::string(ui.word(Word::log_odds))},
                    {color_of(ui, found, best), ui.colors().muted});
  ui.paragraph(say(Word::taught_weights_hint, ui.language(), best), ui.colors().muted,
               TextSize::small, "taught-weights-hint");
}

void draw_learnt(Ui& ui, App& app, const infer::TeachResult& found) {
  const size_t all = sentences(found);
  ui.section(ui.word(Word::taught), "taught-title");
  ui.paragraph(score(found, ui.language()), ui.colors().text, TextSize::body, "score");
  const auto most =
      std::max_element(found.labels.begin(), found.labels.end(),
                       [](const auto& a, const auto& b) { return a.sentences < b.sentences; });
  ui.paragraph(say_all(Word::most_frequent, ui.language(),
                       {most->label, std::to_string(most->sentences), share(most->sentences, all)}),
               ui.colors().text, TextSize::small, "most-frequent");
  if (all < kFewSentences)
    ui.paragraph(ui.word(Word::few_lessons), ui.colors().warning, TextSize::small, "few-lessons");
  ui.paragraph(ui.word(Word::held_out), ui.colors().muted, TextSize::small, "held-out");
  draw_tried(ui, app, found);
  if (!found.wrong.empty()) {
    ui.section(ui.word(Word::wrong_ones), "wrong-title");
    for (size_t i = 0; i < std::min(found.wrong.size(), kMostWrong); ++i)
      ui.paragraph(wrong_line(found.wrong[i], ui.language()), ui.colors().text, TextSize::small,
                   "wrong-" + std::to_string(i));
    if (found.wrong.size() > kMostWrong)
      ui.paragraph(say(Word::more_spoken_names, ui.language(),
                       std::to_string(found.wrong.size() - kMostWrong)),
                   ui.colors().muted, TextSize::small, "more-wrong");
  }
  draw_result_buttons(ui, app, [&] { return as_text(app, found, *app.current(1), ui.language()); });
}

void draw_counts(Ui& ui, App& app, const infer::TeachResult& found) {
  std::vector<TableRow> rows;
  for (const infer::TaughtLabel& label : found.labels)
    rows.push_back({{label.label, std::to_string(label.sentences)},
                    static_cast<float>(label.sentences) / static_cast<float>(sentences(found)),
                    false,
                    color_of(ui, found, label.label)});
  if (!rows.empty())
    draw_table(ui, "lessons", ui.word(Word::lessons_count),
               {std::string(ui.word(Word::taught_label)), std::string(ui.word(Word::sentences))},
               rows);
  const std::vector<std::string> lines = missing(found, ui.language());
  for (size_t i = 0; i < lines.size(); ++i)
    ui.paragraph(lines[i], ui.colors().warning, TextSize::body, "missing-" + std::to_string(i));
  // Once learnt, it learns again from what is changed.
  if (app.result(1) && lines.empty() && !app.requested()) app.request();
  if (ui.picture()) return;
  if (ui.button("learn", ui.word(Word::learn), lines.empty(), Weight::primary)) app.request();
}

void draw_taught(Ui& ui, App& app, float width) {
  ui.begin_card("taught", ui.word(Word::lessons_count), width);
  ui.card_title(ui.word(Word::lessons_count));
  const auto* counted = static_cast<const Taught*>(app.result());
  if (!draw_instead(ui, app, "no-lessons",
                    counted && counted->found.labels.empty() && counted->found.unread_line == 0,
                    Word::no_lessons))
    draw_counts(ui, app, counted->found);
  const auto next = [&](const char* name, Word word) {
    ui.flow(ui.button_width(ui.word(word)));
    return ui.button(name, ui.word(word), true, Weight::quiet);
  };
  if (next("save-lessons", Word::save_lessons)) host::save_text(to_utf8(app.field(kLines).text()));
  if (next("open-lessons", Word::open_lessons)) host::pick_file();
  if (const infer::TeachResult* found = learnt(app); found && app.shows_guesses())
    draw_learnt(ui, app, *found);
  draw_other_size(ui, app, true);
  ui.end_card();
}

std::optional<std::string> speak(const App& app) {
  std::string text;
  for (const std::string& line :
       missing(static_cast<const Taught*>(app.result())->found, app.settings().language))
    text += line + " ";
  return text;
}

std::vector<Best> best(const Ui& ui, const App& app) {
  std::vector<Best> best;
  if (const infer::TeachResult* found = learnt(app))
    for (const infer::LabelProbability& label : found->guess) {
      const Color color = color_of(ui, *found, label.label);
      best.push_back(
          {label.label, percent(label.probability), color, mix(ui.colors().card, color, 0.1f)});
    }
  return best;
}

}  // namespace

Tab teach_tab() {
  return {.link = {"masks", "task=teach", "tm", {"d", "e"}},
          .button = "task-teach",
          .title = Word::teach,
          .card = "teaching",
          .card_title = Word::teach,
          .opening = Word::teach_opening,
          .fields = kFields,
          .examples = kTried,
          .inquiries = {{{"lessons", count, read_counts},
                         {"taught", learn, read_taught, nullptr, true}}},
          .limits = Word::teach_limits_text,
          .speak = speak,
          .result = "taught",
          .draw = draw_taught,
          .best = best};
}

}  // namespace minibert::page
