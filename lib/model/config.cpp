#include "model/config.h"

#include <algorithm>

namespace minibert {
namespace {

constexpr int64_t kMostSegments = 4;

// A convolution has a middle.
int64_t read_taps(ConfigReader& reader, const std::string& key, int64_t min, int64_t otherwise) {
  const int64_t taps = reader.integer(key, min, 31, otherwise);
  if (taps != 0 && taps % 2 == 0)
    reader.fail(key, "found " + std::to_string(taps) + ", expected an odd number" +
                         (min == 0 ? " or 0" : ""));
  return taps;
}

// What no key forbids alone.
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
  BertConfig& bert = *config;
  bert.d_model = reader.integer("d_model", 1, 8192, bert.d_model);
  bert.n_heads = reader.integer("n_heads", 1, 256, bert.n_heads);
  bert.d_ff = reader.integer("d_ff", 1, 65536, bert.d_ff);
  bert.n_layers = reader.integer("n_layers", 1, 96, bert.n_layers);
  bert.max_positions = reader.integer("max_positions", 8, 4096, bert.max_positions);
  bert.segments = reader.integer("segments", 2, kMostSegments, bert.segments);
  bert.embedding_size = reader.integer("embedding_size", 1, 8192, bert.d_model);
  bert.share_layers = reader.boolean("share_layers", bert.share_layers);
  bert.norm = reader.choice("norm", {"post", "pre"}, bert.norm);
  bert.position = reader.choice("position", {"table", "relative"}, bert.position);
  bert.local_layers = reader.integer("local_layers", 0, bert.n_layers, bert.local_layers);
  bert.local_taps = read_taps(reader, "local_taps", 1, bert.local_taps);
  bert.conv = read_taps(reader, "conv", 0, bert.conv);
  bert.ffn = reader.choice("ffn", {"gelu", "geglu"}, bert.ffn);
  bert.activation = reader.choice("activation", {"gelu_tanh", "gelu", "relu"}, bert.activation);
  bert.head_gate = reader.boolean("head_gate", bert.head_gate);
  bert.causal = reader.boolean("causal", bert.causal);
  bert.embedding_norm = reader.boolean("embedding_norm", bert.embedding_norm);
  bert.layer_norm_eps = reader.number("layer_norm_eps", 1e-12, 1, bert.layer_norm_eps);
  bert.dropout = reader.number("dropout", 0, 0.9, bert.dropout);
  bert.attention_dropout = reader.number("attention_dropout", 0, 0.9, bert.attention_dropout);
  bert.mlm_transform = reader.boolean("mlm_transform", bert.embedding_size != bert.d_model);
  bert.mlm_bias = reader.boolean("mlm_bias", bert.mlm_bias);
  bert.mlm_context = reader.integer("mlm_context", 0, 64, bert.mlm_context);
  bert.mlm_tied = reader.boolean("mlm_tied", bert.mlm_tied);
  bert.pooler = reader.boolean("pooler", bert.pooler);
  bert.nsp_bias = reader.boolean("nsp_bias", bert.nsp_bias);
  bert.weight_init = reader.choice("weight_init", {"normal", "pytorch"}, bert.weight_init);
  bert.init_std = reader.number("init_std", 1e-6, 1, bert.init_std);
  bert.position_init = reader.choice("position_init", {"normal", "sinusoidal"}, bert.position_init);
  bert.attention_init =
      reader.choice("attention_init", {"normal", "relative"}, bert.attention_init);
  check_combinations(reader, bert);
}

void read_keys(ConfigReader& reader, LstmConfig* config) {
  config->d_model = reader.integer("d_model", 1, 8192, config->d_model);
  config->segments = reader.integer("segments", 2, kMostSegments, config->segments);
}

void read_keys(ConfigReader& reader, BagConfig* config) {
  config->d_model = reader.integer("d_model", 1, 8192, config->d_model);
}

void write_keys(const BertConfig& bert, nlohmann::json* json) {
  json->update({{"d_model", bert.d_model},
                {"n_heads", bert.n_heads},
                {"d_ff", bert.d_ff},
                {"n_layers", bert.n_layers},
                {"max_positions", bert.max_positions},
                {"segments", bert.segments},
                {"embedding_size", bert.embedding_size},
                {"share_layers", bert.share_layers},
                {"norm", bert.norm},
                {"position", bert.position},
                {"local_layers", bert.local_layers},
                {"local_taps", bert.local_taps},
                {"conv", bert.conv},
                {"ffn", bert.ffn},
                {"activation", bert.activation},
                {"head_gate", bert.head_gate},
                {"causal", bert.causal},
                {"embedding_norm", bert.embedding_norm},
                {"layer_norm_eps", bert.layer_norm_eps},
                {"dropout", bert.dropout},
                {"attention_dropout", bert.attention_dropout},
                {"mlm_transform", bert.mlm_transform},
                {"mlm_bias", bert.mlm_bias},
                {"mlm_context", bert.mlm_context},
                {"mlm_tied", bert.mlm_tied},
                {"pooler", bert.pooler},
                {"nsp_bias", bert.nsp_bias},
                {"weight_init", bert.weight_init},
                {"init_std", bert.init_std},
                {"position_init", bert.position_init},
                {"attention_init", bert.attention_init}});
}

void write_keys(const LstmConfig& config, nlohmann::json* json) {
  (*json)["d_model"] = config.d_model;
  (*json)["segments"] = config.segments;
}

void write_keys(const BagConfig& config, nlohmann::json* json) {
  (*json)["d_model"] = config.d_model;
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
