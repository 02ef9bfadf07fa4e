// Actions on the state, and telling the host. Those of asking are in app_asking.cpp.
#include "app.h"

#include <algorithm>
#include <cstdio>

#include "core/utf8.h"
#include "host.h"

namespace minibert::page {

// The first one greets: the shipped models get it right.
const std::array<std::string_view, 6> kExamples = {
    "제2차 세계 [MASK]은 1945년에 끝났다.",
    "세종대왕은 조선의 제4대 [MASK]이다.",
    "이 영화는 2003년에 [MASK]된 대한민국의 영화이다.",
    "그는 서울대학교를 [MASK]하였다.",
    "그는 대한민국의 [MASK] 선수이다.",
    "대한민국의 수도는 [MASK]이다.",
};

namespace {

struct KeyName {
  std::string_view name;
  Key key;
};
constexpr KeyName kKeyNames[] = {
    {"ArrowLeft", Key::left}, {"ArrowRight", Key::right},
    {"ArrowUp", Key::up},     {"ArrowDown", Key::down},
    {"Home", Key::home},      {"End", Key::end},
    {"Delete", Key::del},     {"Backspace", Key::backspace},
    {"Enter", Key::enter},    {"Escape", Key::escape},
    {"KeyZ", Key::z},         {"KeyY", Key::y},
    {"KeyA", Key::a},         {"KeyM", Key::m},
};

}  // namespace

std::optional<Key> key_named(std::string_view name) {
  for (const KeyName& known : kKeyNames)
    if (known.name == name) return known.key;
  return std::nullopt;
}

void App::open(std::string_view fragment, const Settings& preferences) {
  Settings defaults = preferences;
  defaults.text = kExamples[0];
  defaults.question = kQuestions[0];
  defaults.text_asked = kAskedText;
  settings_ = from_fragment(fragment, defaults);
  field(Field::sentence).reset(to_code_points(settings_.text));
  field(Field::question).reset(to_code_points(settings_.question));
  field(Field::text).reset(to_code_points(settings_.text_asked));
  active_ = settings_.asking ? Field::question : Field::sentence;
  hide();
  ask_at_once_ = true;
  check_models();
}

void App::set_models(std::vector<ModelView> models) {
  models_ = std::move(models);
  check_models();
}

void App::check_models() {
  if (models_.empty()) return;
  const auto is_other = [&](const std::string& id, bool answers) {
    const ModelView* found = model(id);
    return !id.empty() && (!found || found->answers != answers);
  };
  const auto first = [&](bool answers) {
    const auto found = std::find_if(models_.begin(), models_.end(),
                                    [&](const ModelView& one) { return one.answers == answers; });
    return found == models_.end() ? std::string() : found->id;
  };
  for (const std::string& id : {settings_.model, settings_.compare, settings_.answer_model})
    if (!id.empty() && !model(id)) notice(both(Word::unknown_model, id), true);
  if (settings_.model.empty() || is_other(settings_.model, false)) use_model(first(false));
  if (is_other(settings_.compare, false)) settings_.compare.clear();
  if (is_other(settings_.answer_model, true)) settings_.answer_model.clear();
  if (settings_.asking && settings_.answer_model.empty()) settings_.answer_model = first(true);
  if (settings_.asking && !can_ask()) ask(false);
}

uint64_t App::revision() const {
  if (!settings_.asking) return field(Field::sentence).revision();
  return field(Field::question).revision() + field(Field::text).revision();
}

void App::choose_theme(Theme theme) {
  settings_.theme = theme;
  host::remember("theme", theme == Theme::dark ? "dark" : "light");
}

void App::choose_language(Language language) {
  settings_.language = language;
  host::remember("language", language == Language::korean ? "ko" : "en");
}

void App::publish() {
  const EditorModel& edited = editor();
  const bool text_differs = agent_text_ != edited.text();
  if (!edited.composing() && (text_differs || agent_selection_ != edited.selection())) {
    agent_text_ = edited.text();
    agent_selection_ = edited.selection();
    host::set_text_agent(to_utf8(agent_text_), agent_selection_.anchor, agent_selection_.caret);
  }
  // A model that answers is loaded only when it is asked.
  const std::string wanted[3] = {settings_.model, settings_.compare,
                                 settings_.asking ? settings_.answer_model : std::string()};
  for (int slot = 0; slot < 3; ++slot) {
    if (published_models_[slot] == wanted[slot]) continue;
    published_models_[slot] = wanted[slot];
    if (slot < 2) fills_[slot].reset();
    if (slot == 2) {
      answers_.reset();
      left_out_.reset();
    }
    host::select_model(slot, wanted[slot]);
  }
  if (published_top_ != settings_.top || published_words_ != settings_.words) {
    host::set_guessing(published_top_ = settings_.top, published_words_ = settings_.words);
    ask_at_once_ = true;
  }
  if (published_view_ != settings_.view) {
    published_view_ = settings_.view;
    host::want_view(std::string(view_name(settings_.view)));
  }
  const EditorModel& sentence = field(Field::sentence);
  if (published_revision_ != sentence.revision() || (ask_at_once_ && !settings_.asking)) {
    published_revision_ = sentence.revision();
    settings_.text = to_utf8(sentence.text());
    host::text_changed(settings_.text, static_cast<double>(published_revision_), ask_at_once_);
  }
  if (settings_.asking) publish_question();
  ask_at_once_ = false;
  std::string fragment = to_fragment(settings_);
  if (fragment != published_fragment_)
    host::set_fragment(published_fragment_ = std::move(fragment));
}

void App::sync(std::string_view text, Selection selection, Range composition) {
  const std::u32string points = to_code_points(text);
  editor().sync(points, selection, composition);
  // What the element holds now; publish() writes back where the model differs.
  agent_text_ = points;
  agent_selection_ = selection;
}

bool App::navigate(Key key, Keys keys) {
  switch (key) {
    case Key::left:
      editor().move(keys.control || keys.alt ? Motion::word_left : Motion::left, keys.shift);
      return true;
    case Key::right:
      editor().move(keys.control || keys.alt ? Motion::word_right : Motion::right, keys.shift);
      return true;
    case Key::up:
      editor().set_caret(lines.up, keys.shift);
      return true;
    case Key::down:
      editor().set_caret(lines.down, keys.shift);
      return true;
    case Key::home:
      editor().set_caret(keys.control ? 0 : lines.begin, keys.shift);
      return true;
    case Key::end:
      editor().set_caret(keys.control ? editor().text().size() : lines.end, keys.shift);
      return true;
    default:
      return false;
  }
}

bool App::key(Key key, Keys keys) {
  if (navigate(key, keys)) return true;
  const bool by_word = keys.control || keys.alt;
  switch (key) {
    case Key::backspace:
      editor().erase(by_word ? Motion::word_left : Motion::left);
      return true;
    case Key::del:
      editor().erase(by_word ? Motion::word_right : Motion::right);
      return true;
    case Key::enter:
      if (keys.control) fill_all();
      ask_at_once_ = true;
      return true;
    case Key::escape:
      editor().set_caret(editor().selection().caret, false);
      return true;
    case Key::z:
      if (!keys.control) return false;
      keys.shift ? editor().redo() : editor().undo();
      return true;
    case Key::y:
      if (!keys.control) return false;
      editor().redo();
      return true;
    case Key::a:
      if (!keys.control) return false;
      editor().select({0, editor().text().size()});
      return true;
    case Key::m:
      if (!keys.control) return false;
      editor().mask_selection();
      return true;
    default:
      return false;
  }
}

void App::choose_model(const std::string& id) {
  if (const ModelView* chosen = model(id); chosen && chosen->answers) {
    settings_.answer_model = id;
    if (!settings_.asking) ask(true);
    return;
  }
  use_model(id);
  if (settings_.asking) ask(false);
}

void App::use_model(const std::string& id) {
  settings_.model = id;
  if (settings_.compare == id) settings_.compare.clear();
  attention_ = {};
  explanation_ = {};
}

void App::choose_compare(const std::string& id) { settings_.compare = id; }

void App::use_example(std::string_view text) { editor().set_text(to_code_points(text)); }

bool App::can_add_exercise() const {
  const std::vector<std::string>& all = settings_.exercises;
  const EditorModel& sentence = field(Field::sentence);
  return !sentence.masks().empty() && all.size() < kMostExercises &&
         std::find(all.begin(), all.end(), to_utf8(editor().text())) == all.end();
}

void App::add_exercise() {
  if (can_add_exercise()) settings_.exercises.push_back(to_utf8(editor().text()));
}

void App::insert_guess(size_t mask, const GuessView& guess) {
  editor().fill_mask(mask, to_code_points(guess.text));
}

void App::mask_token(size_t token) {
  if (!fills_[0] || fills_[0]->revision != editor().revision()) return;
  const TokenView& view = fills_[0]->tokens[token];
  const Range range{point_at(editor().text(), view.begin), point_at(editor().text(), view.end)};
  if (!range.empty()) editor().mask_range(range);
}

bool App::take_guess(size_t rank) {
  if (settings_.asking) return choose_answer(rank);
  if (!can_fill_all()) return false;
  const std::vector<Range>& masks = editor().masks();
  const auto after = std::find_if(masks.begin(), masks.end(), [&](const Range& mask) {
    return mask.end >= editor().selection().caret;
  });
  const size_t mask = after == masks.end() ? 0 : static_cast<size_t>(after - masks.begin());
  if (mask >= fills_[0]->masks.size()) return false;
  const std::vector<GuessView>& guesses = fills_[0]->masks[mask].guesses;
  if (rank >= guesses.size()) return false;
  insert_guess(mask, GuessView(guesses[rank]));
  return true;
}

bool App::can_fill_all() const {
  return !settings_.asking && fills_[0] && !fills_[0]->masks.empty() &&
         fills_[0]->revision == editor().revision();
}

void App::fill_all() {
  if (!can_fill_all()) return;
  std::vector<std::u32string> texts;
  for (const MaskView& mask : fills_[0]->masks)
    texts.push_back(mask.guesses.empty() ? std::u32string()
                                         : to_code_points(mask.guesses.front().text));
  editor().fill_all(texts);
}

void App::notice(Bilingual text, bool warning) {
  notice_ = std::move(text);
  notice_warning_ = warning;
  if (notice_.empty()) return;
  host::announce(notice_text(), warning);
  host::expire_notice(warning);
}

const ModelView* App::model(const std::string& id) const {
  const auto found =
      std::find_if(models_.begin(), models_.end(), [&](const auto& m) { return m.id == id; });
  return found == models_.end() ? nullptr : &*found;
}

const ModelView* App::chosen() const {
  return model(settings_.asking ? settings_.answer_model : settings_.model);
}

void App::set_fill(int slot, FillView fill) {
  if (slot == 0) announce(fill);
  fills_[slot] = std::move(fill);
}

void App::announce(const FillView& fill) {
  const Language language = settings_.language;
  std::string spoken;
  if (!fill.error.empty()) {
    spoken = fill.error.in(language);
  } else if (fill.masks.empty()) {
    spoken = say(Word::no_mask, language);
  } else if (!shows_guesses()) {
    spoken = say(Word::hidden_guesses, language);
  }
  for (size_t i = 0; i < fill.masks.size() && shows_guesses(); ++i) {
    spoken += std::string(say(Word::guess, language)) + " " + std::to_string(i + 1) + ": ";
    const auto& guesses = fill.masks[i].guesses;
    for (size_t k = 0; k < std::min<size_t>(3, guesses.size()); ++k) {
      char percent[16];
      std::snprintf(percent, sizeof percent, " %.0f%%", 100.0 * guesses[k].probability);
      spoken += (k ? ", " : "") + guesses[k].text + percent;
    }
    spoken += ". ";
  }
  if (!settings_.asking) say_once(spoken, !fill.error.empty());
}

void App::say_once(const std::string& spoken, bool urgent) {
  if (spoken == announced_) return;
  announced_ = spoken;
  host::announce(spoken, urgent);
}

}  // namespace minibert::page
