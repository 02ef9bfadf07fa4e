#include "drawing/outline.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace minibert::page {
void Outline::clear() {
  nodes_.clear();
  depth_ = 0;
}

OutlineNode& Outline::add(Role role, std::string_view name, std::string_view label, Box box) {
  OutlineNode node;
  node.role = role;
  node.name = name;
  node.label = label;
  node.depth = depth_;
  node.box = box;
  nodes_.push_back(std::move(node));
  return nodes_.back();
}

void Outline::begin(Role role, std::string_view name, std::string_view label) {
  add(role, name, label);
  ++depth_;
}

bool Outline::has(std::string_view name) const {
  return std::any_of(nodes_.begin(), nodes_.end(),
                     [&](const OutlineNode& node) { return node.name == name; });
}

std::string Outline::json() const {
  nlohmann::json array = nlohmann::json::array();
  for (const OutlineNode& node : nodes_) {
    nlohmann::json entry = {{"role", name_of(node.role)},
                            {"name", node.name},
                            {"label", node.label},
                            {"depth", node.depth},
                            {"enabled", node.enabled},
                            {"on", node.on},
                            {"box", {node.box.x, node.box.y, node.box.width, node.box.height}}};
    if (!node.cells.empty())
      entry.update({{"cells", node.cells}, {"chosen", node.chosen}, {"columns", node.columns}});
    if (node.role == Role::slider)
      entry.update({{"low", node.scale.low},
                    {"high", node.scale.high},
                    {"step", node.scale.step},
                    {"value", node.scale.value},
                    {"shown", node.scale.shown}});
    if (node.part >= 0) entry["part"] = node.part;
    array.push_back(std::move(entry));
  }
  return array.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace minibert::page
