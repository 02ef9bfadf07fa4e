#include "infer/fill_json.h"

#include "infer/format/mbq_format.h"
#include "infer/result_fields.h"

namespace minibert::infer {

using nlohmann::ordered_json;

namespace {

const char* position_name(const ModelConfig& config) {
  return config.relative_position ? "relative" : "table";
}

template <HasFields Value>
ordered_json written(const Value& value);

template <class Value>
ordered_json written(const Value& value) {
  return value;
}

template <class Value>
ordered_json written(const std::vector<Value>& values) {
  ordered_json array = ordered_json::array();
  for (const Value& value : values) array.push_back(written(value));
  return array;
}

template <HasFields Value>
ordered_json written(const Value& value) {
  ordered_json object = ordered_json::object();
  Fields<Value>::visit(
      value, [&](const char* name, const auto& member) { object[name] = written(member); });
  return object;
}

const char* ffn_name(const ModelConfig& config) { return config.geglu ? "geglu" : "gelu"; }

void add_flags(const ModelConfig& config, ordered_json* json) {
  for (const LayerFlag& flag : kLayerFlags) (*json)[flag.key] = config.*flag.member;
}

}  // namespace

ordered_json to_json(const std::vector<Token>& tokens) { return written(tokens); }
ordered_json to_json(const FillResult& result) { return written(result); }
ordered_json to_json(const AnswerResult& result) { return written(result); }
ordered_json to_json(const ClassifyResult& result) { return written(result); }
ordered_json to_json(const TagResult& result) { return written(result); }
ordered_json to_json(const TeachResult& result) { return written(result); }

ordered_json to_json(const std::vector<WordGuess>& words, const PieceTokenizer& tokenizer) {
  ordered_json array = ordered_json::array();
  for (const WordGuess& word : words) {
    ordered_json pieces = ordered_json::array();
    for (const int32_t id : word.ids)
      pieces.push_back({{"id", id}, {"piece", tokenizer.piece(id)}});
    array.push_back(
        {{"text", word.text}, {"pieces", std::move(pieces)}, {"probability", word.probability}});
  }
  return array;
}

ordered_json to_json(const WordScore& score) { return written(score); }
ordered_json to_json(const ChangedResult& result) { return written(result); }
ordered_json to_json(const std::vector<CheckpointFill>& checkpoints) {
  return written(checkpoints);
}

ordered_json to_json(const Explanation& explanation, const ModelConfig& config) {
  ordered_json masks = ordered_json::array();
  for (const ExplainedMask& mask : explanation.masks) {
    ordered_json stages = ordered_json::array();
    for (const auto& guesses : mask.stages) {
      ordered_json stage = ordered_json::array();
      for (const StageGuess& guess : guesses)
        stage.push_back(
            {{"text", guess.text}, {"logit", guess.logit}, {"probability", guess.probability}});
      stages.push_back(std::move(stage));
    }
    ordered_json shown = ordered_json::array();
    for (const ShownPiece& piece : mask.shown)
      shown.push_back({{"text", piece.text}, {"added", piece.added}});
    ordered_json path = ordered_json::array();
    for (const Standing& step : mask.path)
      path.push_back({{"rank", step.rank}, {"probability", step.probability}});
    masks.push_back({{"position", mask.position},
                     {"fitting", mask.logits.size()},
                     {"stages", std::move(stages)},
                     {"path", std::move(path)},
                     {"shown", std::move(shown)}});
  }
  ordered_json out = {{"tokens", to_json(explanation.tokens)},
                      {"layers", config.n_layers},
                      {"heads", config.n_heads},
                      {"d_model", config.d_model},
                      {"d_ff", config.d_ff},
                      {"embedding_size", config.embedding_size},
                      {"share_layers", config.share_layers},
                      {"relative_position", config.relative_position},
                      {"local_layers", config.local_layers},
                      {"local_taps", config.local_taps},
                      {"conv", config.conv},
                      {"geglu", config.geglu}};
  add_flags(config, &out);
  out["mlm_transform"] = config.mlm_transform;
  out["masks"] = std::move(masks);
  return out;
}

ordered_json facts_json(const Model& model, Kernel kernel) {
  const ModelConfig& c = model.config();
  const ModelFacts& f = model.facts();
  ordered_json facts = {{"weights", f.quantized ? mbq::kInt8 : mbq::kFloat32},
                        {"activation_bits", f.quantized ? (f.fine ? 14 : 7) : 32},
                        {"kernel", f.quantized ? name(kernel) : "float32"},
                        {"parameters", f.parameters},
                        {"file_bytes", f.file_bytes},
                        {"source_run", f.source_run},
                        {"source_sha256", f.source_sha256},
                        {"metrics", f.metrics},
                        {"vocab_size", c.vocab_size},
                        {"d_model", c.d_model},
                        {"n_heads", c.n_heads},
                        {"d_ff", c.d_ff},
                        {"n_layers", c.n_layers},
                        {"max_positions", c.max_positions},
                        {"embedding_size", c.embedding_size},
                        {"share_layers", c.share_layers},
                        {"norm", c.pre_norm ? "pre" : "post"},
                        {"position", position_name(c)},
                        {"local_layers", c.local_layers},
                        {"local_taps", c.local_taps},
                        {"conv", c.conv},
                        {"ffn", ffn_name(c)}};
  add_flags(c, &facts);
  facts["mlm_context"] = c.mlm_context;
  facts["card"] = ordered_json::array();
  for (const CardFigure& figure : f.card)
    facts["card"].push_back({{"name", figure.name},
                             {"heading", figure.heading},
                             {"split", figure.split},
                             {"decimals", figure.decimals},
                             {"value", figure.value}});
  if (c.answers)
    facts["answers"] = {{"max_length", c.answers->features.max_length},
                        {"max_question", c.answers->features.max_question},
                        {"stride", c.answers->features.stride},
                        {"overlap", c.answers->features.overlap},
                        {"max_answer", c.answers->spans.max_answer}};
  if (c.classifies)
    facts["classifies"] = {{"max_length", c.classifies->max_length},
                           {"pooling", c.classifies->mean_pooling ? "mean" : "cls"},
                           {"several", c.classifies->several},
                           {"labels", c.classifies->labels}};
  if (c.classifies && c.classifies->pairs) facts["classifies"]["pairs"] = *c.classifies->pairs;
  if (c.tags) facts["tags"] = {{"max_length", c.tags->max_length}, {"labels", c.tags->tags}};
  return facts;
}

}  // namespace minibert::infer
