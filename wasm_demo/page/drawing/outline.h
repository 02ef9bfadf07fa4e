// The page as a list of controls and texts in reading order, for users who do not see the canvas or
// do not point at it: web/mirror.js makes an HTML element of each. Filled again in every frame.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "words/names.h"

namespace minibert::page {

// A place on the canvas, in CSS pixels.
struct Box {
  float x = 0, y = 0, width = 0, height = 0;
  bool operator==(const Box&) const = default;
};

// Roles, named as in web/mirror.js:
// * region, group and list contain the following nodes of greater depth; arrow keys walk a list's
//   buttons.
// * title is the page's heading, heading a region's.
// * toggle is a button that stays pressed (`on`).
// * select is one of `cells` (`chosen`), slider a number (`scale`).
// * editor is a text element, with its view as JSON in its one cell (frame/page_cards.cpp); `on`:
//   it is being edited.
// * table has `cells` row by row, `columns` in each; the first row and each row's first cell are
//   headings.
#define MINIBERT_ROLES(ROLE) \
  ROLE(region)               \
  ROLE(group)                \
  ROLE(list)                 \
  ROLE(title)                \
  ROLE(heading)              \
  ROLE(text) ROLE(button) ROLE(toggle) ROLE(select) ROLE(slider) ROLE(editor) ROLE(table)
MINIBERT_NAMED(Role, MINIBERT_ROLES)

// A slider's range and value.
struct Scale {
  double low = 0, high = 0, step = 0;
  double value = 0;
  std::string shown;  // the value as people read it
  bool operator==(const Scale&) const = default;
};

struct OutlineNode {
  Role role = Role::text;
  std::string name;  // unique; activates a control
  std::string label;
  int depth = 0;
  bool enabled = true;
  bool on = false;
  Box box;
  std::vector<std::string> cells;
  int chosen = -1;
  int columns = 0;
  Scale scale;
  float part = -1;  // length of a button's bar, 0 to 1; −1: no bar
  bool operator==(const OutlineNode&) const = default;
};

class Outline {
 public:
  void clear();
  OutlineNode& add(Role role, std::string_view name, std::string_view label, Box box = {});
  // Begins a region, group or list; the following nodes are inside until end().
  void begin(Role role, std::string_view name, std::string_view label);
  void end() { --depth_; }
  void place(size_t node, const Box& box) { nodes_[node].box = box; }
  const std::vector<OutlineNode>& nodes() const { return nodes_; }
  bool has(std::string_view name) const;
  // [{"role", "name", "label", "depth", "enabled", "on", "box": [x, y, width, height], …}]
  std::string json() const;

 private:
  std::vector<OutlineNode> nodes_;
  int depth_ = 0;
};

}  // namespace minibert::page
