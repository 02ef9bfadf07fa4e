// The sentence on the canvas.
#include "editor/editor_view.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/utf8.h"

namespace minibert::page {
namespace {

constexpr float kLineSpacing = 1.5f;
constexpr float kPaddingX = 10, kPaddingY = 4;  // between the field's edge and its text
constexpr double kMultiClickSeconds = 0.4;

}  // namespace

void EditorView::layout(Ui& ui, const EditorModel& editor, float width) {
  ImFont* font = ui.font(look_.size);
  if (shown_ == editor.text() && shown_width_ == width && shown_size_ == font->FontSize &&
      shown_fonts_ == ui.fonts())
    return;
  shown_ = editor.text();
  shown_width_ = width;
  shown_size_ = font->FontSize;
  shown_fonts_ = ui.fonts();
  line_height_ = std::round(font->FontSize * kLineSpacing);
  chip_width_ = std::round(ui.measure(TextSize::body, "[MASK]").x + ui.px(18));
  const auto advance = [&](std::u32string_view glyph) { return ui.advance(look_.size, glyph); };
  layout_.build(editor.text(), editor.masks(), width, chip_width_, advance);
}

bool EditorView::scroll(float distance) {
  const float before = scroll_;
  scroll_ = std::clamp(scroll_ + distance, 0.0f, most_scroll_);
  return scroll_ != before;
}

bool EditorView::draw(Ui& ui, EditorModel& editor, bool edited, float most_height) {
  const float width = ui.inner_width() - 2 * ui.px(kPaddingX);
  layout(ui, editor, width);
  const ImVec2 edge = ImGui::GetCursorScreenPos();
  const auto shown = std::clamp<float>(layout_.lines().size(), 1,
                                       std::max(3.0f, std::floor(most_height / line_height_)));
  const float height = std::floor(line_height_ * shown);
  const ImVec2 low{edge.x + ui.px(kPaddingX), edge.y + ui.px(kPaddingY)};
  const ImVec2 high{edge.x + ui.inner_width(), low.y + height};
  ImGui::InvisibleButton(look_.name, {ui.inner_width(), height + 2 * ui.px(kPaddingY)});
  const Box box = ui.last_item();
  if (!ui.picture()) draw_edge(ui, edge, {high.x, high.y + ui.px(kPaddingY)}, edited);
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
    ui.draw_text(
        {origin.x + ui.px(2), origin.y + (line_height_ - ui.font(TextSize::body)->FontSize) / 2},
        TextSize::body, ui.colors().muted, hint);
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
  if (most_scroll_ > 0)
    draw_scroll_bar(ui, {high.x - ui.px(8), low.y}, {high.x - ui.px(2), high.y});
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

// What shows that a text can be written here.
void EditorView::draw_edge(Ui& ui, ImVec2 low, ImVec2 high, bool edited) const {
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(low, high, ui.colors().page, ui.px(8));
  const bool typed = edited && focused_;
  list->AddRect(low, high, typed ? ui.colors().accent : ui.colors().outline, ui.px(8), 0,
                ui.px(typed ? 1.5f : 1));
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

// The lines that are seen, or partly so, of a text whose first line begins at `top`.
std::pair<size_t, size_t> EditorView::seen_lines(float top) const {
  const ImVec4 clip = ImGui::GetWindowDrawList()->_CmdHeader.ClipRect;
  const auto line_at = [&](float y) {
    const float line = std::floor((y - top) / line_height_);
    return static_cast<size_t>(
        std::clamp(line, 0.0f, static_cast<float>(layout_.lines().size() - 1)));
  };
  return {line_at(clip.y), line_at(clip.w) + 1};
}

void EditorView::draw_range(Ui&, ImVec2 origin, Range range, ImU32 color, float top, float bottom) {
  if (range.empty()) return;
  const auto [first, last] = seen_lines(origin.y);
  for (size_t i = first; i < last; ++i) {
    const float y = origin.y + static_cast<float>(i) * line_height_;
    for (const Stretch& span : layout_.spans(i, range))
      ImGui::GetWindowDrawList()->AddRectFilled({origin.x + span.left, y + top},
                                                {origin.x + span.right, y + bottom}, color);
  }
}

void EditorView::draw_text(Ui& ui, const EditorModel& editor, ImVec2 origin) {
  const std::vector<Range>& masks = editor.masks();
  const Range selected = editor.selection().range();
  const auto left = [&](size_t line, Range part) {
    return origin.x + layout_.spans(line, part).front().left;
  };
  const auto [first, last] = seen_lines(origin.y);
  for (size_t i = first; i < last; ++i) {
    const Range line = layout_.lines()[i].range;
    const float y = origin.y + static_cast<float>(i) * line_height_;
    size_t mask = static_cast<size_t>(
        std::lower_bound(masks.begin(), masks.end(), line.begin,
                         [](const Range& one, size_t begin) { return one.begin < begin; }) -
        masks.begin());
    for (size_t at = line.begin; at < line.end;) {
      if (mask < masks.size() && masks[mask].begin == at) {
        const bool inside = at >= selected.begin && masks[mask].end <= selected.end;
        draw_chip(ui, {left(i, masks[mask]), y}, mask + 1, inside && !selected.empty());
        at = masks[mask++].end;
        continue;
      }
      const size_t end = mask < masks.size() ? std::min(line.end, masks[mask].begin) : line.end;
      ui.draw_text({left(i, {at, end}), y}, look_.size, ui.colors().text,
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
