// Fills masks: for each the best pieces with bars; two models side by side with their differences.
#include <algorithm>
#include <cmath>

#include "core/utf8.h"
#include "host/host.h"
#include "panels/panels.h"
#include "state/tab.h"

namespace minibert::page {
namespace {

// The first one greets: the shipped models get it right.
constexpr std::string_view kSentences[] = {
    "제2차 세계 [MASK]은 1945년에 끝났다.",
    "세종대왕은 조선의 제4대 [MASK]이다.",
    "이 영화는 2003년에 [MASK]된 대한민국의 영화이다.",
    "그는 서울대학교를 [MASK]하였다.",
    "그는 대한민국의 [MASK] 선수이다.",
    "이 노래는 2010년에 [MASK]되었다.",
};

constexpr Field kFields[] = {
    {{"sentence-field", Word::sentence, Word::placeholder}, kSentences[0], true},
};

// The most masks with guesses of whole words, each of which costs dozens of answers.
// Word::whole_words_hint tells the number.
constexpr size_t kMostWordMasks = 6;
constexpr int kMostExplained = 5;  // guesses after each layer
constexpr int kMostChanged = 6;    // guesses of the changed model
constexpr int kMostLearnt = 10;    // guesses of each checkpoint
constexpr float kMinColumn = 230;

// Asks for a model's guesses, or the tokens of a sentence without masks.
Json guesses(Texts texts, const Settings& settings) {
  const FieldText& sentence = texts[0];
  const std::string text = to_utf8(sentence.text());
  Json calls = Json::array();
  if (sentence.masks().empty()) {
    if (!is_blank(sentence.text())) calls.push_back({"tokenize", text});
    return Json::array({calls});
  }
  const int asked = asked_guesses(settings, settings.top);
  calls.push_back({"fill", text, asked});
  for (size_t i = 0; settings.words && i < std::min(sentence.masks().size(), kMostWordMasks); ++i)
    calls.push_back({"words", text, i, asked});
  return Json::array({calls});
}

// How the model is changed, as the engine reads it.
Json written_change(const Settings& settings) {
  const ChangeState& change = settings.explain.change;
  return {change.off, change.other, change.stage,
          change.at < 0 ? std::string() : std::to_string(change.at)};
}

// One mask is looked at, but all are explained.
Json explanation(Texts texts, const Settings& settings) {
  if (settings.view != View::explain || texts[0].masks().empty())
    return Json::array({Json::array()});
  Json call = {"explain", to_utf8(texts[0].text()), kMostExplained};
  for (Json& value : written_change(settings)) call.push_back(std::move(value));
  return Json::array({Json::array({std::move(call)})});
}

std::string explained_model(const App& app) {
  return app.settings().view == View::explain ? app.explained_model() : std::string();
}

// Its numbers come just after; where they will not, what was there goes, unless it is a change that cannot be made.
std::unique_ptr<Result> read_explanation(App& app, const Message& message) {
  const bool of_change = !message.error.empty() && app.settings().explain.change.changes();
  if (app.field(0).masks().empty() || (!message.error.empty() && !of_change))
    app.set_explanation({});
  return std::make_unique<Result>();
}

std::unique_ptr<Result> read_fill(App& app, const Message& message) {
  auto fill = std::make_unique<Fill>();
  if (message.answers.empty()) return fill;
  const Json& first = message.answers[0];
  if (first.is_array()) {
    read(first, &fill->found.tokens);
    return fill;
  }
  read(first, &fill->found);
  read(first, "kernel", &fill->kernel);
  for (size_t i = 0; i + 1 < message.answers.size() && i < fill->found.masks.size(); ++i) {
    std::vector<infer::Guess> words;
    read(message.answers[i + 1], &words);
    fill->found.masks[i].guesses = std::move(words);
  }
  for (infer::MaskGuesses& mask : fill->found.masks)
    leave_out(app.settings(), app.settings().top, &mask.guesses);
  return fill;
}

// The changed model beside itself as it is.
Json changes(Texts texts, const Settings& settings) {
  if (settings.view != View::explain || texts[0].masks().empty() ||
      !settings.explain.change.changes())
    return Json::array({Json::array()});
  Json call = {"intervene", to_utf8(texts[0].text()), kMostChanged};
  for (Json& value : written_change(settings)) call.push_back(std::move(value));
  call.insert(call.end(), {settings.explain.mask, ""});
  return Json::array({Json::array({std::move(call)})});
}

std::unique_ptr<Result> read_changes(App&, const Message& message) {
  auto changed = std::make_unique<Changed>();
  if (!message.answers.empty()) read(message.answers[0], &changed->found);
  return changed;
}

// Asks for guesses at several points of a training, if that view is shown.
Json checkpoints(Texts texts, const Settings& settings) {
  if (settings.view != View::training || texts[0].masks().empty())
    return Json::array({Json::array()});
  return Json::array({Json::array({{"checkpoints", to_utf8(texts[0].text()), kMostLearnt}})});
}

std::string learning_model(const App& app) {
  return app.settings().view == View::training ? kLearningModel : "";
}

std::unique_ptr<Result> read_checkpoints(App&, const Message& message) {
  auto learnt = std::make_unique<Learnt>();
  if (!message.answers.empty() && message.answers[0].is_array())
    for (const Json& one : message.answers[0]) read(one, &learnt->found.emplace_back());
  return learnt;
}

std::optional<std::string> speak(const App& app) {
  const Fill& fill = *app.fill();
  const Language language = app.settings().language;
  if (fill.found.masks.empty()) return std::string(say(Word::no_mask, language));
  if (!app.shows_guesses()) return std::string(say(Word::hidden_guesses, language));
  std::string spoken;
  for (size_t i = 0; i < fill.found.masks.size(); ++i) {
    spoken += std::string(say(Word::guess, language)) + " " + std::to_string(i + 1) + ": ";
    const std::vector<infer::Guess>& guesses = fill.found.masks[i].guesses;
    for (size_t k = 0; k < std::min<size_t>(3, guesses.size()); ++k)
      spoken += (k ? ", " : "") + guesses[k].text + whole_percent(guesses[k].probability);
    spoken += ". ";
  }
  return spoken;
}

// The first mask at or after the caret, else the first.
size_t next_mask(const App& app) {
  const std::vector<Range>& masks = app.field(0).masks();
  const auto after = std::find_if(masks.begin(), masks.end(), [&](const Range& mask) {
    return mask.end >= app.field(0).selection().end;
  });
  return after == masks.end() ? 0 : static_cast<size_t>(after - masks.begin());
}

// The best guess of each mask, in the explanation that of its model; none where the sentence has other masks by now.
std::vector<std::string> blanks(const App& app) {
  std::vector<std::string> best;
  if (app.view() == View::explain && app.shows_guesses()) {
    const std::vector<ExplainedMaskView>& masks = app.explanation().masks;
    for (const ExplainedMaskView& mask : masks)
      best.push_back(mask.stages.back().empty() ? "" : mask.stages.back()[0].text);
    if (masks.size() != app.field(0).masks().size()) best.clear();
  }
  if (app.view() == View::explain || app.view() == View::training) return best;
  const Fill* fill = app.shows_guesses() ? app.fill() : nullptr;
  if (!fill || fill->found.masks.size() != app.field(0).masks().size()) return best;
  for (const infer::MaskGuesses& mask : fill->found.masks)
    best.push_back(mask.guesses.empty() ? std::string() : mask.guesses.front().text);
  return best;
}

// Takes that mask's guess.
bool take(App& app, size_t rank) {
  if (!app.can_fill_all()) return false;
  const size_t mask = next_mask(app);
  if (mask >= app.fill()->found.masks.size()) return false;
  const std::vector<infer::Guess>& guesses = app.fill()->found.masks[mask].guesses;
  if (rank >= guesses.size()) return false;
  app.insert_guess(mask, guesses[rank].text);
  return true;
}

std::vector<Best> best(const Ui& ui, const App& app) {
  std::vector<Best> best;
  const std::vector<infer::MaskGuesses>& masks = app.fill()->found.masks;
  if (masks.empty()) return best;
  for (const infer::Guess& guess : masks[std::min(next_mask(app), masks.size() - 1)].guesses)
    best.push_back({guess.text, percent(guess.probability), ui.colors().accent, ui.colors().soft});
  return best;
}

const infer::Guess* find(const infer::MaskGuesses* mask, const std::string& text) {
  if (!mask) return nullptr;
  const auto found = std::find_if(mask->guesses.begin(), mask->guesses.end(),
                                  [&](const infer::Guess& guess) { return guess.text == text; });
  return found == mask->guesses.end() ? nullptr : &*found;
}

// The other model's probability for the same word, as a signed difference in points.
std::string difference(const infer::Guess& guess, const infer::MaskGuesses* other,
                       Language language) {
  const infer::Guess* same = find(other, guess.text);
  if (!same) return "–";
  return points(guess.probability - same->probability, language);
}

// One column of guesses; returns the clicked one.
const infer::Guess* draw_column(Ui& ui, const infer::MaskGuesses& mask,
                                const infer::MaskGuesses* other, float width,
                                const RowStyle& style) {
  const infer::Guess* clicked = nullptr;
  ui.outline().begin(Role::list, style.name, style.title);
  for (size_t k = 0; k < mask.guesses.size(); ++k) {
    const infer::Guess& guess = mask.guesses[k];
    std::string right = percent(guess.probability);
    if (other) right += "  " + difference(guess, other, ui.language());
    if (draw_row(ui, guess.text, guess.probability, k, right, width, style)) clicked = &guess;
  }
  ui.outline().end();
  return clicked;
}

// All of one mask: a title, which is the card's where there is one mask alone, then one column or two.
void draw_mask(Ui& ui, App& app, size_t index, float width) {
  const Fill& fill = *app.fill();
  const Fill* second = app.compared();
  const infer::MaskGuesses& mask = fill.found.masks[index];
  const bool comparable = second && second->revision == fill.revision && second->error.empty();
  const infer::MaskGuesses* other =
      comparable && index < second->found.masks.size() ? &second->found.masks[index] : nullptr;
  // Otherwise the guesses belong to other masks, and pressing does nothing.
  const bool current = fill.revision == app.revision();
  ImGui::BeginGroup();
  const bool alone = fill.found.masks.size() == 1;
  std::string title = alone ? std::string(ui.word(Word::guesses))
                            : std::string(ui.word(Word::guess)) + " " + std::to_string(index + 1);
  if (other && !other->guesses.empty() && !mask.guesses.empty())
    title += other->guesses.front().text == mask.guesses.front().text
                 ? " · " + std::string(ui.word(Word::same_guess))
                 : " · " + std::string(ui.word(Word::other_guess));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const TextSize size = alone ? TextSize::title : TextSize::strong;
  const float line = ui.font(size)->FontSize;
  const float button = ui.button_width(ui.word(Word::my_word));
  ui.draw_text({at.x, at.y + (ui.button_height() - line) / 2}, size, ui.colors().text,
               ui.elide(size, title, width - button));
  ImGui::SetCursorScreenPos({at.x + width - button, at.y});
  if (ui.button(("my-word-" + std::to_string(index)).c_str(), ui.word(Word::my_word), true,
                Weight::quiet) &&
      current)
    host::ask_word(index);
  if (ui.picture()) ImGui::SetCursorScreenPos({at.x, at.y + ui.button_height()});
  const float gap = ui.px(10);
  const float column = other ? (width - gap) / 2 : width;
  const std::string prefix = "guess-" + std::to_string(index);
  const infer::Guess* clicked = nullptr;
  ImGui::BeginGroup();
  if (other) ui.label(model_name(app, fill), ui.colors().accent, TextSize::small);
  // Those that stand right below the sentence are not said again.
  if (!alone || other || app.settings().top > kTops[0] || !ui.outline().has("best"))
    clicked = draw_column(ui, mask, nullptr, column,
                          {ui.colors().accent, ui.colors().soft, prefix, title});
  ImGui::EndGroup();
  if (other) {
    ImGui::SameLine(0, gap);
    ImGui::BeginGroup();
    ui.label(model_name(app, *second), ui.colors().second, TextSize::small);
    const infer::Guess* right =
        draw_column(ui, *other, &mask, column,
                    {ui.colors().second, ui.colors().soft_second, "second-" + prefix, title});
    if (right) clicked = right;
    ImGui::EndGroup();
  }
  ImGui::EndGroup();
  if (clicked && current) app.insert_guess(index, clicked->text);
}

// Where a pupil's own guess stands among the model's for the first mask.
void draw_own_guess(Ui& ui, const App& app, const Fill& fill) {
  const std::string mine = app.own_guess();
  if (mine.empty()) return;
  const std::vector<infer::Guess>& guesses = fill.found.masks[0].guesses;
  const infer::Guess* found = find(&fill.found.masks[0], mine);
  const auto rank = static_cast<size_t>(found ? found - guesses.data() + 1 : guesses.size());
  ui.paragraph(
      std::string(ui.word(Word::own_guess)) + ": " + mine + ". " +
          say(found ? Word::own_rank : Word::own_beyond, ui.language(), std::to_string(rank)),
      ui.colors().text, TextSize::body, "own-guess-told");
}

// The sentence, the model, "빈칸 1" and its guesses, one a line.
std::string as_text(const Ui& ui, const App& app, const Fill& fill) {
  std::string text = about(app, fill);
  for (size_t i = 0; i < fill.found.masks.size(); ++i) {
    text += std::string(ui.word(Word::guess)) + " " + std::to_string(i + 1) + "\n";
    for (const infer::Guess& guess : fill.found.masks[i].guesses)
      text += guess.text + "\t" + percent(guess.probability) + "\n";
  }
  return text;
}

// Draws the number of guesses, their kind, and the actions on all of them.
void draw_tools(Ui& ui, App& app, const Fill& fill) {
  Settings& settings = app.settings();
  const auto next = [&](const char* name, Word word) {
    ui.flow(ui.button_width(ui.word(word)));
    return ui.button(name, ui.word(word), true, Weight::quiet);
  };
  if (ui.button("to-explain", ui.word(Word::explain))) app.choose_view(View::explain);
  if (settings.lesson && next("hide", Word::hide_guesses)) app.hide();
  if (settings.top == kTops[0]) {
    if (next("more-guesses", Word::more_guesses)) settings.top = kTops[1];
    return;
  }
  std::vector<std::string> tops;
  size_t current = 0;
  for (size_t i = 0; i < kTops.size(); ++i) {
    tops.push_back(std::to_string(kTops[i]));
    if (kTops[i] == settings.top) current = i;
  }
  ui.flow(ui.px(76));
  const auto picked = ui.select("top", ui.word(Word::top_k), tops, current, ui.px(76));
  if (picked) settings.top = kTops[*picked];
  ui.flow(ui.button_width(ui.word(Word::whole_words)));
  if (ui.toggle("words", ui.word(Word::whole_words), settings.words))
    settings.words = !settings.words;
  const Fill* second = app.compared();
  const bool both = second && second->error.empty() && second->revision == fill.revision;
  if (next("copy-text", Word::copy_text))
    host::copy_text(as_text(ui, app, fill) + (both ? "\n" + as_text(ui, app, *second) : ""));
  if (next("save-picture", Word::save_picture)) host::save_picture();
}

void draw_guesses(Ui& ui, App& app, float width) {
  ui.begin_card("guesses", ui.word(Word::guesses), width);
  const Fill* fill = app.fill();
  const bool alone = fill && fill->error.empty() && fill->found.masks.size() == 1;
  if (!alone || !app.shows_guesses()) ui.card_title(ui.word(Word::guesses));
  if (!fill || !fill->error.empty()) {
    draw_nothing_yet(ui, app, "no-guesses");
  } else if (fill->found.masks.empty()) {
    ui.paragraph(ui.word(Word::no_mask), ui.colors().muted, TextSize::body, "no-mask");
  } else if (!app.shows_guesses()) {
    ui.paragraph(ui.word(Word::hidden_guesses), ui.colors().text, TextSize::body, "hidden");
    draw_show(ui, app);
    draw_other_size(ui, app, false);
  } else {
    const float gap = ui.px(16);
    const float wanted = ui.px(app.compared() ? 2 * kMinColumn - 60 : kMinColumn);
    const float inner = ui.inner_width();
    const auto fit = static_cast<size_t>(std::max(1.0f, (inner + gap) / (wanted + gap)));
    const size_t columns = std::min(fit, fill->found.masks.size());
    const float each =
        (inner - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns);
    const size_t count = fill->found.masks.size();
    for (size_t i = 0; i < count; ++i) {
      if (i % columns)
        ImGui::SameLine(0, gap);
      else if (i)
        ImGui::Dummy({1, ui.px(6)});
      draw_mask(ui, app, i, each);
    }
    draw_own_guess(ui, app, *fill);
    if (!ui.picture())
      ui.paragraph(hint_of_rows(ui, Word::click_to_insert), ui.colors().muted, TextSize::small,
                   "click-to-insert");
    if (app.settings().words)
      ui.paragraph(ui.word(Word::whole_words_hint), ui.colors().muted, TextSize::small,
                   "whole-words-hint");
    draw_tools(ui, app, *fill);
    draw_other_size(ui, app, true);
    draw_left_out(ui, app);
  }
  const Fill* second = app.compared();
  const ModelView* other = app.model(app.settings().compare);
  if (second && !second->error.empty() && other && other->state != ModelState::failed)
    ui.paragraph(second->error.in(ui.language()), ui.colors().warning, TextSize::small,
                 "compare-error");
  ui.end_card();
}

}  // namespace

Tab fill_tab() {
  return {.link = {"masks", "", "m", {"t"}},
          .button = "task-fill",
          .title = Word::fill_masks,
          .card = "sentence",
          .card_title = Word::sentence,
          .opening = Word::fill_opening,
          .fields = kFields,
          .examples = kSentences,
          .inquiries = {{{"masks", guesses, read_fill},
                         {"compare", guesses, read_fill,
                          [](const App& app) { return app.settings().compare; }},
                         {"changes", changes, read_changes, explained_model},
                         {"training", checkpoints, read_checkpoints, learning_model},
                         {"explain", explanation, read_explanation, explained_model}}},
          .limits = Word::card_limits_text,
          .masks = true,
          .speak = speak,
          .result = "guesses",
          .draw = draw_guesses,
          .best = best,
          .blanks = blanks,
          .choose = take};
}

}  // namespace minibert::page
