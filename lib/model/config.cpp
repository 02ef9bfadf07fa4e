#include "model/config.h"

#include <algorithm>

#include "model/config_fields.h"

namespace minibert {
namespace {

// Checks constraints between several keys.
void check_combinations(const ConfigReader& reader, const BertConfig& bert) {
  if (bert.d_model % bert.n_heads != 0)
    reader.fail("n_heads", "found " + std::to_string(bert.n_heads) +
                               ", expected a divisor of d_model " + std::to_string(bert.d_model));
  if (bert.embedding_size != bert.d_model && !bert.mlm_transform)
    reader.fail("mlm_transform", "found false, expected true where embedding_size is not d_model");
  if (bert.position == "relative" && bert.position_init != "normal")
    reader.fail("position_init", "found \"" + bert.position_init +
                                     "\", expected \"normal\" with position \"relative\"");
  if (bert.attention_init == "relative" && bert.position == "table" &&
      bert.position_init != "sinusoidal")
    reader.fail("attention_init",
                "found \"relative\", expected position_init \"sinusoidal\" with it");
  if (bert.position_init == "sinusoidal" && bert.embedding_size < 2)
    reader.fail("embedding_size", "found 1, expected at least 2 with position_init \"sinusoidal\"");
  if (bert.attention_init == "relative" && bert.position == "table" &&
      bert.d_model / bert.n_heads < 2)
    reader.fail("n_heads", "found " + std::to_string(bert.n_heads) +
                               ", expected heads of a width of at least 2 with attention_init "
                               "\"relative\"");
  if (bert.attention_init == "relative" && bert.local_layers > 0)
    reader.fail("attention_init", "found \"relative\", expected \"normal\" after local layers");
  if (bert.ffn == "geglu" && bert.activation != "gelu_tanh")
    reader.fail("activation",
                "found \"" + bert.activation + "\", expected \"gelu_tanh\" with ffn \"geglu\"");
  // A convolution reads the pieces that follow.
  if (bert.causal && (bert.local_layers > 0 || bert.conv > 0))
    reader.fail("causal", "found true, expected false with local_layers or conv");
  if (bert.causal && bert.mlm_context > 0)
    reader.fail("mlm_context", "found " + std::to_string(bert.mlm_context) +
                                   ", expected 0 with causal: a bonus shows the pieces to come");
  if (bert.weight_init == "pytorch" &&
      (bert.position_init != "normal" || bert.attention_init != "normal"))
    reader.fail("weight_init",
                "found \"pytorch\", expected \"normal\" with another position_init or "
                "attention_init");
}

}  // namespace

int64_t stored_layers(const BertConfig& config) {
  return config.share_layers ? std::min(config.local_layers + 1, config.n_layers) : config.n_layers;
}

void read_keys(ConfigReader& reader, BertConfig* config) {
  read_fields(reader, *config);
  check_combinations(reader, *config);
}
void read_keys(ConfigReader& reader, LstmConfig* config) { read_fields(reader, *config); }
void read_keys(ConfigReader& reader, BagConfig* config) { read_fields(reader, *config); }

void write_keys(const BertConfig& config, nlohmann::json* json) {
  json->update(written_fields(config));
}
void write_keys(const LstmConfig& config, nlohmann::json* json) {
  json->update(written_fields(config));
}
void write_keys(const BagConfig& config, nlohmann::json* json) {
  json->update(written_fields(config));
}

int64_t max_positions(const BertConfig& config) { return config.max_positions; }
int64_t max_positions(const LstmConfig&) { return INT64_MAX; }
int64_t max_positions(const BagConfig&) { return INT64_MAX; }

bool set_segments(BertConfig* config, int64_t segments) {
  config->segments = segments;
  return true;
}

bool set_segments(LstmConfig* config, int64_t segments) {
  config->segments = segments;
  return true;
}

bool set_segments(BagConfig*, int64_t) { return false; }

KeySection key_section(const BertConfig& defaults) {
  return {"`arms[].model`: BERT", "`\"kind\": \"bert\"`", listed_fields(defaults)};
}
KeySection key_section(const LstmConfig& defaults) {
  return {"`arms[].model`: LSTM", "`\"kind\": \"lstm\"`, two layers that read from left to right.",
          listed_fields(defaults)};
}
KeySection key_section(const BagConfig& defaults) {
  return {"`arms[].model`: bag",
          "`\"kind\": \"bag\"`, a logistic regression on the pieces of a text.",
          listed_fields(defaults)};
}

nlohmann::json to_json(const BertConfig& config) {
  nlohmann::json json = {{"kind", BertConfig::kKind}, {"vocab_size", config.vocab_size}};
  write_keys(config, &json);
  return json;
}

BertConfig bert_from_json(const nlohmann::json& json, const std::string& file) {
  ConfigReader reader(json, file, "model");
  reader.choice("kind", {BertConfig::kKind});
  BertConfig config;
  config.vocab_size = reader.integer("vocab_size", kSmallestVocabulary, 65535);
  read_keys(reader, &config);
  return config;
}

}  // namespace minibert
