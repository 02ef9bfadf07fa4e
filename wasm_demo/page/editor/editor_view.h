// Draws the sentence with its caret, selection, composition and [MASK] chips, and turns mouse and
// touch into caret positions.
#pragma once

#include <utility>
#include <vector>

#include "drawing/ui.h"
#include "editor/editor_model.h"
#include "editor/text_layout.h"

namespace minibert::page {

// A part of a field's text that is shown apart.
struct Mark {
  Range range;
  Color ground, line;  // behind it and under it
  bool here = false;   // it is the one looked at: scrolled to when it becomes that
};

// How a field is shown.
struct FieldLook {
  const char* name;  // of its widget
  Word title, placeholder;
  TextSize size = TextSize::large;
};

class EditorView {
 public:
  explicit EditorView(const FieldLook& look) : look_(look) {}

  const char* name() const { return look_.name; }
  void set_marks(std::vector<Mark> marks) { marks_ = std::move(marks); }
  // In the current card, as wide as the card's inside; at most `most_height` device pixels high, or three
  // lines: what is longer scrolls. A field that is not edited is a button; true where the field was
  // pressed, so that it is to be edited from the next frame on.
  bool draw(Ui& ui, EditorModel& editor, bool edited, float most_height);
  // As draw() found them.
  const LineMotion& lines() const { return lines_; }
  // By device pixels, down; false at the end.
  bool scroll(float distance);
  // When the press happened that the next draw() may see: frames may come much later.
  void set_pressed_at(double seconds) { pressed_at_ = seconds; }
  // Whether the keyboard's keys go here: else there is no caret.
  void set_focused(bool focused) { focused_ = focused; }
  // The caret's top left and height in CSS pixels, for the text agent and the input method's
  // window.
  Box caret() const { return caret_; }

 private:
  void layout(Ui& ui, const EditorModel& editor, float width);
  void follow_mark(float height);
  bool pointer(const Ui& ui, EditorModel& editor, ImVec2 origin);
  std::pair<size_t, size_t> seen_lines(float top) const;
  void draw_range(Ui& ui, ImVec2 origin, Range range, ImU32 color, float top, float bottom);
  void draw_text(Ui& ui, const EditorModel& editor, ImVec2 origin);
  void draw_chip(Ui& ui, ImVec2 at, size_t number, bool selected);
  void draw_edge(Ui& ui, ImVec2 low, ImVec2 high, bool edited) const;
  void draw_scroll_bar(Ui& ui, ImVec2 low, ImVec2 high) const;

  FieldLook look_;
  std::vector<Mark> marks_;
  TextLayout layout_;
  std::u32string shown_;  // what layout_ was built from
  float shown_width_ = 0, shown_size_ = 0;
  size_t shown_fonts_ = 0;
  float line_height_ = 0, chip_width_ = 0;
  float scroll_ = 0, most_scroll_ = 0;
  bool focused_ = true;
  size_t followed_caret_ = 0;
  Range followed_mark_;
  double pressed_at_ = 0, last_click_ = -10;
  ImVec2 last_click_at_;
  int clicks_ = 0;
  LineMotion lines_;
  Box caret_;
};

}  // namespace minibert::page
