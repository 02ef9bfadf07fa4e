// The text of a field, as in the browser's text element, and edits that replace ranges of it.
// Positions are code point indices.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rules/blanks.h"
#include "text/text_units.h"

namespace minibert::page {

inline constexpr std::u32string_view kMaskText = kMaskCharacters;
// The most characters of a field, in the browser's UTF-16 units: every tab answers for as many
// within a second.
inline constexpr size_t kMostCharacters = 10000;

struct Edit {
  Range range;
  std::u32string with;
};

class FieldText {
 public:
  // Without `masks` "[MASK]" is ordinary text, and blanks stay.
  explicit FieldText(bool masks = true) : has_masks_(masks) {}

  const std::u32string& text() const { return text_; }
  Range selection() const { return selection_; }
  // Every "[MASK]", in order.
  const std::vector<Range>& masks() const { return masks_; }
  // Grows with every change of the text.
  uint64_t revision() const { return revision_; }
  // The number of documents opened so far: content of an earlier one is out of date.
  int opened() const { return opened_; }
  // True if the text differs from the one that reset() set.
  bool edited() const { return edited_; }

  // Opens a document; blanks become masks. Cuts it to kMostCharacters and returns false if
  // something was cut off.
  bool reset(std::u32string_view text);
  // Takes the text element's present content.
  void set(std::u32string_view text, Range selection);

  // Returns one edit that replaces all blanks that people write by masks; its range is empty if
  // there are none.
  Edit masks_for_blanks() const;
  // Replaces the selection by a mask, or the word at the caret without its particle; otherwise
  // inserts one at the caret.
  Edit mask_for_word() const;
  // Replaces a range without the white space at its edges by a mask.
  Edit mask_for(Range range) const;
  // Fills several masks at once, from the first on: texts[i] belongs to masks()[i]. The edit's
  // range is empty if there are no masks.
  Edit filled(const std::vector<std::u32string>& texts) const;

 private:
  void changed();

  bool has_masks_;
  std::u32string text_;
  Range selection_;
  std::vector<Range> masks_;
  uint64_t revision_ = 0;
  int opened_ = 0;
  bool edited_ = false;
};

}  // namespace minibert::page
