#include "model/model_config.h"

#include <algorithm>
#include <vector>

namespace minibert {
namespace {

std::vector<ModelKind>& kinds() {
  static std::vector<ModelKind> all = {model_kind<BertConfig>(), model_kind<LstmConfig>(),
                                       model_kind<LstmConfig>("lstm_qa"), model_kind<BagConfig>()};
  return all;
}

}  // namespace

std::optional<ModelConfig> ModelConfig::with_segments(int64_t segments) const {
  ModelConfig out = *this;
  out.held_ = held_->with(segments);
  return out.held_ ? std::optional(std::move(out)) : std::nullopt;
}

nlohmann::json ModelConfig::to_json() const {
  nlohmann::json json = {{"kind", kind_}, {"vocab_size", vocab_size()}};
  held_->write(&json);
  return json;
}

AddedModelKind::AddedModelKind(ModelKind kind) { kinds().push_back(std::move(kind)); }
AddedModelKind::~AddedModelKind() { kinds().pop_back(); }

std::vector<KeySection> model_kind_sections() {
  std::vector<KeySection> sections;
  for (const ModelKind& kind : kinds())
    if (kind.section != nullptr) sections.push_back(kind.section());
  return sections;
}

ModelConfig read_model_config(ConfigReader& reader, int64_t vocab_size) {
  std::vector<std::string> names;
  for (const ModelKind& kind : kinds()) names.push_back(kind.name);
  const std::string name = reader.choice("kind", names);
  return std::ranges::find(kinds(), name, &ModelKind::name)->read(reader, vocab_size, name);
}

ModelConfig model_config_from_json(const nlohmann::json& json, const std::string& file) {
  ConfigReader reader(json, file, "model");
  const int64_t vocab_size = reader.integer("vocab_size", kSmallestVocabulary, 65535);
  return read_model_config(reader, vocab_size);
}

}  // namespace minibert
