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
    read(guess, "logit", &one.logit);
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
  view.convolution = whole(object, "conv");
  view.relative_position = flag(object, "relative_position");
  view.gated_units = flag(object, "geglu");
  view.gated_heads = flag(object, "head_gate");
  view.shared = flag(object, "share_layers");
  view.transform = flag(object, "mlm_transform");
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
    for (const Json& piece : mask.value("shown", Json::array())) {
      ShownPieceView& one = entry.shown.emplace_back();
      minibert::page::read(piece, "text", &one.text);
      minibert::page::read(piece, "added", &one.added);
    }
    const auto fitting = static_cast<size_t>(whole(mask, "fitting"));
    if (at + fitting > numbers.size() || entry.position >= view.size() ||
        entry.stages.size() != static_cast<size_t>(view.layers) + 1)
      return {};
    const auto logits = numbers.subspan(at, fitting);
    entry.logits.assign(logits.begin(), logits.end());
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

std::span<const float> ExplainView::position(int s) const {
  if (relative_position) return {};
  return part(size() * embedding, s, embedding);
}

std::span<const float> ExplainView::state(int stage, int s) const {
  return part(states_begin(), stage * size() + s, width);
}

std::span<const float> ExplainView::units(int layer, int s) const {
  return part(units_begin(), layer * size() + s, feed_forward);
}

std::span<const float> ExplainView::projected(int kind, int layer, int head, int s) const {
  const int rows = (kept(layer) * size() + s) * 3 + kind;
  return part(qkv_begin() + rows * width, head, width / heads);
}

float ExplainView::attention(int layer, int head, int from, int to) const {
  if (head != kMeanHead)
    return part(attention_begin(), (kept(layer) * heads + head) * size() + from,
                size())[static_cast<size_t>(to)];
  float sum = 0;
  for (int h = 0; h < heads; ++h) sum += attention(layer, h, from, to);
  return sum / static_cast<float>(heads);
}

float ExplainView::gate(int layer, int head, int s) const {
  if (!gated_heads) return 1;
  return part(gates_begin(), kept(layer) * size() + s, heads)[static_cast<size_t>(head)];
}

float ExplainView::contribution(int layer, int from, int to) const {
  float own = 0, total = 0;
  const auto add = [&](int token, float added) {
    total += added;
    if (token == to) own += added;
  };
  if (is_local(layer)) {
    for (const NeighbourRow& row : neighbour_rows(layer, from)) add(row.to, row.added);
  } else {
    for (int token = 0; token < size(); ++token) {
      float squares = 0;
      for (int head = 0; head < heads; ++head) {
        const float weight = gate(layer, head, from) * attention(layer, head, from, token);
        const float part = weight * length(projected(2, layer, head, token));
        squares += part * part;
      }
      add(token, std::sqrt(squares));
    }
  }
  return total > 0 ? own / total : 0;
}

std::vector<NeighbourRow> ExplainView::neighbour_rows(int layer, int from) const {
  const std::span<const float> lengths = part(taps_begin(), layer * size() + from, local_taps);
  std::vector<NeighbourRow> rows;
  for (int tap = 0; tap < local_taps; ++tap) {
    const int distance = tap - local_taps / 2, to = from + distance;
    if (to >= 0 && to < size()) rows.push_back({to, distance, lengths[static_cast<size_t>(tap)]});
  }
  return rows;
}

std::vector<HeadRow> ExplainView::head_rows(int layer, int head, int from) const {
  const std::span<const float> query = projected(0, layer, head, from);
  std::vector<HeadRow> rows;
  for (int to = 0; to < size(); ++to) {
    const std::span<const float> key = projected(1, layer, head, to);
    HeadRow row;
    row.to = to;
    row.weight = attention(layer, head, from, to);
    row.value = length(projected(2, layer, head, to));
    if (relative_position)
      row.offset = part(offsets_begin(), kept(layer) * heads + head,
                        distances())[static_cast<size_t>(size() - 1 + to - from)];
    for (size_t i = 0; i < query.size(); ++i) row.product += query[i] * key[i];
    row.scaled = row.product / std::sqrt(static_cast<float>(query.size()));
    rows.push_back(row);
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const HeadRow& a, const HeadRow& b) { return a.weight > b.weight; });
  return rows;
}

std::vector<UnitRow> ExplainView::strongest_units(int layer, int s, size_t count) const {
  const std::span<const float> values = units(layer, s);
  std::vector<UnitRow> rows;
  for (size_t i = 0; i < values.size(); ++i) rows.push_back({static_cast<int>(i), values[i]});
  std::stable_sort(rows.begin(), rows.end(), [](const UnitRow& a, const UnitRow& b) {
    return std::abs(a.value) > std::abs(b.value);
  });
  rows.resize(std::min(rows.size(), count));
  return rows;
}

float probability_at(float logit, std::span<const float> logits, float temperature) {
  double sum = 0;
  for (const float other : logits) sum += std::exp((other - logit) / temperature);
  return static_cast<float>(1 / sum);
}

std::vector<std::string> numbered(std::vector<std::string> names) {
  constexpr std::string_view kRaised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::map<std::string, int> all, seen;
  for (const std::string& name : names) ++all[name];
  for (std::string& name : names) {
    if (all[name] < 2) continue;
    const std::string which = std::to_string(++seen[name]);
    for (const char digit : which) name += kRaised[digit - '0'];
  }
  return names;
}

float length(std::span<const float> vector) {
  float sum = 0;
  for (const float value : vector) sum += value * value;
  return std::sqrt(sum);
}

}  // namespace minibert::page
