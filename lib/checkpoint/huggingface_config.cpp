#include "checkpoint/huggingface_config.h"

#include <array>
#include <utility>

#include "core/config_reader.h"
#include "core/error.h"

namespace minibert {
namespace {

using nlohmann::json;

// Our names of activations and theirs; the first of two is written.
constexpr std::array<std::pair<const char*, const char*>, 4> kActivations = {
    {{"gelu", "gelu"},
     {"gelu_tanh", "gelu_new"},
     {"gelu_tanh", "gelu_pytorch_tanh"},
     {"relu", "relu"}}};

std::string our_activation(ConfigReader& reader) {
  const std::string given =
      reader.choice("hidden_act", {"gelu", "gelu_new", "gelu_pytorch_tanh", "relu"});
  for (const auto& [ours, theirs] : kActivations)
    if (given == theirs) return ours;
  return given;
}

std::string their_activation(const std::string& given) {
  for (const auto& [ours, theirs] : kActivations)
    if (given == ours) return theirs;
  return given;
}

}  // namespace

BertConfig read_huggingface_config(const std::string& path, const json& given) {
  ConfigReader reader(given, path);
  reader.choice("model_type", {"bert"});
  // What would change the computation; our BERT has only these.
  reader.choice("position_embedding_type", {"absolute"}, "absolute");
  for (const char* key : {"is_decoder", "add_cross_attention"})
    if (reader.boolean(key, false)) reader.fail(key, "found true, expected false");
  BertConfig config;
  config.vocab_size = reader.integer("vocab_size", kSmallestVocabulary, 65535);
  config.d_model = config.embedding_size = reader.integer("hidden_size", 1, 8192);
  config.n_heads = reader.integer("num_attention_heads", 1, 256);
  if (config.d_model % config.n_heads != 0)
    reader.fail("num_attention_heads", "found " + std::to_string(config.n_heads) +
                                           ", expected a divisor of hidden_size " +
                                           std::to_string(config.d_model));
  config.n_layers = reader.integer("num_hidden_layers", 1, 96);
  config.d_ff = reader.integer("intermediate_size", 1, 65536);
  config.max_positions = reader.integer("max_position_embeddings", 8, 4096);
  config.segments = reader.integer("type_vocab_size", 2, 4);
  config.activation = our_activation(reader);
  config.layer_norm_eps = reader.number("layer_norm_eps", 1e-12, 1, 1e-12);
  config.dropout = reader.number("hidden_dropout_prob", 0, 0.9, 0.1);
  config.attention_dropout = reader.number("attention_probs_dropout_prob", 0, 0.9, 0.1);
  config.init_std = reader.number("initializer_range", 1e-6, 1, 0.02);
  config.mlm_tied = reader.boolean("tie_word_embeddings", true);
  return config;
}

nlohmann::ordered_json huggingface_config(const BertConfig& config, const std::string& architecture,
                                          SentenceTask task) {
  InstanceSettings instances;
  instances.sentence_task = task;
  return {{"architectures", {architecture}},
          {"model_type", "bert"},
          {"vocab_size", config.vocab_size},
          {"hidden_size", config.d_model},
          {"num_hidden_layers", config.n_layers},
          {"num_attention_heads", config.n_heads},
          {"intermediate_size", config.d_ff},
          {"hidden_act", their_activation(config.activation)},
          {"hidden_dropout_prob", config.dropout},
          {"attention_probs_dropout_prob", config.attention_dropout},
          {"max_position_embeddings", config.max_positions},
          {"type_vocab_size", config.segments},
          {"initializer_range", config.init_std},
          {"layer_norm_eps", config.layer_norm_eps},
          {"pad_token_id", 0},
          {"position_embedding_type", "absolute"},
          {"tie_word_embeddings", config.mlm_tied},
          {kSentenceTaskKey, to_json(instances).at("sentence_task")},
          {"torch_dtype", "float32"}};
}

void check_huggingface_can(const BertConfig& config, const std::string& file) {
  const json found = to_json(config);
  // Of each key the one value that transformers' BERT computes.
  const json expected = {{"norm", "post"},    {"position", "table"},
                         {"local_layers", 0}, {"conv", 0},
                         {"ffn", "gelu"},     {"head_gate", false},
                         {"causal", false},   {"share_layers", false},
                         {"mlm_context", 0},  {"embedding_size", config.d_model}};
  for (const auto& [key, value] : expected.items())
    if (found.at(key) != value)
      throw usage_error(file + ": model." + key + ": found " + found.at(key).dump() +
                        ", expected " + value.dump() + ", all that Hugging Face's BERT has");
}

}  // namespace minibert
