#include "checkpoint/huggingface_config.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/config_reader.h"
#include "core/error.h"
#include "model/marked_keys.h"

namespace minibert {
namespace {

using nlohmann::json;

constexpr int64_t kMostRows = 65535;  // pieces that a tokenizer may have
constexpr int64_t kFewestPositions = 8;

// Our names of activations and theirs; the first of two is written.
constexpr std::array<std::pair<const char*, const char*>, 4> kActivations = {
    {{"gelu", "gelu"},
     {"gelu_tanh", "gelu_new"},
     {"gelu_tanh", "gelu_pytorch_tanh"},
     {"relu", "relu"}}};

// A kind's names of its sizes.
struct SizeNames {
  const char *width = "hidden_size", *heads = "num_attention_heads", *layers = "num_hidden_layers",
             *inner = "intermediate_size", *activation = "hidden_act",
             *dropout = "hidden_dropout_prob", *attention_dropout = "attention_probs_dropout_prob";
};

SizeNames size_names(const HuggingfaceTables& tables) {
  if (!tables.is("distilbert")) return {};
  return {"dim", "n_heads", "n_layers", "hidden_dim", "activation", "dropout", "attention_dropout"};
}

// transformers writes null for unset keys.
json without_nulls(const json& given) {
  if (!given.is_object()) return given;
  json out = json::object();
  for (const auto& [key, value] : given.items())
    if (!value.is_null()) out[key] = value;
  return out;
}

std::string our_activation(ConfigReader& reader, const char* key) {
  const std::string given =
      reader.choice(key, {"gelu", "gelu_new", "gelu_pytorch_tanh", "relu"}, "gelu");
  for (const auto& [ours, theirs] : kActivations)
    if (given == theirs) return ours;
  return given;
}

std::string their_activation(const std::string& given) {
  for (const auto& [ours, theirs] : kActivations)
    if (given == ours) return theirs;
  return given;
}

const HuggingfaceKind* kind_of(ConfigReader& reader) {
  std::vector<std::string> names;
  for (const HuggingfaceKind& kind : kHuggingfaceKinds) names.emplace_back(kind.type);
  const std::string given = reader.choice("model_type", names);
  return std::ranges::find(kHuggingfaceKinds, given, &HuggingfaceKind::type);
}

}  // namespace

HuggingfaceModel read_huggingface_config(const std::string& path, const json& given) {
  const json set = without_nulls(given);
  ConfigReader reader(set, path);
  HuggingfaceModel out;
  out.tables.kind = kind_of(reader);
  // Settings that change the computation; our BERT has only these values.
  reader.choice("position_embedding_type", {"absolute"}, "absolute");
  for (const char* key : {"is_decoder", "add_cross_attention"})
    if (reader.boolean(key, false)) reader.fail(key, "found true, expected false");
  BertConfig& config = out.config;
  const SizeNames names = size_names(out.tables);
  out.tables.rows = config.vocab_size =
      reader.integer("vocab_size", kSmallestVocabulary, kMostRows);
  config.d_model = config.embedding_size = reader.integer(names.width, 1, 8192);
  config.n_heads = reader.integer(names.heads, 1, 256);
  if (config.d_model % config.n_heads != 0)
    reader.fail(names.heads, "found " + std::to_string(config.n_heads) +
                                 ", expected a divisor of " + names.width + " " +
                                 std::to_string(config.d_model));
  config.n_layers = reader.integer(names.layers, 1, 96);
  config.d_ff = reader.integer(names.inner, 1, 65536);
  config.max_positions = reader.integer("max_position_embeddings", kFewestPositions, 4096);
  out.tables.segments =
      out.tables.is("distilbert") ? 0 : reader.integer("type_vocab_size", 1, 4, 2);
  config.segments = std::max<int64_t>(out.tables.segments, 2);
  config.activation = our_activation(reader, names.activation);
  config.layer_norm_eps = reader.number("layer_norm_eps", 1e-12, 1, 1e-12);
  config.dropout = reader.number(names.dropout, 0, 0.9, 0.1);
  config.attention_dropout = reader.number(names.attention_dropout, 0, 0.9, 0.1);
  config.init_std = reader.number("initializer_range", 1e-6, 1, 0.02);
  config.mlm_tied = reader.boolean("tie_word_embeddings", true);
  if (out.tables.is("roberta")) {
    out.tables.first_position = reader.integer("pad_token_id", 0, 8, 1) + 1;
    config.max_positions -= out.tables.first_position;
    if (config.max_positions < kFewestPositions)
      reader.fail("max_position_embeddings",
                  "found " + std::to_string(config.max_positions + out.tables.first_position) +
                      ", expected at least " +
                      std::to_string(kFewestPositions + out.tables.first_position) +
                      " with this pad_token_id");
  }
  if (out.tables.is("electra"))
    config.embedding_size = reader.integer("embedding_size", 1, 8192, config.d_model);
  return out;
}

void check_masked_lm_activation(const std::string& path, const json& given,
                                const HuggingfaceModel& model) {
  const char* head = model.tables.is("roberta")   ? "RoBERTa's masked-LM head"
                     : model.tables.is("electra") ? "ELECTRA's generator head"
                                                  : nullptr;
  if (head == nullptr || model.config.activation == "gelu") return;
  ConfigReader reader(given, path);
  reader.fail("hidden_act", "found " + reader.raw("hidden_act").dump() +
                                ", expected \"gelu\", all that " + head + " has");
}

nlohmann::ordered_json huggingface_config(const BertConfig& config,
                                          const std::string& architecture) {
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
          {"torch_dtype", "float32"}};
}

bool is_huggingface_bert(const BertConfig& config, bool masked_lm) {
  for (const MarkedKey& one : marked_keys(config)) {
    const bool counts = one.mark.of == KeyOf::function || (one.mark.of == KeyOf::head && masked_lm);
    if (counts && !one.mark.plain.is_null() && one.value != one.mark.plain) return false;
  }
  return true;
}

}  // namespace minibert
