// Actions on the state, and telling the host. Those of a task of its own are in app_asking.cpp, app_labelling.cpp
// and app_naming.cpp.
#include "state/app.h"

#include <algorithm>
#include <cstdio>

#include "core/utf8.h"
#include "host/host.h"

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

constexpr std::array kTasks = {Task::fill, Task::ask, Task::label, Task::name};

// The field that a task begins with.
Field field_of(Task task) {
  constexpr Field kFields[] = {Field::sentence, Field::question, Field::review, Field::named};
  return kFields[static_cast<size_t>(task)];
}

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
  defaults.review = kReviews[0];
  defaults.named = kNamed[0];
  settings_ = from_fragment(fragment, defaults);
  field(Field::sentence).reset(to_code_points(settings_.text));
  field(Field::question).reset(to_code_points(settings_.question));
  field(Field::text).reset(to_code_points(settings_.text_asked));
  field(Field::review).reset(to_code_points(settings_.review));
  field(Field::named).reset(to_code_points(settings_.named));
  ask_at_once_ = true;
  choose_task(settings_.task);
}

void App::choose_task(Task task) {
  settings_.task = task;
  active_ = field_of(task);
  hide();
  check_models();
}

bool App::can(Task task) const {
  return std::any_of(models_.begin(), models_.end(),
                     [&](const ModelView& one) { return one.task == task; });
}

void App::set_models(std::vector<ModelView> models) {
  models_ = std::move(models);
  check_models();
}

void App::check_models() {
  if (models_.empty()) return;
  const auto is_other = [&](const std::string& id, Task task) {
    const ModelView* found = model(id);
    return !id.empty() && (!found || found->task != task);
  };
  for (const std::string& id : {settings_.model, settings_.compare, settings_.answer_model,
                                settings_.label_model, settings_.name_model})
    if (!id.empty() && !model(id)) notice(both(Word::unknown_model, id), true);
  if (is_other(settings_.compare, Task::fill)) settings_.compare.clear();
  for (const Task task : kTasks) {
    std::string& id = settings_.model_of(task);
    const bool other = is_other(id, task), used = task == Task::fill || task == settings_.task;
    if (!other && !(id.empty() && used)) continue;
    const auto first = std::find_if(models_.begin(), models_.end(),
                                    [&](const ModelView& one) { return one.task == task; });
    const std::string instead = first == models_.end() || !used ? std::string() : first->id;
    task == Task::fill ? use_model(instead) : void(id = instead);
  }
  if (settings_.task != Task::fill && !can(settings_.task)) choose_task(Task::fill);
}

uint64_t App::revision() const {
  const uint64_t of_field = field(field_of(settings_.task)).revision();
  return settings_.task == Task::ask ? of_field + field(Field::text).revision() : of_field;
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
  publish_models();
  if (published_top_ != settings_.top || published_words_ != settings_.words) {
    host::set_guessing(published_top_ = settings_.top, published_words_ = settings_.words);
    ask_at_once_ = true;
  }
  if (published_view_ != settings_.view) {
    published_view_ = settings_.view;
    host::want_view(std::string(view_name(settings_.view)));
  }
  const EditorModel& sentence = field(Field::sentence);
  if (published_revision_ != sentence.revision() || (ask_at_once_ && task() == Task::fill)) {
    published_revision_ = sentence.revision();
    settings_.text = to_utf8(sentence.text());
    host::text_changed(settings_.text, static_cast<double>(published_revision_), ask_at_once_);
  }
  if (task() == Task::ask) publish_question();
  if (task() == Task::label || task() == Task::name) publish_text(task());
  ask_at_once_ = false;
  std::string fragment = to_fragment(settings_);
  if (fragment != published_fragment_)
    host::set_fragment(published_fragment_ = std::move(fragment));
}

void App::publish_models() {
  // A model of another task than the first is loaded only when it is used.
  const auto used = [&](Task task) {
    return task == settings_.task ? settings_.model_of(task) : std::string();
  };
  const std::string wanted[] = {settings_.model, settings_.compare, used(Task::ask),
                                used(Task::label), used(Task::name)};
  for (int slot = 0; slot < 5; ++slot) {
    if (published_models_[slot] == wanted[slot]) continue;
    published_models_[slot] = wanted[slot];
    if (slot < 2) fills_[slot].reset();
    if (slot == 2) {
      answers_.reset();
      left_out_.reset();
    }
    if (slot == 3) labels_.reset();
    if (slot == 4) names_.reset();
    host::select_model(slot, wanted[slot]);
  }
}

void App::publish_text(Task task) {
  const EditorModel& text = field(field_of(task));
  uint64_t& published = published_texts_[static_cast<size_t>(task)];
  if (published == text.revision() && !ask_at_once_) return;
  published = text.revision();
  std::string& kept = task == Task::label ? settings_.review : settings_.named;
  kept = to_utf8(text.text());
  host::task_text_changed(task == Task::label ? 3 : 4, kept, static_cast<double>(published),
                          ask_at_once_);
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
  const ModelView* chosen = model(id);
  const Task task = chosen ? chosen->task : Task::fill;
  task == Task::fill ? use_model(id) : void(settings_.model_of(task) = id);
  if (task != settings_.task) choose_task(task);
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

void App::reveal() {
  revealed_ = revision();
  announced_.clear();  // what was hidden again is spoken again
  if (task() == Task::fill && fills_[0] && fills_[0]->revision == revision()) announce(*fills_[0]);
  if (task() == Task::ask && answers()) announce(*answers());
  if (task() == Task::label && labels()) announce(*labels());
  if (task() == Task::name && names()) announce(*names());
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
  if (task() == Task::ask) return choose_answer(rank);
  if (task() == Task::name) return choose_name(rank);
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
  return task() == Task::fill && shows_guesses() && fills_[0] && !fills_[0]->masks.empty() &&
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

const ModelView* App::chosen() const { return model(settings_.model_of(settings_.task)); }

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
  if (task() == Task::fill) say_once(spoken, !fill.error.empty());
}

Range App::range_of(Field of, int begin, int end) const {
  const std::u32string& text = field(of).text();
  return {point_at(text, begin), point_at(text, end)};
}

void App::say_once(const std::string& spoken, bool urgent) {
  if (spoken == announced_) return;
  announced_ = spoken;
  host::announce(spoken, urgent);
}

}  // namespace minibert::page
