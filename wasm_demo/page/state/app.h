// The page's state and what the user can do to it; tabs and panels draw it and call it. No drawing here.
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

  // From the address' fragment; what that leaves out is as at first, or as the user prefers it.
  void open(std::string_view fragment);
  // The browser's language, and what the user chose on an earlier visit.
  void prefer(Language language, std::optional<Theme> theme);

  std::span<const Tab> tabs() const { return tabs_; }
  const Tab& tab() const { return tabs_[settings_.chosen]; }  // the chosen one
  bool can(const Tab& tab) const;                             // there is a model for it
  void choose_tab(size_t tab);

  // The chosen tab's field that is edited; one has the keyboard.
  const FieldText& editor() const { return now().fields[edited_]; }
  size_t edited() const { return edited_; }
  const FieldText& field(size_t field) const { return now().fields[field]; }
  // Changes a field's text as if it were typed: undo takes it back. Nothing where the edit changes nothing.
  void apply(size_t field, const Edit& edit);
  void apply(const Edit& edit) { apply(edited_, edit); }
  Settings& settings() { return settings_; }
  const Settings& settings() const { return settings_; }

  // Tells the host what changed since the last call: questions, address. After every
  // event.
  void publish();

  // What a text element of the chosen tab holds, and its selection in UTF-16 units; it is the one that is edited.
  // opened: the document that it shows; settled: nothing is being composed or undone, so that blanks may become masks.
  void sync(std::string_view field, int opened, std::string_view text, uint32_t begin, uint32_t end,
            bool settled);
  // From the keyboard: "ask" at once, "fill-all", "mask-word".
  void command(std::string_view name);

  void choose_model(const std::string& id);
  // Chooses what the card beside the sentence shows.
  void choose_view(View view) { settings_.view = view; }
  // The model that the explanation is of: the one for teaching, where it comes and no one chose another.
  std::string explained_model() const;
  void choose_compare(const std::string& id) { settings_.compare = id; }
  // Stops the download. Where the model is in use another one that is there takes its place, else the first tab is
  // chosen.
  void stop_download(const std::string& id);
  // Asks for a model that did not come once more.
  void try_again(const std::string& id);
  // Into the chosen tab's last field, which is edited then.
  void use_example(std::string_view text);
  // The exercises of a class, which the link carries.
  bool can_add_exercise() const;
  void add_exercise();  // the sentence as it is
  void clear_exercises() { settings_.exercises.clear(); }
  // Guesses are shown; in a class once they were asked for, until the sentence changes.
  bool shows_guesses() const { return !settings_.lesson || revealed_ == revision(); }
  void reveal();  // and speaks them
  void hide() { revealed_.reset(); }
  void insert_guess(size_t mask, const std::string& text);
  // Puts a mask in a token's place, of the first model's answer. Nothing for [CLS] and [SEP].
  void mask_token(size_t token);
  // What Alt and a digit (from 0) choose of the tab's result. False if there is none.
  bool take_guess(size_t rank);
  bool chose() const {
    return chose_ == revision();
  }  // one of the result, since the fields changed
  bool can_fill_all() const;
  void fill_all();
  // Shown over the page and spoken; an empty one takes it away.
  void notice(Bilingual text, bool warning);

  // Chooses others in the place of models that are not there.
  void set_models(std::vector<ModelView> models);
  void set_system_theme(Theme theme) { system_theme_ = theme; }
  // The user's choice, or as the system's.
  Theme theme() const { return settings_.theme.value_or(system_theme_); }
  // By the user, to be remembered.
  void choose_theme(Theme theme);
  void choose_language(Language language);

  // What came for an inquiry.
  void take(std::string_view inquiry, const Message& message);
  // What came of an inquiry of the chosen tab: the last result, which is of the model before while another one
  // comes (null: none yet), or only one of what stands in the fields now.
  Result* result(size_t inquiry = 0) { return now().inquiries[inquiry].result.get(); }
  const Result* result(size_t inquiry = 0) const { return now().inquiries[inquiry].result.get(); }
  const Result* current(size_t inquiry = 0) const;
  uint64_t revision() const { return now().revision(); }  // of what stands in the fields
  // Asks the inquiry that is asked on request, about the fields as they are.
  void request();
  // The first tab's guesses: the model's, and those of the one to compare with.
  const Fill* fill() const { return fill(0); }
  const Fill* compared() const { return fill(1); }
  // What came of the explanation; null: not yet.
  const Result* explained() const { return states_[0].inquiries[4].result.get(); }
  // The guesses of the model that is changed inside; null: not yet, or of another sentence.
  const Changed* changed() const;
  // The guesses of the model that is shown while it learnt; null: not yet, or of another sentence.
  const Learnt* learnt() const;
  // A line that the user wrote for the explanation (host::ask_line); empty: none any more.
  void take_line(std::string_view what, const std::string& text);
  // The places of a field's text as it is now, as the engine counts them.
  UnitPlaces places(size_t field) const { return UnitPlaces(this->field(field).text()); }
  void set_attention(AttentionView attention) { attention_ = std::move(attention); }
  void set_explanation(ExplainView explanation) { explanation_ = std::move(explanation); }

  // Where this page's source is; empty: not known.
  void set_source_link(std::string link) { source_link_ = std::move(link); }
  const std::string& source_link() const { return source_link_; }

  const std::vector<ModelView>& models() const { return models_; }
  const ModelView* model(const std::string& id) const;
  const ModelView* teaching_model() const;  // null: there is none
  const ModelView* chosen() const { return model(settings_.tab().model); }
  const AttentionView& attention() const { return attention_; }
  const ExplainView& explanation() const { return explanation_; }
  const std::string& notice_text() const { return notice_.in(settings_.language); }
  bool notice_is_warning() const { return notice_warning_; }

 private:
  // What the host was last told of an inquiry, and what came of it.
  struct InquiryState {
    std::string model;
    Json rounds = Json::array();
    std::optional<uint64_t> revision;  // empty: nothing is asked
    std::string about;                 // the fields' texts then, a line each
    std::unique_ptr<Result> result;
  };
  struct TabState {
    std::vector<FieldText> fields;
    std::array<InquiryState, kInquiries> inquiries;
    std::optional<uint64_t> requested;  // the revision that request() was for
    uint64_t revision() const;          // of all fields
  };

  TabState& now() { return states_[settings_.chosen]; }
  const TabState& now() const { return states_[settings_.chosen]; }
  size_t tab_of(const std::string& task) const;
  const Fill* fill(size_t inquiry) const;
  void use_model(size_t tab, const std::string& id);
  void publish_models();
  void publish_questions(size_t tab, bool settings_differ);
  void check_models();
  void speak();

  std::span<const Tab> tabs_;
  std::vector<TabState> states_;  // of each tab
  size_t edited_ = 0;
  Settings settings_;
  Settings preferred_;  // its language and theme
  std::vector<ModelView> models_;
  std::string source_link_;
  AttentionView attention_;
  ExplainView explanation_;
  Bilingual notice_;
  bool notice_warning_ = false;
  Theme system_theme_ = Theme::light;
  std::optional<uint64_t> revealed_, chose_;  // revision()
  std::string announced_;

  // What the host was last told.
  std::optional<View> published_view_;
  int published_top_ = 0;
  bool published_words_ = false;
  ChangeState published_change_;
  int published_mask_ = 0;  // of the explanation
  std::string published_fragment_;
  bool ask_at_once_ = false;
};

}  // namespace minibert::page
