// Breaks the sentence into lines and maps between text positions and coordinates. Widths come from
// the caller, so that this runs without a font in tests.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "text/drawn_text.h"

namespace minibert::page {

struct Line {
  Range range;  // of the text; the space at which it was broken belongs to the line
  float width = 0;
};

struct Place {
  size_t line = 0;
  float x = 0;
};

// A stretch of a line.
struct Stretch {
  float left = 0, right = 0;
  bool operator==(const Stretch&) const = default;
};

class TextLayout {
 public:
  // The width of what one glyph shows (text/drawn_text.h), in any unit.
  using Advance = std::function<float(std::u32string_view)>;

  // Lines no wider than `width` where a break can be found; `chips` are unbreakable and
  // `chip_width` wide. Breaks at spaces, and inside a word only if it fills a whole line.
  void build(std::u32string_view text, const std::vector<Range>& chips, float width,
             float chip_width, const Advance& advance);

  const std::vector<Line>& lines() const { return lines_; }
  // Where the caret stands: before the character at `position`, which is to the right of one that is written from
  // the right. At a soft break it stands at the beginning of the next line.
  Place place(size_t position) const;
  // The caret position nearest to `x` on `line` (clamped).
  size_t position(size_t line, float x) const;
  // Where a range stands on a line, from the left: in one piece, unless directions change in it.
  std::vector<Stretch> spans(size_t line, Range range) const;

 private:
  std::vector<Line> lines_;
  std::vector<Stretch> edges_;  // of each code point's cluster, on its own line
  std::vector<float>
      carets_;  // where the caret stands before each code point; one more for the end
  std::vector<size_t> stops_;  // caret positions, ascending
};

}  // namespace minibert::page
