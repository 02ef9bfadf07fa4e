#include "state/field_text.h"

#include <algorithm>

namespace minibert::page {

void FieldText::changed() {
  masks_.clear();
  for (size_t at = has_masks_ ? text_.find(kMaskText) : text_.npos; at != text_.npos;
       at = text_.find(kMaskText, at + kMaskText.size()))
    masks_.push_back({at, at + kMaskText.size()});
  ++revision_;
}

bool FieldText::reset(std::u32string_view text) {
  text_ = has_masks_ ? with_masks(text) : std::u32string(text);
  UnitPlaces places(text_);
  const bool cut = places.units_at(text_.size()) > kMostCharacters;
  if (cut) text_.resize(places.point_at(kMostCharacters));
  if (cut && places.units_at(text_.size()) > kMostCharacters) text_.pop_back();
  selection_ = {text_.size(), text_.size()};
  edited_ = false;
  ++opened_;
  changed();
  return !cut;
}

void FieldText::set(std::u32string_view text, Range selection) {
  selection_ = selection;
  if (text == text_) return;
  text_ = text;
  edited_ = true;
  changed();
}

Edit FieldText::masks_for_blanks() const {
  if (!has_masks_ || find_blank(text_).end == 0) return {};
  const std::u32string masked = with_masks(text_);
  const size_t shorter = std::min(text_.size(), masked.size());
  size_t head = 0, tail = 0;
  while (head < shorter && text_[head] == masked[head]) ++head;
  while (tail < shorter - head &&
         text_[text_.size() - 1 - tail] == masked[masked.size() - 1 - tail])
    ++tail;
  return {{head, text_.size() - tail}, masked.substr(head, masked.size() - tail - head)};
}

Edit FieldText::mask_for_word() const {
  Range range = selection_;
  if (range.empty()) {
    for (const Range& mask : masks_)
      if (range.begin >= mask.begin && range.begin <= mask.end) return {};
    Range word = word_at(text_, range.begin);
    if (!word.empty() && char_class(text_[word.begin]) == CharClass::word) {
      word.end -= particle_length(std::u32string_view(text_).substr(word.begin, word.size()));
      range = word;
    }
  }
  return mask_for(range);
}

Edit FieldText::mask_for(Range range) const {
  while (range.size() > 1 && char_class(text_[range.begin]) == CharClass::space) ++range.begin;
  while (range.size() > 1 && char_class(text_[range.end - 1]) == CharClass::space) --range.end;
  return {range, std::u32string(kMaskText)};
}

Edit FieldText::filled(const std::vector<std::u32string>& texts) const {
  const size_t count = std::min(masks_.size(), texts.size());
  if (count == 0) return {};
  Edit edit{{masks_.front().begin, masks_[count - 1].end}, {}};
  for (size_t i = 0, at = edit.range.begin; i < count; at = masks_[i++].end)
    edit.with += text_.substr(at, masks_[i].begin - at) + texts[i];
  return edit;
}

}  // namespace minibert::page
