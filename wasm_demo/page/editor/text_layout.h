// Breaks the sentence into lines and maps between text positions and coordinates. Widths come from
// the caller, so that this runs without a font in tests.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "editor/text_units.h"

namespace minibert::page {

struct Line {
  Range range;  // of the text; the space at which it was broken belongs to the line
  float width = 0;
};

struct Place {
  size_t line = 0;
  float x = 0;
};

class TextLayout {
 public:
  using Advance = std::function<float(char32_t)>;  // width of one code point, any unit

  // Lines no wider than `width` where a break can be found; `chips` are unbreakable and
  // `chip_width` wide. Breaks at spaces, and inside a word only if it fills a whole line.
  void build(std::u32string_view text, const std::vector<Range>& chips, float width,
             float chip_width, const Advance& advance);

  const std::vector<Line>& lines() const { return lines_; }
  // Where the caret stands. At a soft break it stands at the beginning of the next line.
  Place place(size_t position) const;
  // The caret position nearest to `x` on `line` (clamped).
  size_t position(size_t line, float x) const;
  // x of the left edge of code point `position` on its own line.
  float left(size_t position) const { return x_[position]; }

 private:
  std::vector<Line> lines_;
  std::vector<float> x_;       // left edge of each code point; one more for the end
  std::vector<size_t> stops_;  // caret positions, ascending
};

}  // namespace minibert::page
