#include "rules/intervention.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace minibert {
namespace {

// A decimal number from `least` on, of at most six digits.
std::optional<int32_t> count(std::string_view text, int32_t least) {
  int32_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (text.size() > 6 || error != std::errc() || stop != end || value < least) return std::nullopt;
  return value;
}

// Two numbers around a sign.
std::optional<std::pair<int32_t, int32_t>> pair_of(std::string_view text, char sign,
                                                   int32_t least) {
  const size_t at = text.find(sign);
  if (at == std::string_view::npos) return std::nullopt;
  const auto first = count(text.substr(0, at), least), second = count(text.substr(at + 1), least);
  if (!first || !second) return std::nullopt;
  return std::pair{*first, *second};
}

// Calls read(part) for each part between commas, as long as that is true.
template <class Read>
bool all_of(std::string_view list, Read&& read) {
  while (!list.empty()) {
    const size_t end = list.find(',');
    if (!read(list.substr(0, end))) return false;
    list = end == std::string_view::npos ? std::string_view() : list.substr(end + 1);
  }
  return true;
}

std::string range(int32_t first, int32_t last) {
  return std::to_string(first) + " to " + std::to_string(last);
}

}  // namespace

bool Intervention::layer_is_off(int32_t layer) const {
  return std::find(layers.begin(), layers.end(), layer) != layers.end();
}

std::string misfit(const Intervention& what, const LayersAndHeads& model) {
  for (const int32_t layer : what.layers)
    if (layer < 0 || layer >= model.layers)
      return "found layer " + std::to_string(layer + 1) + ", the model has layers " +
             range(1, model.layers);
  for (const Intervention::Head& one : what.heads) {
    if (one.layer >= model.local_layers && one.layer < model.layers && one.head >= 0 &&
        one.head < model.heads)
      continue;
    const std::string found = "found head " + std::to_string(one.layer + 1) + "." +
                              std::to_string(one.head + 1) + ", the model has ";
    if (model.local_layers >= model.layers) return found + "no heads";
    return found + "heads " + range(1, model.heads) + " in layers " +
           range(model.local_layers + 1, model.layers);
  }
  return "";
}

std::string misfit(const Swap& swap, const LayersAndHeads& model) {
  if (swap.empty() || (swap.stage >= 0 && swap.stage <= model.layers)) return "";
  return "found layer " + std::to_string(swap.stage) + " to take states from, expected " +
         range(0, model.layers) + " (0: what enters layer 1)";
}

std::string resolve(const Swap& swap, int32_t from, int32_t to,
                    std::vector<std::pair<int32_t, int32_t>>* moves) {
  *moves = swap.moves;
  if (swap.moves.empty() && from != to)
    return "the other text has " + std::to_string(from) + " pieces and this one " +
           std::to_string(to) + ": expected as many, or positions";
  for (int32_t i = 0; i < to && swap.moves.empty(); ++i) moves->emplace_back(i, i);
  for (const auto& [source, target] : *moves) {
    if (source < 0 || source >= from)
      return "found position " + std::to_string(source) + " of the other text, expected " +
             range(0, from - 1);
    if (target < 0 || target >= to)
      return "found position " + std::to_string(target) + ", expected " + range(0, to - 1);
  }
  return "";
}

bool read_layer(std::string_view text, Intervention* what) {
  const auto layer = count(text, 1);
  if (layer) what->layers.push_back(*layer - 1);
  return layer.has_value();
}

bool read_head(std::string_view text, Intervention* what) {
  const auto head = pair_of(text, '.', 1);
  if (head) what->heads.push_back({head->first - 1, head->second - 1});
  return head.has_value();
}

bool read_move(std::string_view text, Swap* swap) {
  const auto same = count(text, 0);
  const auto move = same ? std::optional(std::pair{*same, *same}) : pair_of(text, ':', 0);
  if (move) swap->moves.push_back(*move);
  return move.has_value();
}

bool read_parts(std::string_view list, Intervention* what) {
  Intervention read = *what;
  if (!all_of(list, [&](std::string_view part) {
        return read_layer(part, &read) || read_head(part, &read);
      }))
    return false;
  *what = std::move(read);
  return true;
}

bool read_moves(std::string_view list, Swap* swap) {
  Swap read = *swap;
  if (!all_of(list, [&](std::string_view part) { return read_move(part, &read); })) return false;
  *swap = std::move(read);
  return true;
}

std::string written(const Intervention& what) {
  std::string list;
  const auto add = [&](const std::string& part) { list += (list.empty() ? "" : ",") + part; };
  for (const int32_t layer : what.layers) add(std::to_string(layer + 1));
  for (const auto& [layer, head] : what.heads)
    add(std::to_string(layer + 1) + "." + std::to_string(head + 1));
  return list;
}

}  // namespace minibert
