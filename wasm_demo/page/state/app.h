// The page's state and the user's actions on it, for tabs and panels. No drawing here.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "state/explain_view.h"
#include "state/field_text.h"
#include "state/fill.h"
#include "state/messages.h"
#include "state/settings.h"
#include "state/tab.h"

namespace minibert::page {

class App {
 public:
  explicit App(std::span<const Tab> tabs);

  // Reads the address' fragment; missing settings are the first ones, or the user's preferences.
  void open(std::string_view fragment);
  // Sets the browser's language, and the user's choice on an earlier visit.
  void prefer(Language language, std::optional<Theme> theme);

  std::span<const Tab> tabs() const { return tabs_; }
  const Tab& tab() const { return tabs_[settings_.chosen]; }  // the chosen one
  bool can(const Tab& tab) const;                             // there is a model for it
  void choose_tab(size_t tab);

  // The chosen tab's field that is being edited; it has the keyboard.
  const FieldText& editor() const { return now().fields[edited_]; }
  size_t edited() const { return edited_; }
  const FieldText& field(size_t field) const { return now().fields[field]; }
  // Changes a field's text like typing, so that undo takes it back.
  void apply(size_t field, const Edit& edit);
  void apply(const Edit& edit) { apply(edited_, edit); }
  Settings& settings() { return settings_; }
  const Settings& settings() const { return settings_; }

  // Tells the host about changes since the last call: questions, address. Call after every event.
  void publish();

  // Takes a text element's content and its selection in UTF-16 units; its field is now being
  // edited. opened: the document it shows; settled: nothing is being composed or undone, so that
  // blanks may become masks.
  void sync(std::string_view field, int opened, std::string_view text, uint32_t begin, uint32_t end,
            bool settled);
  // Runs a keyboard command: "ask" at once, "fill-all", "mask-word".
  void command(std::string_view name);

  void choose_model(const std::string& id);
  void choose_view(View view) { settings_.view = view; }
  // Returns the view that the page shows: of a tab without masks only itself or its model.
  View view() const;
  // The model that the explanation is of: the one for teaching, where it comes and the visitor neither brought a model
  // nor asked for the chosen one.
  std::string explained_model() const;
  // Keeps the model that is shown beside it.
  void choose_compare(const std::string& id);
  // Gives a large model, which has come behind the first answers, to the tabs of its task whose model nobody chose.
  void take_over(const std::string& id);
  // Stops the download. If the model is in use, another available one takes its place; without one
  // the first tab is chosen.
  void stop_download(const std::string& id);
  // Requests a model again after it failed to load.
  void try_again(const std::string& id);
  // Puts a text into the chosen tab's last field, which is then being edited.
  void use_example(std::string_view text);
  // The exercises of a class, which the link carries.
  bool can_add_exercise() const;
  void add_exercise();  // the present sentence
  void clear_exercises() { settings_.exercises.clear(); }
  // True if guesses are shown; in a class only after a request, until the sentence changes.
  bool shows_guesses() const { return !settings_.lesson || revealed_ == revision(); }
  void reveal();  // also speaks the guesses
  void hide() { revealed_.reset(); }
  void insert_guess(size_t mask, const std::string& text);
  // Puts a mask in a token's place, of the explanation. Nothing for [CLS] and [SEP].
  void mask_token(const infer::Token& token);
  // Chooses of the tab's result as Alt and a digit (from 0) do. False if there is none.
  bool take_guess(size_t rank);
  bool chose() const {
    return chose_ == revision();
  }  // the user took a part of the result since the fields changed
  bool can_fill_all() const;
  void fill_all();
  // Shows a notice over the page and speaks it; an empty one removes it.
  void notice(Bilingual text, bool warning);

  // Replaces chosen models that do not exist.
  void set_models(std::vector<ModelView> models);
  void set_system_theme(Theme theme) { system_theme_ = theme; }
  // The user's choice, or the system's theme.
  Theme theme() const { return settings_.theme.value_or(system_theme_); }
  // The user's choices, which the host remembers.
  void choose_theme(Theme theme);
  void choose_language(Language language);

