// The text of a field as the browser's text element has it, and the ranges that edits of it replace. Positions are code
// point indices.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rules/blanks.h"
#include "text/text_units.h"

namespace minibert::page {

inline constexpr std::u32string_view kMaskText = kMaskCharacters;
// Characters of a field, as the browser counts them (UTF-16 units): as many as every tab answers within a second.
inline constexpr size_t kMostCharacters = 10000;

// A change of a text: `with` in the place of `range`.
struct Edit {
  Range range;
  std::u32string with;
};

class FieldText {
 public:
  // Without `masks` "[MASK]" is text as any other, and blanks stay as they are.
  explicit FieldText(bool masks = true) : has_masks_(masks) {}

  const std::u32string& text() const { return text_; }
  Range selection() const { return selection_; }
  // Every "[MASK]", in order.
  const std::vector<Range>& masks() const { return masks_; }
  // Grows whenever the text changes.
  uint64_t revision() const { return revision_; }
  // How many documents were opened: an element that shows an earlier one has nothing to say of this.
  int opened() const { return opened_; }
  // Whether the text is another than the one that reset() gave.
  bool edited() const { return edited_; }

  // A new document; blanks become masks. Cut to kMostCharacters; false where something was cut off.
  bool reset(std::u32string_view text);
  // What the text element holds now.
  void set(std::u32string_view text, Range selection);

  // Masks in the place of the blanks that people write, in one edit; its range is empty where there are none.
  Edit masks_for_blanks() const;
  // A mask in the place of the selection, or of the word at the caret without its particle, or at the caret.
  Edit mask_for_word() const;
  // A mask in the place of a range, white space at its edges left out.
  Edit mask_for(Range range) const;
  // Several masks filled at once, from the first on: texts[i] belongs to masks()[i]. Its range is empty where there
  // are no masks.
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
