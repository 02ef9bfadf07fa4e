// The sentence on the canvas.
#include "editor/editor_view.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/utf8.h"

namespace minibert::page {
namespace {

constexpr float kLineSpacing = 1.5f;
constexpr double kMultiClickSeconds = 0.4;

}  // namespace

void EditorView::layout(Ui& ui, const EditorModel& editor, float width) {
  ImFont* font = ui.font(look_.size);
  if (shown_ == editor.text() && shown_width_ == width && shown_size_ == font->FontSize) return;
  shown_ = editor.text();
  shown_width_ = width;
  shown_size_ = font->FontSize;
  line_height_ = std::round(font->FontSize * kLineSpacing);
  chip_width_ = std::round(ui.measure(TextSize::body, "[MASK]").x + ui.px(18));
  ui.measure(look_.size, to_utf8(editor.text()));  // brings the glyphs in
  const auto advance = [font](char32_t c) { return font->GetCharAdvance(static_cast<ImWchar>(c)); };
  layout_.build(editor.text(), editor.masks(), width, chip_width_, advance);
}

bool EditorView::scroll(float distance) {
  const float before = scroll_;
  scroll_ = std::clamp(scroll_ + distance, 0.0f, most_scroll_);
  return scroll_ != before;
}

bool EditorView::draw(Ui& ui, EditorModel& editor, bool edited, float most_height) {
  const float width = ui.inner_width() - ui.px(10);  // beside the scroll bar
  layout(ui, editor, width);
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const auto shown =
      std::clamp<float>(layout_.lines().size(), 2, std::max(3.0f, most_height / line_height_));
  const float height = std::floor(line_height_ * shown);
  const ImVec2 high{low.x + ui.inner_width(), low.y + height};
  ImGui::InvisibleButton(look_.name, {ui.inner_width(), height});
  const Box box = ui.last_item();
  ui.mark(look_.name, box);
  bool pressed = ui.activated(look_.name);
  const std::string title(ui.word(look_.title));
  if (edited) {
    ui.mark("editor", box);
    ui.outline().add(Role::editor, "editor", title, box);
  } else {
    ui.outline().add(Role::button, look_.name, title + ": " + to_utf8(editor.text()), box);
  }
  most_scroll_ = std::max(0.0f, line_height_ * static_cast<float>(layout_.lines().size()) - height);
  pressed |= pointer(ui, editor, {low.x, low.y - scroll_});

  const Place place = layout_.place(editor.selection().caret);
  const float caret_top = static_cast<float>(place.line) * line_height_;
  if (editor.selection().caret != followed_caret_ || scroll_ > most_scroll_) {
    followed_caret_ = editor.selection().caret;
    scroll_ = std::clamp(scroll_, caret_top + line_height_ - height, caret_top);
    scroll_ = std::clamp(scroll_, 0.0f, most_scroll_);
  }
  follow_mark(height);
  const ImVec2 origin{low.x, low.y - scroll_};

  ImGui::PushClipRect({low.x - ui.px(2), low.y}, high, true);
  const float top = (line_height_ - ui.font(look_.size)->FontSize) / 2;
  const Range selected = editor.selection().range();
  const size_t length = editor.text().size();
  for (auto& [range, ground, line, here] : marks_) {
    range = {std::min(range.begin, length), std::min(range.end, length)};
    draw_range(ui, origin, range, ground, 0.06f * line_height_, 0.94f * line_height_);
  }
  if (!editor.composing() && edited)
    draw_range(ui, origin, selected, ui.colors().selection, 0.1f * line_height_,
               0.92f * line_height_);
  if (editor.text().empty()) {
    const std::string hint = ui.elide(TextSize::body, ui.word(look_.placeholder), width - ui.px(8));
    ui.draw_text({origin.x + ui.px(4), origin.y + ui.px(8)}, TextSize::body, ui.colors().muted,
                 hint);
  }
  draw_text(ui, editor, {origin.x, origin.y + top});
  const float underline = line_height_ - ui.px(4);
  draw_range(ui, origin, editor.composition(), ui.colors().accent, underline, underline + ui.px(2));
  for (const auto& [range, ground, line, here] : marks_) {
    draw_range(ui, origin, range, line, underline, underline + ui.px(2));
    if (!here || range.empty()) continue;
    const Place begin = layout_.place(range.begin);
    const ImVec2 at{origin.x + begin.x, origin.y + static_cast<float>(begin.line) * line_height_};
    ui.mark("marked", ui.box(at, {at.x + ui.px(8), at.y + line_height_}));
  }

  const ImVec2 at{origin.x + std::round(place.x), origin.y + caret_top};
  if (focused_ && edited && !ui.picture())
    ImGui::GetWindowDrawList()->AddRectFilled(
        {at.x, at.y + 0.12f * line_height_},
        {at.x + std::max(1.0f, std::round(ui.px(2))), at.y + 0.9f * line_height_},
        ui.colors().accent);
  ImGui::PopClipRect();
  if (most_scroll_ > 0) draw_scroll_bar(ui, {high.x - ui.px(6), low.y}, high);
  const float ratio = ui.pixel_ratio();
  caret_ = {at.x / ratio, at.y / ratio, 0, line_height_ / ratio};

  const auto line_at = [&](size_t line) { return layout_.position(line, place.x); };
  const size_t last = layout_.lines().size() - 1;
  lines_ = {.up = place.line == 0 ? 0 : line_at(place.line - 1),
            .down = place.line == last ? editor.text().size() : line_at(place.line + 1),
            .begin = layout_.lines()[place.line].range.begin,
            .end = layout_.position(place.line, layout_.lines()[place.line].width)};
  return pressed;
}

// A third of the field above it, so that what leads to it is read, too.
void EditorView::follow_mark(float height) {
  const auto here =
      std::find_if(marks_.begin(), marks_.end(), [](const Mark& mark) { return mark.here; });
  const Range range = here == marks_.end() ? Range{} : here->range;
  if (range == followed_mark_) return;
  followed_mark_ = range;
  if (range.empty() || range.begin >= shown_.size()) return;
  const float top = static_cast<float>(layout_.place(range.begin).line) * line_height_;
  if (top < scroll_ || top + line_height_ > scroll_ + height)
    scroll_ = std::clamp(std::floor(top - height / 3), 0.0f, most_scroll_);
}

bool EditorView::pointer(const Ui& ui, EditorModel& editor, ImVec2 origin) {
  if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
  if (!ImGui::IsItemActive()) return false;
  const ImGuiIO& io = ImGui::GetIO();
  const float row = std::floor((io.MousePos.y - origin.y) / line_height_);
  const auto line = static_cast<size_t>(std::max(0.0f, row));
  const size_t position = layout_.position(line, io.MousePos.x - origin.x);
  if (!ImGui::IsItemActivated()) {
    if (clicks_ == 1 && position != editor.selection().caret && ImGui::IsMouseDragging(0, ui.px(3)))
      editor.set_caret(position, true);
    return false;
  }
  const double now = pressed_at_;
  const bool near = std::abs(io.MousePos.x - last_click_at_.x) < ui.px(6) &&
                    std::abs(io.MousePos.y - last_click_at_.y) < ui.px(6);
  clicks_ = now - last_click_ < kMultiClickSeconds && near ? clicks_ + 1 : 1;
  last_click_ = now;
  last_click_at_ = io.MousePos;
  if (clicks_ == 2) {
    editor.select_word(position);
  } else if (clicks_ >= 3) {
    editor.select({0, editor.text().size()});
  } else {
    editor.set_caret(position, io.KeyShift);
  }
  return true;
}

void EditorView::draw_scroll_bar(Ui& ui, ImVec2 low, ImVec2 high) const {
  const float height = high.y - low.y;
  const float whole = height + most_scroll_;
  const float top = low.y + height * scroll_ / whole;
  ImGui::GetWindowDrawList()->AddRectFilled({low.x, top}, {high.x, top + height * height / whole},
                                            ui.colors().outline, ui.px(3));
}

void EditorView::draw_range(Ui&, ImVec2 origin, Range range, ImU32 color, float top, float bottom) {
  if (range.empty()) return;
  const auto& lines = layout_.lines();
  for (size_t i = 0; i < lines.size(); ++i) {
    const size_t begin = std::max(range.begin, lines[i].range.begin);
    const size_t end = std::min(range.end, lines[i].range.end);
    if (begin >= end) continue;
    const float left = layout_.left(begin);
    const float right = end == lines[i].range.end ? lines[i].width : layout_.left(end);
    const float y = origin.y + static_cast<float>(i) * line_height_;
    ImGui::GetWindowDrawList()->AddRectFilled({origin.x + left, y + top},
                                              {origin.x + right, y + bottom}, color);
  }
}

void EditorView::draw_text(Ui& ui, const EditorModel& editor, ImVec2 origin) {
  const std::vector<Range>& masks = editor.masks();
  const Range selected = editor.selection().range();
  size_t mask = 0;
  for (size_t i = 0; i < layout_.lines().size(); ++i) {
    const Range line = layout_.lines()[i].range;
    const float y = origin.y + static_cast<float>(i) * line_height_;
    for (size_t at = line.begin; at < line.end;) {
      if (mask < masks.size() && masks[mask].begin == at) {
        const bool inside = at >= selected.begin && masks[mask].end <= selected.end;
        draw_chip(ui, {origin.x + layout_.left(at), y}, mask + 1, inside && !selected.empty());
        at = masks[mask++].end;
        continue;
      }
      const size_t end = mask < masks.size() ? std::min(line.end, masks[mask].begin) : line.end;
      ui.draw_text({origin.x + layout_.left(at), y}, look_.size, ui.colors().text,
                   to_utf8(std::u32string_view(editor.text()).substr(at, end - at)));
      at = end;
    }
  }
}

void EditorView::draw_chip(Ui& ui, ImVec2 at, size_t number, bool selected) {
  const float height = ui.font(look_.size)->FontSize;
  const float gap = ui.px(2);
  const ImVec2 low{at.x + gap, at.y - gap};
  const ImVec2 high{at.x + chip_width_ - gap, at.y + height + gap};
  ImDrawList* list = ImGui::GetWindowDrawList();
  const Palette& colors = ui.colors();
  list->AddRectFilled(low, high, selected ? colors.accent : colors.soft, ui.px(6));
  list->AddRect(low, high, colors.accent, ui.px(6), 0, std::max(1.0f, ui.px(1.2f)));
  const std::string label = "[MASK]";
  const ImVec2 extent = ui.measure(TextSize::body, label);
  ui.draw_text({(low.x + high.x - extent.x) / 2, (low.y + high.y - extent.y) / 2}, TextSize::body,
               selected ? colors.on_accent : colors.accent, label);
  ui.mark("chip-" + std::to_string(number), ui.box(low, high));
}

}  // namespace minibert::page
