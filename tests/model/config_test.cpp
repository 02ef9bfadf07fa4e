// Model configurations: what is accepted, what each mistake is told.
#include <catch2/catch.hpp>
#include <set>

#include "core/error.h"
#include "model/config_fields.h"
#include "model/marked_keys.h"
#include "model/model_config.h"

namespace minibert {
namespace {

using nlohmann::json;

ModelConfig read(const json& given, int64_t vocab_size = 8007) {
  ConfigReader reader(given, "one.json", "arms[0].model");
  const ModelConfig config = read_model_config(reader, vocab_size);
  reader.finish();
  return config;
}

json bert(const json& changes = json::object()) {
  json out{{"kind", "bert"}};
  out.update(changes);
  return out;
}

BertConfig read_bert(const json& changes) { return *read(bert(changes)).get_if<BertConfig>(); }

// The message of the usage error that reading gives.
std::string mistake(const json& given) {
  try {
    read(given);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("what is not said has the documented defaults") {
  const BertConfig config = read_bert({{"d_model", 64}});
  CHECK(config.vocab_size == 8007);
  CHECK(config.embedding_size == 64);
  CHECK(config.norm == "post");
  CHECK(config.layer_norm_eps == 1e-3);
  CHECK(config.dropout == 0.1);
  CHECK_FALSE(config.mlm_transform);
  CHECK(read_bert({{"embedding_size", 32}}).mlm_transform);
  CHECK(config.activation == "gelu_tanh");
  CHECK(config.attention_dropout == 0);
  CHECK(config.mlm_tied);
  CHECK_FALSE((config.causal || config.pooler || config.nsp_bias));
  CHECK(config.weight_init == "normal");
  CHECK(read({{"kind", "lstm_qa"}}).get_if<LstmConfig>()->d_model == 512);
}

TEST_CASE("a configuration survives being written and read") {
  for (const json& given :
       {bert({{"d_model", 96},
              {"n_heads", 3},
              {"embedding_size", 40},
              {"share_layers", true},
              {"norm", "pre"},
              {"dropout", 0.0},
              {"mlm_bias", true},
              {"init_std", 0.05},
              {"position_init", "sinusoidal"},
              {"attention_init", "relative"}}),
        bert({{"norm", "pre"},
              {"position", "relative"},
              {"n_layers", 4},
              {"local_layers", 2},
              {"conv", 3},
              {"ffn", "geglu"},
              {"head_gate", true}}),
        bert({{"activation", "relu"},
              {"causal", true},
              {"attention_dropout", 0.2},
              {"mlm_tied", false},
              {"pooler", true},
              {"nsp_bias", true},
              {"weight_init", "pytorch"}}),
        json{{"kind", "lstm_qa"}, {"d_model", 77}}, json{{"kind", "bag"}, {"d_model", 5}}}) {
    const json written = to_json(read(given, 1234));
    CHECK(to_json(model_config_from_json(written, "record")) == written);
    for (const auto& [key, value] : given.items()) CHECK(written.at(key) == value);
    CHECK(written.at("vocab_size") == 1234);
  }
}

TEST_CASE("of a record's model the encoder is read and a head's keys are passed over") {
  json stored = to_json(read(bert({{"d_model", 64}})));
  stored["answer_lengths"] = 30;
  stored["labels"] = {"a", "b"};
  const json encoder = to_json(model_config_from_json(stored, "record"));
  CHECK(encoder.at("d_model") == 64);
  CHECK_FALSE(encoder.contains("answer_lengths"));
}

TEST_CASE("keys that the program had are read with the value that it has still, and not written") {
  json stored = to_json(read(bert()));
  const json now = stored;
  stored["embedding_norm"] = true;
  stored["local_taps"] = 7;
  CHECK(to_json(model_config_from_json(stored, "record")) == now);
  CHECK(mistake(bert({{"embedding_norm", false}})) ==
        "one.json: arms[0].model.embedding_norm: found false, expected no such key: it was removed "
        "in 0.2.0 (CHANGELOG.md names what to use instead)");
}

TEST_CASE("every mistake names the file, the key, what was found and what is expected") {
  const std::string at = "one.json: arms[0].model.";
  CHECK(mistake(bert({{"d_model", 100}, {"n_heads", 3}})) ==
        at + "n_heads: found 3, expected a divisor of d_model 100");
  CHECK(mistake(bert({{"embedding_size", 8}, {"mlm_transform", false}})) ==
        at + "mlm_transform: found false, expected true where embedding_size is not d_model");
  CHECK(mistake(bert({{"attention_init", "relative"}})) ==
        at + "attention_init: found \"relative\", expected position_init \"sinusoidal\" with it");
  CHECK(mistake(bert({{"embedding_size", 1}, {"position_init", "sinusoidal"}})) ==
        at + "embedding_size: found 1, expected at least 2 with position_init \"sinusoidal\"");
  CHECK(mistake(bert({{"d_model", 4},
                      {"n_heads", 4},
                      {"position_init", "sinusoidal"},
                      {"attention_init", "relative"}})) ==
        at + "n_heads: found 4, expected heads of a width of at least 2 with attention_init "
             "\"relative\"");
  CHECK(mistake(bert({{"position", "relative"}, {"position_init", "sinusoidal"}})) ==
        at + "position_init: found \"sinusoidal\", expected \"normal\" with position \"relative\"");
  CHECK(mistake(bert(
            {{"position", "relative"}, {"local_layers", 1}, {"attention_init", "relative"}})) ==
        at + "attention_init: found \"relative\", expected \"normal\" after local layers");
  CHECK(mistake(bert({{"ffn", "geglu"}, {"activation", "relu"}})) ==
        at + "activation: found \"relu\", expected \"gelu_tanh\" with ffn \"geglu\"");
  for (const char* looks_ahead : {"conv", "local_layers"})
    CHECK(mistake(bert({{"causal", true}, {looks_ahead, 1}})) ==
          at + "causal: found true, expected false with local_layers or conv");
  CHECK(mistake(bert({{"weight_init", "pytorch"}, {"position_init", "sinusoidal"}})) ==
        at + "weight_init: found \"pytorch\", expected \"normal\" with another position_init or "
             "attention_init");
  CHECK(mistake(bert({{"conv", 4}})) == at + "conv: found 4, expected an odd number or 0");
  struct Mistake {
    json given;
    const char *key, *found, *expected;
  };
  for (const Mistake& one : {
           Mistake{bert({{"d_model", -256}}), "d_model", "-256", "1"},
           {bert({{"d_ff", 0}}), "d_ff", "0", "1"},
           {bert({{"n_layers", -1}}), "n_layers", "-1", "1"},
           {bert({{"max_positions", 5000}}), "max_positions", "5000", "4096"},
           {bert({{"d_model", "wide"}}), "d_model", "\"wide\"", "whole number"},
           {bert({{"d_model", 2.5}}), "d_model", "2.5", "whole number"},
           {bert({{"dropout", 1.0}}), "dropout", "1", "0.9"},
           {bert({{"share_layers", 1}}), "share_layers", "1", "true"},
           {bert({{"norm", "middle"}}), "norm", "middle", "post"},
           {bert({{"position", "rotary"}}), "position", "rotary", "relative"},
           {bert({{"n_layers", 2}, {"local_layers", 3}}), "local_layers", "3", "2"},
           {bert({{"ffn", "relu"}}), "ffn", "relu", "geglu"},
           {bert({{"activation", "swish"}}), "activation", "swish", "gelu_tanh"},
           {bert({{"attention_dropout", 1}}), "attention_dropout", "1", "0.9"},
           {bert({{"weight_init", "he"}}), "weight_init", "he", "pytorch"},
           {bert({{"head_gate", "yes"}}), "head_gate", "yes", "true"},
           {json{{"kind", "gru"}}, "kind", "gru", "lstm_qa"},
           {json{{"kind", "lstm_qa"}, {"d_model", -1}}, "d_model", "-1", "1"},
       }) {
    const std::string message = mistake(one.given);
    CAPTURE(message);
    using Catch::Matchers::Contains;
    CHECK_THAT(message, Contains(at + one.key));
    CHECK_THAT(message, Contains(one.found));
    CHECK_THAT(message, Contains(one.expected));
    CHECK(message.find('\n') == std::string::npos);
  }
}

TEST_CASE("an unknown key is an error that names the nearest") {
  using Catch::Matchers::Contains;
  const std::string message = mistake(bert({{"d_modle", 256}}));
  CHECK_THAT(message, Contains("arms[0].model.d_modle") && Contains("d_model"));
  CHECK_THAT(mistake({{"kind", "lstm_qa"}, {"n_heads", 4}}), Contains("n_heads"));
  CHECK_THAT(mistake(json{{"d_model", 8}}), Contains("arms[0].model.kind"));
}

TEST_CASE("every key of a BERT says what it does to what the model computes") {
  std::set<std::string> written, marked;
  const json defaults = written_fields(BertConfig());
  for (const auto& [key, value] : defaults.items()) written.insert(key);
  BertConfig wide;
  wide.d_model = 64, wide.norm = "pre";
  for (const MarkedKey& one : marked_keys(wide)) {
    marked.insert(one.key);
    CAPTURE(one.key);
    CHECK(one.value == to_json(wide).at(one.key));
    CHECK(one.otherwise == defaults.at(one.key));
    // BERT's own value of most keys is the default; of the embeddings' width it is that of the states.
    if (one.key == "embedding_size") CHECK(one.mark.plain == 64);
    if (one.key == "norm") CHECK(one.mark.plain == "post");
  }
  CHECK(marked == written);
}

TEST_CASE("a key that an export does not know is refused until it has its default") {
  BertConfig config;
  config.dropout = 0.3;  // changes no output, so that nobody needs to know it
  std::vector<MarkedKey> keys = marked_keys(config);
  const auto known = [](const std::string& key) { return key == "norm"; };
  refuse_unknown_keys(keys, known, "ONNX");
  keys.push_back({"gain", function_key(), 2, 1});  // one that came later
  CHECK_THROWS_WITH(refuse_unknown_keys(keys, known, "ONNX"),
                    "model.gain: found 2, expected 1, all that ONNX computes");
  keys.back() = {"norm", function_key("post"), "pre", "post"};
  CHECK_NOTHROW(refuse_unknown_keys(keys, known, "ONNX"));
  keys.back() = {"mlm_gain", head_key(), true, false};
  CHECK_THROWS_WITH(refuse_unknown_keys(keys, known, "ONNX"),
                    Catch::Matchers::Contains("model.mlm_gain: found true"));
}

}  // namespace minibert
