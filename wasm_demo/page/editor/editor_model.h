// The sentence being edited: text, selection, the input method's composition, [MASK] chips and
// undo. Knows nothing of drawing or of the browser. Positions are code point indices. Invariants:
// the caret never stands inside a chip or a character cluster; the composition lies inside the
// text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/blanks.h"
#include "text/text_units.h"

namespace minibert::page {

inline constexpr std::u32string_view kMaskText = kMaskCharacters;

struct Selection {
  size_t anchor = 0;  // where it began
  size_t caret = 0;   // where typing goes
  Range range() const { return {anchor < caret ? anchor : caret, anchor < caret ? caret : anchor}; }
  bool empty() const { return anchor == caret; }
  bool operator==(const Selection&) const = default;
};

// Where the caret goes by lines, which only a layout knows: one line up, one down, to the line's ends.
struct LineMotion {
  size_t up = 0, down = 0, begin = 0, end = 0;
};

enum class Motion { left, right, word_left, word_right, text_begin, text_end };

class EditorModel {
 public:
  // Without chips "[MASK]" is text as any other, and blanks stay as they are.
  explicit EditorModel(bool chips = true) : chips_(chips) {}

  const std::u32string& text() const { return text_; }
  Selection selection() const { return selection_; }
  Range composition() const { return composition_; }
  bool composing() const { return !composition_.empty(); }
  // Chips in order, as ranges of the text.
  const std::vector<Range>& masks() const { return masks_; }
  // Grows whenever the text changes, whoever changed it.
  uint64_t revision() const { return revision_; }

  // What the browser's text element holds after it handled an input event: new text, selection and
  // composition. A deletion that cut into a chip takes all of it. Returns true if the element must
  // be told (text or selection differ from what it sent).
  bool sync(std::u32string_view text, Selection selection, Range composition);

  void reset(std::u32string_view text);     // a new document: nothing to undo
  void set_text(std::u32string_view text);  // can be undone
  void insert(std::u32string_view text);    // replaces the selection
  void erase(Motion motion);  // the selection if there is one, else up to the motion's end
  void move(Motion motion, bool extend);
  void set_caret(size_t position, bool extend);
  void select(Range range);  // snapped outwards to chips
  void select_word(size_t position);

  // Replaces the selection, or the word at the caret without its particle, or nothing (a chip goes
  // in at the caret).
  void mask_selection();
  // Puts a chip in the place of a range, white space at its edges left out. Nothing without chips, here
  // and above.
  void mask_range(Range range);
  // Puts `text` in a chip's place. False if there is no such chip.
  bool fill_mask(size_t index, std::u32string_view text);
  // Fills several chips as one undo step; texts[i] belongs to masks()[i].
  void fill_all(const std::vector<std::u32string>& texts);

  bool undo();
  bool redo();
  bool can_undo() const { return !undo_.empty(); }
  bool can_redo() const { return !redo_.empty(); }

 private:
  enum class Edit { typing, deleting, other };
  struct Snapshot {
    std::u32string text;
    Selection selection;
  };

  void remember(Edit kind, size_t position);
  void replace(Range range, std::u32string_view with);
  void changed();
  bool blanks_to_masks();
  size_t snap(size_t position, bool forward) const;
  size_t target(Motion motion) const;

  bool chips_;
  std::u32string text_;
  Selection selection_;
  Range composition_;
  std::vector<Range> masks_;
  std::vector<Snapshot> undo_;
  std::vector<Snapshot> redo_;
  std::optional<Edit> last_edit_;  // an edit of the same kind at the same place joins its undo step
  size_t last_position_ = 0;
  uint64_t revision_ = 0;
};

// Ranges of every "[MASK]" in `text`.
std::vector<Range> find_masks(std::u32string_view text);

// The first blank as people write it (rules/blanks.h); empty if there is none.
Range find_blank(std::u32string_view text);

}  // namespace minibert::page
