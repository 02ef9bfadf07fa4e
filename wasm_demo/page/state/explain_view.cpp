#include "state/explain_view.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "state/settings.h"

namespace minibert::page {
namespace {

int whole(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number_integer() ? found->get<int>() : 0;
}

bool flag(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_boolean() && found->get<bool>();
}

std::vector<StageGuessView> stage(const Json& array) {
  std::vector<StageGuessView> guesses;
  for (const Json& guess : array) {
    StageGuessView& one = guesses.emplace_back();
    read(guess, "text", &one.text);
    read(guess, "probability", &one.probability);
  }
  return guesses;
}

}  // namespace

std::optional<ExplainView> ExplainView::read(std::string_view json,
                                             std::span<const float> numbers) {
  const Json object = Json::parse(json, nullptr, false);
  if (!object.is_object() || !object.contains("tokens") || !object.contains("masks")) return {};
  ExplainView view;
  minibert::page::read(object["tokens"], &view.tokens);
  if (view.tokens.empty()) return {};
  view.layers = whole(object, "layers");
  view.heads = whole(object, "heads");
  view.width = whole(object, "d_model");
  view.feed_forward = whole(object, "d_ff");
  view.embedding = whole(object, "embedding_size");
  view.local_layers = whole(object, "local_layers");
  view.local_taps = whole(object, "local_taps");
  view.relative_position = flag(object, "relative_position");
  view.gated_heads = flag(object, "head_gate");
  if (view.layers < 1 || view.heads < 1 || view.width < 1 || view.feed_forward < 1 ||
      view.embedding < 1 || view.local_layers < 0 || view.local_layers > view.layers ||
      view.local_taps < 0)
    return {};
  auto at = static_cast<size_t>(view.masks_begin());
  for (const Json& mask : object["masks"]) {
    ExplainedMaskView entry;
    entry.position = whole(mask, "position");
    for (const Json& guesses : mask.value("stages", Json::array()))
      entry.stages.push_back(stage(guesses));
    for (const Json& step : mask.value("path", Json::array())) {
      entry.path.push_back({whole(step, "rank"), 0});
      minibert::page::read(step, "probability", &entry.path.back().probability);
    }
    const auto fitting = static_cast<size_t>(whole(mask, "fitting"));
    if (at + fitting > numbers.size() || entry.position >= view.size() ||
        entry.stages.size() != static_cast<size_t>(view.layers) + 1 ||
        entry.path.size() != static_cast<size_t>(2 * view.layers) + 1)
      return {};
    at += fitting;
    view.masks.push_back(std::move(entry));
  }
  if (at != numbers.size()) return {};
  view.numbers_.assign(numbers.begin(), numbers.begin() + view.masks_begin());
  return view;
}

std::span<const float> ExplainView::part(int begin, int index, int length) const {
  return std::span(numbers_).subspan(static_cast<size_t>(begin + index * length),
                                     static_cast<size_t>(length));
}

float ExplainView::attention(int layer, int head, int from, int to) const {
  return part(attention_begin(), (kept(layer) * heads + head) * size() + from,
              size())[static_cast<size_t>(to)];
}

// The length of what the head mixes from a token.
float ExplainView::value_length(int layer, int head, int s) const {
  const int row = (kept(layer) * size() + s) * 3 + 2;  // query, key, value
  float squares = 0;
  for (const float value : part(qkv_begin() + row * width, head, width / heads))
    squares += value * value;
  return std::sqrt(squares);
}

float ExplainView::contribution(int layer, int head, int from, int to) const {
  if (!is_local(layer) && head != kAllHeads) return attention(layer, head, from, to);
  float own = 0, total = 0;
  const auto add = [&](int token, float added) {
    total += added;
    if (token == to) own += added;
  };
  if (is_local(layer)) {
    const std::span<const float> lengths = part(taps_begin(), layer * size() + from, local_taps);
    for (int tap = 0; tap < local_taps; ++tap)
      if (const int token = from + tap - local_taps / 2; token >= 0 && token < size())
        add(token, lengths[static_cast<size_t>(tap)]);
  } else {
    const std::span<const float> gates =
        gated_heads ? part(gates_begin(), kept(layer) * size() + from, heads)
                    : std::span<const float>();
    for (int token = 0; token < size(); ++token) {
      float squares = 0;
      for (int one = 0; one < heads; ++one) {
        const float gate = gates.empty() ? 1 : gates[static_cast<size_t>(one)];
        const float part =
            gate * attention(layer, one, from, token) * value_length(layer, one, token);
        squares += part * part;
      }
      add(token, std::sqrt(squares));
    }
  }
  return total > 0 ? own / total : 0;
}

std::vector<std::string> numbered(std::vector<std::string> names) {
  std::map<std::string, int> all, seen;
  for (const std::string& name : names) ++all[name];
  for (std::string& name : names) {
    if (all[name] < 2) continue;
    name += "(" + std::to_string(++seen[name]) + ")";
  }
  return names;
}

}  // namespace minibert::page
