// The page's state and what the user can do to it; the panels draw it and call it. No drawing here.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "editor/editor_model.h"
#include "state/explain_view.h"
#include "state/messages.h"
#include "state/settings.h"

namespace minibert::page {

enum class Key { left, right, up, down, home, end, backspace, del, enter, escape, z, y, a, m };
// The key that the browser names so (KeyboardEvent.key, or .code for letters); empty for others.
std::optional<Key> key_named(std::string_view name);

struct Keys {
  bool shift = false;
  bool control = false;  // or Command
  bool alt = false;
};

// What can be edited; one of them has the keyboard.
enum class Field { sentence, question, text, review, named };

class App {
 public:
  // From the address' fragment, over the browser's preferences.
  void open(std::string_view fragment, const Settings& preferences);

  // The field that is edited.
  EditorModel& editor() { return field(active_); }
  const EditorModel& editor() const { return field(active_); }
  Field active() const { return active_; }
  EditorModel& field(Field field) { return fields_[static_cast<size_t>(field)]; }
  const EditorModel& field(Field field) const { return fields_[static_cast<size_t>(field)]; }
  void edit(Field field) { active_ = field; }
  Settings& settings() { return settings_; }
  const Settings& settings() const { return settings_; }

  // Tells the host what changed since the last call: text agent, guesses, address. After every
  // event.
  void publish();

  // From the text agent. False for a key that the browser should handle itself.
  void sync(std::string_view text, Selection selection, Range composition);
  bool key(Key key, Keys keys);

  Task task() const { return settings_.task; }
  bool can(Task task) const;  // there is a model for it
  void choose_task(Task task);
  void use_question(std::string_view question);  // of the examples, about kAskedText

  void choose_model(const std::string& id);
  void choose_compare(const std::string& id);
  void use_example(std::string_view text);
  // The exercises of a class, which the link carries.
  bool can_add_exercise() const;
  void add_exercise();  // the sentence as it is
  void clear_exercises() { settings_.exercises.clear(); }
  // Guesses are shown; in a class once they were asked for, until the sentence changes.
  bool shows_guesses() const { return !settings_.lesson || revealed_ == revision(); }
  void reveal();  // and speaks them
  void hide() { revealed_.reset(); }
  void insert_guess(size_t mask, const GuessView& guess);
  // Puts a mask in a token's place, of the first model's answer. Nothing for [CLS] and [SEP].
  void mask_token(size_t token);
  // The `rank`-th (from 0) guess of the first mask at or after the caret, else of the first. False
  // if there is none.
  bool take_guess(size_t rank);
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
  void set_fill(int slot, FillView fill);
  void set_answers(AnswersView answers);
  // The answers to what stands in the fields now, once they are there.
  const AnswersView* answers() const;
  const std::optional<AnswersView>& last_answers() const { return answers_; }
  // What each word of the question does for its answer; asked for by a press.
  void ask_left_out();
  void set_left_out(LeftOutView view) { left_out_ = std::move(view); }
  const LeftOutView* left_out() const;  // of what stands in the fields now
  // The answer that is shown in its text, and where, in code points.
  size_t chosen_answer() const { return chosen_answer_; }
  bool choose_answer(size_t rank);  // false if there is none
  Range answer_range() const;       // empty: none
  // What the models of the other two tasks made of what stands in their fields, now (null until it is
  // there) and last.
  void set_labels(LabelsView labels);
  const LabelsView* labels() const;
  const std::optional<LabelsView>& last_labels() const { return labels_; }
  void set_names(NamesView names);
  const NamesView* names() const;
  const std::optional<NamesView>& last_names() const { return names_; }
  // What a word does for the text's best label: the probability that is lost without it, −1 to 1.
  static float effect(const LabelsView& labels, const WordView& word) {
    return labels.labels.front().probability - word.probability;
  }
  size_t chosen_name() const { return chosen_name_; }
  bool choose_name(size_t rank);  // false if there is none
  // A UTF-16 range of the field's text as it is now, in code points.
  Range range_of(Field field, int begin, int end) const;
  void set_attention(AttentionView attention) { attention_ = std::move(attention); }
  void set_explanation(ExplainView explanation) { explanation_ = std::move(explanation); }

  // Where this page's source is; empty: not known.
  void set_source_link(std::string link) { source_link_ = std::move(link); }
  const std::string& source_link() const { return source_link_; }

  const std::vector<ModelView>& models() const { return models_; }
  const ModelView* model(const std::string& id) const;
  const ModelView* chosen() const;
  const std::optional<FillView>& fill(int slot) const { return fills_[slot]; }
  const AttentionView& attention() const { return attention_; }
  const ExplainView& explanation() const { return explanation_; }
  const std::string& notice_text() const { return notice_.in(settings_.language); }
  bool notice_is_warning() const { return notice_warning_; }

  // Set by the editor's view, because up and down need the lines: the caret position one line up
  // (-1), down (+1), or the line's begin and end.
  struct LineMotion {
    size_t up = 0, down = 0, begin = 0, end = 0;
  };
  LineMotion lines;

 private:
  void use_model(const std::string& id);
  uint64_t revision() const;  // of what is asked
  void publish_models();
  void publish_question();
  void publish_text(Task task);
  bool navigate(Key key, Keys keys);
  void check_models();
  void announce(const FillView& fill);
  void announce(const AnswersView& answers);
  void announce(const LabelsView& labels);
  void announce(const NamesView& names);
  void say_once(const std::string& spoken, bool urgent);

  std::array<EditorModel, 5> fields_{EditorModel(), EditorModel(false), EditorModel(false),
                                     EditorModel(false), EditorModel(false)};
  Field active_ = Field::sentence;
  Settings settings_;
  std::vector<ModelView> models_;
  std::string source_link_;
  std::array<std::optional<FillView>, 2> fills_;
  std::optional<AnswersView> answers_;
  std::optional<LeftOutView> left_out_;
  size_t chosen_answer_ = 0;
  std::optional<LabelsView> labels_;
  std::optional<NamesView> names_;
  size_t chosen_name_ = 0;
  AttentionView attention_;
  ExplainView explanation_;
  Bilingual notice_;
  bool notice_warning_ = false;
  Theme system_theme_ = Theme::light;
  std::optional<uint64_t> revealed_;  // revision()
  std::string announced_;

  // What the host was last told.
  std::u32string agent_text_;
  Selection agent_selection_;
  uint64_t published_revision_ = ~0ull, published_question_ = ~0ull;
  std::array<uint64_t, static_cast<size_t>(Task::count)> published_texts_{~0ull, ~0ull, ~0ull,
                                                                          ~0ull};
  std::optional<View> published_view_;
  int published_top_ = 0;
  bool published_words_ = false;
  std::string published_fragment_;
  std::array<std::string, 5> published_models_;  // by the host's slots
  bool ask_at_once_ = false;
};

extern const std::array<std::string_view, 6> kExamples;
extern const std::string_view kAskedText;
extern const std::array<std::string_view, 4> kQuestions;  // about kAskedText
extern const std::array<std::string_view, 4> kReviews;
extern const std::array<std::string_view, 4> kNamed;

}  // namespace minibert::page
