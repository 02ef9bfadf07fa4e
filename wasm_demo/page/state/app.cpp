// Actions on the state, and messages to the host.
#include "state/app.h"

#include <algorithm>

#include "core/utf8.h"
#include "host/host.h"

namespace minibert::page {

namespace {

// Returns true if the question has a call that was not asked before.
bool asks_more(const Json& rounds, const Json& asked) {
  const auto calls = [](const Json& all) {
    std::vector<Json> list;
    for (const Json& round : all) list.insert(list.end(), round.begin(), round.end());
    return list;
  };
  const std::vector<Json> before = calls(asked);
  const std::vector<Json> now = calls(rounds);
  return std::any_of(now.begin(), now.end(), [&](const Json& call) {
    return std::find(before.begin(), before.end(), call) == before.end();
  });
}

}  // namespace

App::App(std::span<const Tab> tabs) : tabs_(tabs), states_(tabs.size()) {
  for (size_t i = 0; i < tabs.size(); ++i) {
    settings_.tabs.push_back({&tabs[i].link, {}, {}});
    for (const Field& field : tabs[i].fields) states_[i].fields.emplace_back(field.masks);
  }
}

void App::prefer(Language language, std::optional<Theme> theme) {
  preferred_.language = language;
  preferred_.theme = theme;
}

void App::open(std::string_view fragment) {
  Settings defaults = preferred_;
  for (const Tab& tab : tabs_) {
    TabSettings& first = defaults.tabs.emplace_back(TabSettings{&tab.link, {}, {}});
    for (size_t k = 0; k < tab.fields.size(); ++k) first.texts[k] = tab.fields[k].first;
  }
  settings_ = from_fragment(fragment, defaults);
  const auto join = [](std::string& text) { std::replace(text.begin(), text.end(), '\n', ' '); };
  std::for_each(settings_.exercises.begin(), settings_.exercises.end(), join);
  bool whole = true;
  for (size_t i = 0; i < tabs_.size(); ++i)
    for (size_t k = 0; k < tabs_[i].fields.size(); ++k) {
      std::string& text = settings_.tabs[i].texts[k];
      if (!tabs_[i].fields[k].lines) join(text);
      whole &= states_[i].fields[k].reset(to_code_points(text));
    }
  if (!whole) notice(both(Word::text_cut, std::to_string(kMostCharacters)), true);
  ask_at_once_ = true;
  choose_tab(settings_.chosen);
}

uint64_t App::TabState::revision() const {
  uint64_t sum = 0;
  for (const FieldText& field : fields) sum += field.revision();
  return sum;
}

void App::choose_tab(size_t tab) {
  settings_.chosen = tab;
  edited_ = now().fields.size() - 1;
  hide();
  chose_.reset();
  check_models();
  announced_.clear();
  if (current()) speak();
}

bool App::can(const Tab& tab) const {
  return std::any_of(models_.begin(), models_.end(),
                     [&](const ModelView& one) { return one.task == tab.link.task; });
}

// The first tab for a task that no tab has.
size_t App::tab_of(const std::string& task) const {
  for (size_t i = 0; i < tabs_.size(); ++i)
    if (tabs_[i].link.task == task) return i;
  return 0;
}

void App::set_models(std::vector<ModelView> models) {
  const auto failed = [&] {
    const ModelView* one = model(settings_.compare);
    return one && one->state == ModelState::failed;
  };
  const bool before = failed();
  models_ = std::move(models);
  // The header shows it; one that was asked is told as its answer (speak()).
  if (!before && failed())
    host::announce(model(settings_.compare)->error.in(settings_.language), true);
  for (ModelView& one : models_) one.task = tabs_[tab_of(one.task)].link.task;
  check_models();
}

void App::check_models() {
  if (models_.empty()) return;
  const auto is_other = [&](const std::string& id, const Tab& tab) {
    const ModelView* found = model(id);
    return !id.empty() && (!found || found->series || found->task != tab.link.task);
  };
  const auto check = [&](const std::string& id) {
    if (!id.empty() && !model(id)) notice(both(Word::unknown_model, id), true);
  };
  for (size_t i = 0; i < tabs_.size(); ++i) {
    check(settings_.tabs[i].model);
    if (i == 0) check(settings_.compare);
  }
  if (is_other(settings_.compare, tabs_[0])) settings_.compare.clear();
  for (size_t i = 0; i < tabs_.size(); ++i)
    if (is_other(settings_.tabs[i].model, tabs_[i])) use_model(i, "");
  if (settings_.chosen > 0 && !can(tab())) choose_tab(0);
}

void App::choose_theme(Theme theme) {
  settings_.theme = preferred_.theme = theme;
  host::remember("theme", theme == Theme::dark ? "dark" : "light");
}

void App::choose_language(Language language) {
  settings_.language = preferred_.language = language;
  host::remember("language", language == Language::korean ? "ko" : "en");
}

void App::publish() {
  want_large();
  publish_models();
  const bool guesses_differ = published_top_ != settings_.top ||
                              published_words_ != settings_.words ||
                              published_lesson_ != settings_.lesson;
  const bool view_differs = published_view_ != settings_.view ||
                            published_change_ != settings_.explain.change ||
                            published_mask_ != settings_.explain.mask;
  published_change_ = settings_.explain.change;
  published_mask_ = settings_.explain.mask;
  ask_at_once_ |= guesses_differ;
  published_top_ = settings_.top;
  published_words_ = settings_.words;
  published_lesson_ = settings_.lesson;
  published_view_ = settings_.view;
  // Beside the chosen tab the first alone goes on: its sentence is in every link.
  for (size_t i = 0; i < tabs_.size(); ++i)
    if (i == 0 || i == settings_.chosen) publish_questions(i, guesses_differ || view_differs);
  ask_at_once_ = false;
  std::string fragment = to_fragment(settings_);
  if (fragment != published_fragment_)
    host::set_fragment(published_fragment_ = std::move(fragment));
}

void App::publish_models() {
  const auto known = [&](std::string id) { return model(id) ? id : std::string(); };
  for (size_t i = 0; i < tabs_.size(); ++i) {
    // A model of another task than the first is loaded only when it is used.
    const bool used = i == 0 || i == settings_.chosen;
    for (size_t k = 0; k < states_[i].inquiries.size(); ++k) {
      const Inquiry& inquiry = tabs_[i].inquiries[k];
      InquiryState& state = states_[i].inquiries[k];
      if (inquiry.name.empty()) continue;
      const std::string wanted = !used           ? std::string()
                                 : inquiry.model ? known(inquiry.model(*this))
                                                 : model_id(i);
      if (state.model == wanted) continue;
      state.model = wanted;
      if (wanted.empty()) state.result.reset();
      if (inquiry.on_request) states_[i].requested.reset();
      host::select_model(inquiry.name, wanted);
    }
  }
}

void App::publish_questions(size_t tab, bool settings_differ) {
  TabState& state = states_[tab];
  const uint64_t revision = state.revision();
  const bool at_once = ask_at_once_ && tab == settings_.chosen;
  for (size_t i = 0; i < state.fields.size(); ++i)
    if (state.inquiries[0].revision != revision)
      settings_.tabs[tab].texts[i] = to_utf8(state.fields[i].text());
  for (size_t k = 0; k < state.inquiries.size(); ++k) {
    const Inquiry& inquiry = tabs_[tab].inquiries[k];
    InquiryState& asked = state.inquiries[k];
    if (inquiry.name.empty()) continue;
    if (inquiry.on_request && state.requested != revision) {
      if (asked.revision) host::ask(inquiry.name, "null", true);
      asked.revision.reset();
      continue;
    }
    const bool differs = asked.revision != revision;
    if (!differs && !settings_differ && (!at_once || inquiry.on_request)) continue;
    Json rounds = inquiry.ask(state.fields, settings_);
    const bool now = at_once || (!differs && asks_more(rounds, asked.rounds)) || inquiry.on_request;
    if (!differs && !now) continue;
    asked.revision = revision;
    asked.rounds = std::move(rounds);
    asked.about.clear();
    for (const FieldText& field : state.fields)
      asked.about += (asked.about.empty() ? "" : "\n") + to_utf8(field.text());
    const Json question = {{"revision", revision}, {"rounds", asked.rounds}};
    host::ask(inquiry.name, question.dump(-1, ' ', false, Json::error_handler_t::replace), now);
  }
}

void App::apply(size_t field, const Edit& edit) {
  if (edit.range.empty() && edit.with.empty()) return;
  UnitPlaces places(this->field(field).text());
  const uint32_t begin = places.units_at(edit.range.begin);
  host::edit(tab().fields[field].look.name, begin, places.units_at(edit.range.end),
             to_utf8(edit.with));
}

void App::sync(std::string_view field, int opened, std::string_view text, uint32_t begin,
               uint32_t end, bool settled) {
  for (size_t i = 0; i < tab().fields.size(); ++i) {
    if (tab().fields[i].look.name != field || now().fields[i].opened() != opened) continue;
    const std::u32string points = to_code_points(text);
    now().fields[i].set(points, UnitPlaces(points).range(begin, end));
    edited_ = i;
    if (settled) apply(now().fields[i].masks_for_blanks());
  }
}

void App::command(std::string_view name) {
  if (name == "ask") ask_at_once_ = true;
  if (name == "fill-all") fill_all();
  if (name == "mask-word" && tab().masks) apply(editor().mask_for_word());
}

void App::choose_model(const std::string& id) {
  const ModelView* chosen = model(id);
  const bool fits = chosen && chosen->task == tab().link.task;
  const size_t tab = fits ? settings_.chosen : chosen ? tab_of(chosen->task) : 0;
  use_model(tab, id);
  if (tab != settings_.chosen) choose_tab(tab);
}

View App::view() const {
  return tab().masks || settings_.view == View::model ? settings_.view : View::sentence;
}

std::string App::explained_model() const {
  const ModelView* teaching = teaching_model();
  const std::string chosen = model_id(0);
  return teaching && teaching->state != ModelState::failed && !settings_.explain.own &&
                 model(chosen) && !model(chosen)->is_own()
             ? teaching->id
             : chosen;
}

void App::stop_download(const std::string& id) {
  host::stop_download(id);
  if (settings_.compare == id) settings_.compare.clear();
  if (model_id(settings_.chosen) != id) return;
  const auto ready = std::find_if(models_.begin(), models_.end(), [&](const ModelView& one) {
    return one.task == tab().link.task && one.state == ModelState::ready;
  });
  if (ready != models_.end())
    use_model(settings_.chosen, ready->id);
  else if (settings_.chosen > 0)
    choose_tab(0);  // whose model is there since the start
}

void App::try_again(const std::string& id) {
  for (TabState& state : states_)
    for (InquiryState& asked : state.inquiries)
      if (asked.model == id) asked.model.clear();  // publish_models() chooses it anew
}

void App::use_model(size_t tab, const std::string& id) {
  const std::string explained = explained_model();
  settings_.tabs[tab].model = id;
  if (tab == 0 && settings_.compare == id) settings_.compare.clear();
  if (explained_model() != explained) explanation_ = {};
}

void App::choose_compare(const std::string& id) {
  settings_.tabs[0].model = model_id(0);
  settings_.compare = id;
}

void App::take_over(const std::string& id) {
  const std::string before = model_id(settings_.chosen), explained = explained_model();
  arrived_ = id;
  if (explained_model() != explained) explanation_ = {};
  if (model_id(settings_.chosen) != before) notice(both(Word::large_came, ""), false);
}

// Asks for the large model once the first one has answered, unless the visitor or the link chose a model.
void App::want_large() {
  const ModelView* large = large_model();
  if (wanted_large_ || !large || large->task != tab().link.task || !settings_.tab().model.empty() ||
      !settings_.compare.empty() || !current() || !current()->error.empty())
    return;
  wanted_large_ = true;
  host::want_model(large->id);
}

void App::use_example(std::string_view text) {
  edited_ = now().fields.size() - 1;
  apply({{0, editor().text().size()}, to_code_points(text)});
}

bool App::can_add_exercise() const {
  const std::vector<std::string>& all = settings_.exercises;
  return !editor().masks().empty() && all.size() < kMostExercises &&
         std::find(all.begin(), all.end(), to_utf8(editor().text())) == all.end();
}

void App::add_exercise() {
  if (can_add_exercise()) settings_.exercises.push_back(to_utf8(editor().text()));
}

void App::reveal() {
  revealed_ = revision();
  announced_.clear();  // what was hidden again is spoken again
  if (current()) speak();
}

void App::insert_guess(size_t mask, const std::string& text) {
  if (mask < editor().masks().size()) apply({editor().masks()[mask], to_code_points(text)});
}

void App::mask_token(const infer::Token& token) {
  if (!explained() || explained()->revision != revision()) return;
  const Range range = places(0).range(token.begin, token.end);
  if (!range.empty()) apply(0, editor().mask_for(range));
}

bool App::take_guess(size_t rank) {
  if (!tab().choose || !shows_guesses() || !current() || !tab().choose(*this, rank)) return false;
  chose_ = revision();
  return true;
}

bool App::can_fill_all() const {
  return tab().masks && shows_guesses() && fill() && !fill()->found.masks.empty() &&
         fill()->revision == revision();
}

void App::fill_all() {
  if (!can_fill_all()) return;
  std::vector<std::u32string> texts;
  for (const infer::MaskGuesses& mask : fill()->found.masks)
    texts.push_back(mask.guesses.empty() ? std::u32string()
                                         : to_code_points(mask.guesses.front().text));
  apply(editor().filled(texts));
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

const ModelView* App::model_that(bool ModelView::*is) const {
  const auto found =
      std::find_if(models_.begin(), models_.end(), [&](const ModelView& one) { return one.*is; });
  return found == models_.end() ? nullptr : &*found;
}

std::string App::model_id(size_t tab) const {
  const std::string& chosen = settings_.tabs[tab].model;
  const std::string_view task = tabs_[tab].link.task;
  if (!chosen.empty()) return chosen;
  const ModelView* arrived = model(arrived_);
  if (arrived && arrived->task == task && (tab > 0 || settings_.compare.empty())) return arrived_;
  const auto first = std::find_if(models_.begin(), models_.end(),
                                  [&](const ModelView& one) { return one.task == task; });
  return first == models_.end() ? std::string() : first->id;
}

const Fill* App::fill(size_t inquiry) const {
  return static_cast<const Fill*>(states_[0].inquiries[inquiry].result.get());
}

const Changed* App::changed() const {
  const auto* last = static_cast<const Changed*>(states_[0].inquiries[2].result.get());
  return last && last->revision == states_[0].revision() ? last : nullptr;
}

const Learnt* App::learnt() const {
  const auto* last = static_cast<const Learnt*>(states_[0].inquiries[3].result.get());
  return last && last->revision == states_[0].revision() ? last : nullptr;
}

void App::take_line(std::string_view what, const std::string& text) {
  if (what == "other") {
    settings_.explain.change.other = text;
    return;
  }
  own_guess_ = text;
  guess_of_ = revision();
}

void App::take(std::string_view name, const Message& message) {
  for (size_t i = 0; i < tabs_.size(); ++i)
    for (size_t k = 0; k < tabs_[i].inquiries.size(); ++k) {
      const Inquiry& inquiry = tabs_[i].inquiries[k];
      if (inquiry.name.empty() || inquiry.name != name) continue;
      std::unique_ptr<Result> result = inquiry.read(*this, message);
      if (!result) continue;
      result->model = message.model;
      result->revision = message.revision;
      result->error = message.error;
      result->about = states_[i].inquiries[k].about;
      states_[i].inquiries[k].result = std::move(result);
      if (k == 0 && i == settings_.chosen) speak();
    }
}

std::string App::text_at(size_t field, uint32_t begin, uint32_t end) const {
  const Range range = places(field).range(begin, end);
  return to_utf8(this->field(field).text().substr(range.begin, range.end - range.begin));
}

const Result* App::current(size_t inquiry) const {
  const Result* last = result(inquiry);
  return last && last->revision == revision() ? last : nullptr;
}

void App::request() {
  now().requested = revision();
  now().inquiries[1].revision.reset();
}

// The chosen tab's result, unless that was the last that was spoken.
void App::speak() {
  const Bilingual& error = result()->error;
  const auto spoken =
      error.empty() ? tab().speak(*this) : std::optional(error.in(settings_.language));
  if (!spoken || *spoken == announced_) return;
  announced_ = *spoken;
  host::announce(*spoken, !error.empty());
}

}  // namespace minibert::page
