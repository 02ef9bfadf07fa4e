// Editing operations and undo.
#include "editor/editor_model.h"

#include <algorithm>

namespace minibert::page {
namespace {

constexpr size_t kMaxUndo = 200;
// Characters of all steps; the last is kept however long it is.
constexpr size_t kMostKept = size_t{1} << 22;

struct Difference {
  Range removed;  // of the old text
  Range added;    // of the new text
};

Difference difference(std::u32string_view before, std::u32string_view after) {
  const size_t shorter = std::min(before.size(), after.size());
  size_t head = 0;
  while (head < shorter && before[head] == after[head]) ++head;
  size_t tail = 0;
  while (tail < shorter - head &&
         before[before.size() - 1 - tail] == after[after.size() - 1 - tail])
    ++tail;
  return {{head, before.size() - tail}, {head, after.size() - tail}};
}

bool strictly_inside(const Range& range, size_t position) {
  return position > range.begin && position < range.end;
}

}  // namespace

std::vector<Range> find_masks(std::u32string_view text) {
  std::vector<Range> masks;
  for (size_t at = text.find(kMaskText); at != std::u32string_view::npos;
       at = text.find(kMaskText, at + kMaskText.size()))
    masks.push_back({at, at + kMaskText.size()});
  return masks;
}

Range find_blank(std::u32string_view text) {
  const Blank blank = minibert::find_blank(text);
  return {blank.begin, blank.end};
}

void EditorModel::changed() {
  if (chips_) masks_ = find_masks(text_);
  ++revision_;
}

// In an undo step of its own, so that undo gives back what was typed.
bool EditorModel::blanks_to_masks() {
  if (!chips_) return false;
  Range blank = find_blank(text_);
  if (blank.empty()) return false;
  remember(Edit::other, blank.begin);
  for (; !blank.empty(); blank = find_blank(text_)) {
    const auto moved = [&](size_t position) {
      return position >= blank.end ? position + kMaskText.size() - blank.size() : position;
    };
    const Selection kept{moved(selection_.anchor), moved(selection_.caret)};
    replace(blank, kMaskText);
    selection_ = {snap(kept.anchor, true), snap(kept.caret, true)};
  }
  return true;
}

size_t EditorModel::snap(size_t position, bool forward) const {
  position = std::min(position, text_.size());
  for (const Range& mask : masks_)
    if (strictly_inside(mask, position)) return forward ? mask.end : mask.begin;
  const size_t before = previous_boundary(text_, position);
  const size_t whole = next_boundary(text_, before);
  if (position == 0 || whole == position) return position;
  return forward ? whole : before;
}

void EditorModel::remember(Edit kind, size_t position) {
  const bool joins = last_edit_ == kind && kind != Edit::other && position == last_position_;
  if (!joins) {
    undo_.push_back({text_, selection_});
    size_t kept = 0;
    for (const Snapshot& one : undo_) kept += one.text.size();
    while (undo_.size() > kMaxUndo || (undo_.size() > 1 && kept > kMostKept)) {
      kept -= undo_.front().text.size();
      undo_.erase(undo_.begin());
    }
  }
  redo_.clear();
  last_edit_ = kind;
}

void EditorModel::replace(Range range, std::u32string_view with) {
  text_.replace(range.begin, range.size(), with);
  changed();
  const size_t caret = snap(range.begin + with.size(), true);
  selection_ = {caret, caret};
  composition_ = {};
  last_position_ = caret;
}

bool EditorModel::sync(std::u32string_view text, Selection selection, Range composition) {
  bool repaired = false;
  if (text != text_) {
    Difference diff = difference(text_, text);
    const bool was_composing = composing();
    std::u32string next(text);
    if (diff.removed.size() > diff.added.size()) {
      for (const Range& mask : masks_) {
        const bool cut =
            diff.removed.begin < mask.end && diff.removed.end > mask.begin &&
            (strictly_inside(mask, diff.removed.begin) || strictly_inside(mask, diff.removed.end));
        if (!cut) continue;
        const Range whole{std::min(diff.removed.begin, mask.begin),
                          std::max(diff.removed.end, mask.end)};
        next = text_.substr(0, whole.begin) +
               std::u32string(text.substr(diff.added.begin, diff.added.size())) +
               text_.substr(whole.end);
        const size_t caret = whole.begin + diff.added.size();
        selection = {caret, caret};
        diff.removed = whole;
        repaired = true;
      }
    }
    const bool typing = !diff.added.empty() || composing() || !composition.empty();
    if (was_composing)
      redo_.clear();  // the same undo step as the composition's beginning
    else
      remember(typing ? Edit::typing : Edit::deleting,
               typing ? diff.removed.begin : diff.removed.end);
    text_ = std::move(next);
    changed();
    last_position_ = diff.removed.begin + diff.added.size();
    // A space ends a step, so that undo goes word by word.
    if (diff.added.size() == 1 && char_class(text_[diff.added.begin]) == CharClass::space)
      last_edit_.reset();
  } else if (selection != selection_ && composition.empty()) {
    last_edit_.reset();
  }
  const bool forward = selection.caret > selection_.caret;
  Selection snapped{snap(selection.anchor, forward), snap(selection.caret, forward)};
  composition_ = {std::min(composition.begin, text_.size()),
                  std::min(composition.end, text_.size())};
  if (composing()) snapped = {selection.anchor, selection.caret};  // the input method's own caret
  repaired = repaired || snapped != selection;
  selection_ = {std::min(snapped.anchor, text_.size()), std::min(snapped.caret, text_.size())};
  return (!composing() && blanks_to_masks()) || repaired;
}

void EditorModel::reset(std::u32string_view text) {
  undo_.clear();
  redo_.clear();
  last_edit_.reset();
  replace({0, text_.size()}, text);
  if (blanks_to_masks()) undo_.clear();
}

void EditorModel::set_text(std::u32string_view text) {
  remember(Edit::other, 0);
  replace({0, text_.size()}, text);
  blanks_to_masks();
}

void EditorModel::insert(std::u32string_view text) {
  remember(Edit::other, selection_.range().begin);
  replace(selection_.range(), text);
  blanks_to_masks();
}

size_t EditorModel::target(Motion motion) const {
  const size_t caret = selection_.caret;
  switch (motion) {
    case Motion::left:
      return snap(previous_boundary(text_, caret), false);
    case Motion::right:
      return snap(next_boundary(text_, caret), true);
    case Motion::word_left: {
      size_t at = caret;
      while (at > 0 && char_class(text_[at - 1]) == CharClass::space) --at;
      return at == 0 ? 0 : snap(word_at(text_, at - 1).begin, false);
    }
    case Motion::word_right: {
      size_t at = caret;
      while (at < text_.size() && char_class(text_[at]) == CharClass::space) ++at;
      if (at == text_.size()) return at;
      const CharClass kind = char_class(text_[at]);
      while (at < text_.size() && char_class(text_[at]) == kind) ++at;
      return snap(at, true);
    }
    case Motion::text_begin:
      return 0;
    case Motion::text_end:
      return text_.size();
  }
  return caret;
}

void EditorModel::erase(Motion motion) {
  Range range = selection_.range();
  if (range.empty()) range = Selection{selection_.caret, target(motion)}.range();
  if (range.empty()) return;
  remember(Edit::deleting, range.end == selection_.caret ? range.end : range.begin);
  replace(range, {});
}

void EditorModel::move(Motion motion, bool extend) {
  const bool sideways = motion == Motion::left || motion == Motion::right;
  if (!extend && !selection_.empty() && sideways) {
    const Range range = selection_.range();
    set_caret(motion == Motion::left ? range.begin : range.end, false);
  } else {
    set_caret(target(motion), extend);
  }
}

void EditorModel::set_caret(size_t position, bool extend) {
  last_edit_.reset();
  selection_.caret = snap(position, position > selection_.caret);
  if (!extend) selection_.anchor = selection_.caret;
}

void EditorModel::select(Range range) {
  last_edit_.reset();
  selection_ = {snap(range.begin, false), snap(range.end, true)};
}

void EditorModel::select_word(size_t position) {
  for (const Range& mask : masks_)
    if (position >= mask.begin && position < mask.end) return select(mask);
  select(word_at(text_, position));
}

void EditorModel::mask_selection() {
  Range range = selection_.range();
  if (range.empty()) {
    for (const Range& mask : masks_)
      if (selection_.caret == mask.begin || selection_.caret == mask.end) return;
    Range word = word_at(text_, selection_.caret);
    const bool has_word = !word.empty() && char_class(text_[word.begin]) == CharClass::word;
    if (has_word)
      word.end -= particle_length(std::u32string_view(text_).substr(word.begin, word.size()));
    range = has_word ? word : Range{selection_.caret, selection_.caret};
  }
  mask_range(range);
}

void EditorModel::mask_range(Range range) {
  if (!chips_) return;
  while (range.size() > 1 && char_class(text_[range.begin]) == CharClass::space) ++range.begin;
  while (range.size() > 1 && char_class(text_[range.end - 1]) == CharClass::space) --range.end;
  remember(Edit::other, range.begin);
  replace(range, kMaskText);
}

bool EditorModel::fill_mask(size_t index, std::u32string_view text) {
  if (index >= masks_.size()) return false;
  remember(Edit::other, masks_[index].begin);
  replace(masks_[index], text);
  return true;
}

void EditorModel::fill_all(const std::vector<std::u32string>& texts) {
  const size_t count = std::min(masks_.size(), texts.size());
  if (count == 0) return;
  remember(Edit::other, 0);
  // From the last to the first, so that earlier ranges stay valid.
  const std::vector<Range> masks = masks_;
  const size_t after_caret = text_.size() - masks[count - 1].end;
  for (size_t i = count; i-- > 0;) replace(masks[i], texts[i]);
  set_caret(text_.size() - after_caret, false);
}

bool EditorModel::undo() {
  if (undo_.empty()) return false;
  redo_.push_back({text_, selection_});
  text_ = std::move(undo_.back().text);
  selection_ = undo_.back().selection;
  undo_.pop_back();
  composition_ = {};
  last_edit_.reset();
  changed();
  return true;
}

bool EditorModel::redo() {
  if (redo_.empty()) return false;
  undo_.push_back({text_, selection_});
  text_ = std::move(redo_.back().text);
  selection_ = redo_.back().selection;
  redo_.pop_back();
  composition_ = {};
  last_edit_.reset();
  changed();
  return true;
}

}  // namespace minibert::page
