#include "state/messages.h"

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
  out.large = flag("large");
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

std::string ModelView::fact(std::string_view key) const {
  for (const auto& [name, value] : facts)
    if (name == key) return value;
  return {};
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

std::optional<Bilingual> read_bilingual(std::string_view json) {
  const Json object = Json::parse(json, nullptr, false);
  if (!object.is_object()) return std::nullopt;
  Bilingual out;
  read(object, &out);
  return out;
}

}  // namespace minibert::page
