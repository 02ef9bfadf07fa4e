// JSON to structs, without exceptions: a message of another form is an empty result.
#include "state/messages.h"

#include <nlohmann/json.hpp>

namespace minibert::page {
namespace {

using Json = nlohmann::json;

std::string text(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

double number(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number() ? found->get<double>() : 0.0;
}

const Json& list(const Json& object, const char* key) {
  static const Json kEmpty = Json::array();
  const auto found = object.find(key);
  return found != object.end() && found->is_array() ? *found : kEmpty;
}

// {"ko": …, "en": …}
Bilingual bilingual(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_object()) return {};
  return {text(*found, "ko"), text(*found, "en")};
}

std::vector<TokenView> tokens(const Json& array) {
  std::vector<TokenView> out;
  for (const Json& token : array)
    if (token.is_object())
      out.push_back({text(token, "piece"), static_cast<int>(number(token, "id")),
                     static_cast<int>(number(token, "begin")),
                     static_cast<int>(number(token, "end"))});
  return out;
}

MaskView mask(const Json& object) {
  MaskView out;
  out.position = static_cast<int>(number(object, "position"));
  for (const Json& guess : list(object, "guesses"))
    if (guess.is_object())
      out.guesses.push_back({text(guess, "text"), text(guess, "piece"),
                             static_cast<int>(number(guess, "id")),
                             static_cast<float>(number(guess, "probability"))});
  return out;
}

double total_ms(const Json& object) {
  const auto timing = object.find("timing");
  if (timing == object.end() || !timing->is_object()) return 0;
  return number(*timing, "tokenize_ms") + number(*timing, "encoder_ms") +
         number(*timing, "output_ms");
}

void read_common(const Json& object, ReadView* out) {
  out->model = text(object, "model");
  out->revision = static_cast<uint64_t>(number(object, "revision"));
  out->error = bilingual(object, "error");
  out->pieces = static_cast<int>(number(object, "pieces"));
  out->read = static_cast<int>(number(object, "read"));
  out->total_ms = total_ms(object);
  out->kernel = text(object, "kernel");
}

ModelState state(const std::string& name) {
  if (name == "loading") return ModelState::loading;
  if (name == "ready") return ModelState::ready;
  if (name == "failed") return ModelState::failed;
  return ModelState::available;
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

std::optional<FillView> read_fill(std::string_view json) {
  const Json object = Json::parse(json, nullptr, false);
  if (!object.is_object()) return std::nullopt;
  FillView out;
  out.model = text(object, "model");
  out.revision = static_cast<uint64_t>(number(object, "revision"));
  out.error = bilingual(object, "error");
  out.tokens = tokens(list(object, "tokens"));
  for (const Json& entry : list(object, "masks"))
    if (entry.is_object()) out.masks.push_back(mask(entry));
  const auto timing = object.find("timing");
  if (timing != object.end() && timing->is_object()) {
    out.tokenize_ms = number(*timing, "tokenize_ms");
    out.encoder_ms = number(*timing, "encoder_ms");
    out.output_ms = number(*timing, "output_ms");
  }
  out.kernel = text(object, "kernel");
  return out;
}

std::optional<AnswersView> read_answers(std::string_view json) {
  const Json object = Json::parse(json, nullptr, false);
  if (!object.is_object()) return std::nullopt;
  AnswersView out;
  out.model = text(object, "model");
  out.revision = static_cast<uint64_t>(number(object, "revision"));
  out.error = bilingual(object, "error");
  for (const Json& answer : list(object, "answers"))
    if (answer.is_object())
      out.answers.push_back({text(answer, "text"), static_cast<int>(number(answer, "begin")),
                             static_cast<int>(number(answer, "end")),
                             static_cast<float>(number(answer, "probability"))});
  out.total_ms = total_ms(object);
  out.kernel = text(object, "kernel");
  return out;
}

std::optional<LabelsView> read_labels(std::string_view json) {
  const Json object = Json::parse(json, nullptr, false);
  if (!object.is_object()) return std::nullopt;
  LabelsView out;
  read_common(object, &out);
  for (const Json& label : list(object, "labels"))
    if (label.is_object())
      out.labels.push_back(
          {text(label, "label"), static_cast<float>(number(label, "probability"))});
  for (const Json& word : list(object, "words"))
    if (word.is_object())
      out.words.push_back({static_cast<int>(number(word, "begin")),
                           static_cast<int>(number(word, "end")),
                           static_cast<float>(number(word, "probability"))});
  out.weighed = !out.words.empty();
  return out;
}

std::optional<NamesView> read_names(std::string_view json) {
  const Json object = Json::parse(json, nullptr, false);
  if (!object.is_object()) return std::nullopt;
  NamesView out;
  read_common(object, &out);
  for (const Json& entity : list(object, "entities"))
    if (entity.is_object())
      out.entities.push_back({text(entity, "type"), text(entity, "text"),
                              static_cast<int>(number(entity, "begin")),
                              static_cast<int>(number(entity, "end")),
                              static_cast<float>(number(entity, "probability"))});
  return out;
}

std::optional<LeftOutView> read_left_out(std::string_view json) {
  const Json object = Json::parse(json, nullptr, false);
  if (!object.is_object()) return std::nullopt;
  LeftOutView out;
  out.revision = static_cast<uint64_t>(number(object, "revision"));
  out.answer = text(object, "answer");
  out.probability = static_cast<float>(number(object, "probability"));
  for (const Json& row : list(object, "rows"))
    if (row.is_object())
      out.rows.push_back(
          {text(row, "word"), text(row, "answer"), static_cast<float>(number(row, "probability"))});
  return out;
}

std::optional<std::vector<ModelView>> read_models(std::string_view json) {
  const Json array = Json::parse(json, nullptr, false);
  if (!array.is_array()) return std::nullopt;
  std::vector<ModelView> out;
  for (const Json& entry : array) {
    if (!entry.is_object()) return std::nullopt;
    ModelView model;
    model.id = text(entry, "id");
    model.name = text(entry, "name");
    for (int task = 0; task < static_cast<int>(Task::count); ++task)
      if (text(entry, "task") == task_name(static_cast<Task>(task)))
        model.task = static_cast<Task>(task);
    model.state = state(text(entry, "state"));
    model.progress = number(entry, "progress");
    model.error = bilingual(entry, "error");
    for (const Json& fact : list(entry, "facts"))
      if (fact.is_array() && fact.size() == 2 && fact[0].is_string() && fact[1].is_string())
        model.facts.emplace_back(fact[0].get<std::string>(), fact[1].get<std::string>());
    out.push_back(std::move(model));
  }
  return out;
}

std::optional<Bilingual> read_bilingual(std::string_view json) {
  const Json object = Json::parse(json, nullptr, false);
  if (!object.is_object()) return std::nullopt;
  return Bilingual{text(object, "ko"), text(object, "en")};
}

std::optional<std::vector<TokenView>> read_tokens(std::string_view json) {
  const Json array = Json::parse(json, nullptr, false);
  if (!array.is_array()) return std::nullopt;
  return tokens(array);
}

}  // namespace minibert::page
