#include "state/messages.h"

#include "state/settings.h"

namespace minibert::page {
namespace {

std::optional<ModelView> model(const Json& json) {
  ModelView out;
  read(json, "id", &out.id);
  read(json, "name", &out.name);
  out.shown = {out.name, out.name};
  read(json, "shown", &out.shown);
  read(json, "task", &out.task);
  std::string name;
  read(json, "state", &name);
  const auto state = find_named<ModelState>(kModelStateNames, name);
  if (!state) return std::nullopt;
  out.state = *state;
  read(json, "progress", &out.progress);
  read(json, "error", &out.error);
  read(json, "bytes", &out.bytes);
  read(json, "shape", &out.shape);
  const auto flag = [&](const char* name) {
    const auto found = json.find(name);
    return found != json.end() && found->is_boolean() && found->get<bool>();
  };
  out.teaching = flag("teaching");
  out.series = flag("series");
  if (const auto card = json.find("card"); card != json.end() && card->is_array())
    for (const Json& figure : *card) {
      Figure& one = out.card.emplace_back();
      read(figure, "name", &one.name);
      read(figure, "heading", &one.heading);
      read(figure, "split", &one.split);
      read(figure, "decimals", &one.decimals);
      read(figure, "value", &one.value);
    }
  std::vector<std::vector<std::string>> facts;
  read(json, "facts", &facts);
  for (const std::vector<std::string>& fact : facts)
    if (fact.size() == 2) out.facts.emplace_back(fact[0], fact[1]);
  return out;
}

}  // namespace

float AttentionView::at(int layer, int head, int from, int to) const {
  const size_t n = tokens.size();
  const auto one = [&](int h) {
    const size_t matrix = static_cast<size_t>(layer - local_layers) * heads + h;
    return weights[(matrix * n + from) * n + to];
  };
  if (head != kMeanHead) return one(head);
  float sum = 0;
  for (int h = 0; h < heads; ++h) sum += one(h);
  return sum / static_cast<float>(heads);
}

std::optional<Message> read_message(std::string_view json) {
  Json object = Json::parse(json, nullptr, false);
  if (!object.is_object()) return std::nullopt;
  Message out;
  read(object, "model", &out.model);
  read(object, "revision", &out.revision);
  read(object, "error", &out.error);
  if (const auto found = object.find("answers"); found != object.end() && found->is_array())
    for (Json& answer : *found) out.answers.push_back(std::move(answer));
  return out;
}

std::optional<std::vector<ModelView>> read_models(std::string_view json) {
  const Json array = Json::parse(json, nullptr, false);
  if (!array.is_array()) return std::nullopt;
  std::vector<ModelView> out;
  for (const Json& entry : array) {
    auto read = entry.is_object() ? model(entry) : std::nullopt;
    if (!read) return std::nullopt;
    out.push_back(std::move(*read));
  }
  return out;
}

std::optional<AttentionView> read_attention(std::string_view json, std::span<const float> weights) {
  const Json object = Json::parse(json, nullptr, false);
  if (!object.is_object()) return std::nullopt;
  AttentionView out;
  read(object, "tokens", &out.tokens);
  read(object, "layers", &out.layers);
  read(object, "local_layers", &out.local_layers);
  read(object, "heads", &out.heads);
  out.weights.assign(weights.begin(), weights.end());
  const size_t n = out.tokens.size();
  if (n == 0 || out.local_layers > out.layers || out.heads < 0 ||
      weights.size() != static_cast<size_t>(out.layers - out.local_layers) * out.heads * n * n)
    return std::nullopt;
  return out;
}

std::optional<Bilingual> read_bilingual(std::string_view json) {
  const Json object = Json::parse(json, nullptr, false);
  if (!object.is_object()) return std::nullopt;
  Bilingual out;
  read(object, &out);
  return out;
}

}  // namespace minibert::page