  // Takes the answers to an inquiry.
  void take(std::string_view inquiry, const Message& message);
  // The chosen tab's result of an inquiry. result(): the last one, still of the previous model
  // while the next one's comes (null: none yet); current(): only about the fields' present texts.
  Result* result(size_t inquiry = 0) { return now().inquiries[inquiry].result.get(); }
  const Result* result(size_t inquiry = 0) const { return now().inquiries[inquiry].result.get(); }
  const Result* current(size_t inquiry = 0) const;
  uint64_t revision() const { return now().revision(); }  // of the fields' texts
  // Asks the inquiry on request about the fields' present texts.
  void request();
  bool requested() const { return now().requested == revision(); }
  // The first tab's guesses: the model's, and the compared model's.
  const Fill* fill() const { return fill(0); }
  const Fill* compared() const { return fill(1); }
  // The explanation's result; null: none yet.
  const Result* explained() const { return states_[0].inquiries[4].result.get(); }
  // The same of the model as it is changed inside; null: not yet, or of another sentence.
  const Changed* changed() const;
  // The guesses at several points of a training; null: none yet, or about another sentence.
  const Learnt* learnt() const;
  // A line that the user wrote (host::ask_line); empty: none any more.
  void take_line(std::string_view what, const std::string& text);
  // A pupil's own guess for the first mask of the sentence as it is; empty: none.
  std::string own_guess() const { return guess_of_ == revision() ? own_guess_ : std::string(); }
  // The places of a field's text as it is now, as the engine counts them.
  UnitPlaces places(size_t field) const { return UnitPlaces(this->field(field).text()); }
  // The part [begin, end), in the engine's units, of a field's text.
  std::string text_at(size_t field, uint32_t begin, uint32_t end) const;
  void set_explanation(ExplainView explanation) { explanation_ = std::move(explanation); }

  // The address of this page's source; empty: unknown.
  void set_source_link(std::string link) { source_link_ = std::move(link); }
  const std::string& source_link() const { return source_link_; }

  const std::vector<ModelView>& models() const { return models_; }
  const ModelView* model(const std::string& id) const;
  // Null: none.
  const ModelView* teaching_model() const { return model_that(&ModelView::teaching); }
  const ModelView* large_model() const { return model_that(&ModelView::large); }
  // The model that a tab uses: the chosen one, else the large one where that took over, else its task's first.
  std::string model_id(size_t tab) const;
  const ModelView* chosen() const { return model(model_id(settings_.chosen)); }
  const ExplainView& explanation() const { return explanation_; }
  const std::string& notice_text() const { return notice_.in(settings_.language); }
  bool notice_is_warning() const { return notice_warning_; }

 private:
  // The last question to the host about an inquiry, and its result.
  struct InquiryState {
    std::string model;
    Json rounds = Json::array();
    std::optional<uint64_t> revision;  // empty: no question
    std::string about;                 // the fields' texts at that time, a line each
    std::unique_ptr<Result> result;
  };
  struct TabState {
    std::vector<FieldText> fields;
    std::array<InquiryState, kInquiries> inquiries;
    std::optional<uint64_t> requested;  // the revision of the last request()
    uint64_t revision() const;          // of all fields
  };

  TabState& now() { return states_[settings_.chosen]; }
  const TabState& now() const { return states_[settings_.chosen]; }
  size_t tab_of(const std::string& task) const;
  const Fill* fill(size_t inquiry) const;
  void use_model(size_t tab, const std::string& id);
  const ModelView* model_that(bool ModelView::*is) const;
  void want_large();
  void publish_models();
  void publish_questions(size_t tab, bool settings_differ);
  void check_models();
  void speak();

  std::span<const Tab> tabs_;
  std::vector<TabState> states_;  // by tab
  size_t edited_ = 0;
  Settings settings_;
  Settings preferred_;  // only language and theme
  std::vector<ModelView> models_;
  std::string source_link_;
  ExplainView explanation_;
  Bilingual notice_;
  bool notice_warning_ = false;
  Theme system_theme_ = Theme::light;
  std::optional<uint64_t> revealed_, chose_, guess_of_;  // revision()
  std::string own_guess_;
  std::string announced_;
  std::string arrived_;  // the large model, once it took over
  bool wanted_large_ = false;

  // The state that the host was last told.
  std::optional<View> published_view_;
  int published_top_ = 0;
  bool published_words_ = false, published_lesson_ = false;
  ChangeState published_change_;
  int published_mask_ = 0;  // of the explanation
  std::string published_fragment_;
  bool ask_at_once_ = false;
};

}  // namespace minibert::page
