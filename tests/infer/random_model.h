// Models with random weights and a tokenizer trained on the sample text.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/rng.h"
#include "export/mbq_export.h"
#include "infer/engine/architecture.h"
#include "text/tokenizer.h"

namespace minibert::test {

inline constexpr int32_t kSampleVocabulary = 1500;

// Trained once a process.
inline const std::string& sample_tokenizer() {
  static const std::string bytes = [] {
    TokenizerSettings settings;
    settings.vocab_size = kSampleVocabulary;
    return train_tokenizer({"experiments/sample/corpus.txt"}, settings, true);
  }();
  return bytes;
}

inline int32_t sample_vocabulary() {
  static const int32_t size = Tokenizer::from_bytes(sample_tokenizer()).size();
  return size;
}

// A small architecture; `changes` is merged over it.
inline nlohmann::json small_model(const nlohmann::json& changes = nlohmann::json::object()) {
  nlohmann::json model = {{"kind", "bert"},
                          {"vocab_size", sample_vocabulary()},
                          {"d_model", 48},
                          {"n_heads", 4},
                          {"d_ff", 96},
                          {"n_layers", 2},
                          {"max_positions", 64},
                          {"embedding_size", 48},
                          {"share_layers", false},
                          {"norm", "post"},
                          {"layer_norm_eps", 1e-3},
                          {"mlm_transform", false},
                          {"mlm_bias", false}};
  model.merge_patch(changes);
  return model;
}

// The shapes of version 2 of the file, alone and together.
struct Shape {
  const char* name;
  nlohmann::json changes;
};
inline const std::vector<Shape>& shapes() {
  static const nlohmann::json all = {
      {"position", "relative"}, {"local_layers", 1}, {"conv", 3},
      {"ffn", "geglu"},         {"head_gate", true}, {"n_layers", 3}};
  static const auto with = [](nlohmann::json changes) {
    nlohmann::json both = all;
    both.merge_patch(changes);
    return both;
  };
  static const std::vector<Shape> list = {
      {"positions by offset", {{"position", "relative"}}},
      {"convolution on q, k, v", {{"conv", 5}}},
      {"a local layer", {{"local_layers", 1}}},
      {"local layers alone", {{"local_layers", 2}}},
      {"GEGLU", {{"ffn", "geglu"}}},
      {"gated heads", {{"head_gate", true}}},
      {"a bonus on shown pieces", {{"mlm_context", 4}}},
      {"all shapes", all},
      {"all shapes, pre-norm", with({{"norm", "pre"}})},
      {"all shapes, shared", with({{"share_layers", true}, {"norm", "pre"}, {"n_layers", 4}})},
      {"all shapes, factorized", with({{"embedding_size", 20},
                                       {"mlm_transform", true},
                                       {"mlm_bias", true},
                                       {"mlm_context", 3}})},
      {"all shapes, odd sizes", with({{"norm", "pre"},
                                      {"d_model", 33},
                                      {"embedding_size", 33},
                                      {"n_heads", 3},
                                      {"d_ff", 71}})},
      {"all shapes, wide", with({{"norm", "pre"}, {"d_model", 260}, {"embedding_size", 260}})},
  };
  return list;
}

// LayerNorm near 1 and 0, everything else normal-like with a standard deviation of `std`.
inline std::vector<NamedTensor> random_weights(const nlohmann::json& model, uint64_t seed = 1,
                                               double std = 0.2, const MbqHead& head = {}) {
  infer::ModelConfig config;
  const std::string settings = head.settings.dump();
  if (!infer::parse_config(model.dump(), {head.key, settings}, &config).ok()) return {};
  std::vector<NamedTensor> weights;
  for (const auto& spec : infer::expected_tensors(config)) {
    NamedTensor tensor{spec.name, spec.shape(), std::vector<float>(spec.size())};
    Rng rng(seed, spec.name);
    const bool norm = spec.name.ends_with("norm.weight");
    for (float& value : tensor.values) {
      // Sum of four uniform numbers: near enough to normal, and the same everywhere.
      double sum = -2;
      for (int i = 0; i < 4; ++i) sum += rng.uniform();
      value = static_cast<float>((norm ? 1.0 : 0.0) + std * sum * std::sqrt(3.0));
    }
    weights.push_back(std::move(tensor));
  }
  return weights;
}

inline MbqSource sample_source(const nlohmann::json& model, const MbqHead& head = {}) {
  return {model,
          sample_tokenizer(),
          "test/quick/random-s1",
          std::string(64, 'a'),
          {{"mlm_accuracy", 0.25}},
          head};
}

inline std::string random_mbq(const nlohmann::json& model, MbqWeights type, uint64_t seed = 1) {
  return make_mbq(sample_source(model), random_weights(model, seed), type);
}

// The settings of a question answering model; `changes` is merged over them.
inline nlohmann::json small_answers(const nlohmann::json& changes = nlohmann::json::object()) {
  nlohmann::json answers = {{"max_length", 36}, {"max_question", 16}, {"stride", 7},
                            {"overlap", true},  {"max_answer", 6},    {"n_best", 10}};
  answers.merge_patch(changes);
  return answers;
}

// small_model() with a span head for these settings.
inline nlohmann::json answering_model(const nlohmann::json& answers,
                                      const nlohmann::json& changes = nlohmann::json::object()) {
  nlohmann::json model =
      small_model({{"segments", answers["overlap"] ? 4 : 2}, {"answer_lengths", 5}});
  model.merge_patch(changes);
  return model;
}

inline std::string random_answering_mbq(const nlohmann::json& model, const nlohmann::json& answers,
                                        MbqWeights type, uint64_t seed = 1) {
  const MbqHead head = {"answers", answers};
  return make_mbq(sample_source(model, head), random_weights(model, seed, 0.2, head), type);
}

// small_model() with a labelling or a tagging head.
inline nlohmann::json classifying_model(const nlohmann::json& changes = nlohmann::json::object()) {
  nlohmann::json model = small_model(
      {{"pooling", "cls"}, {"head_dropout", 0.1}, {"labels", {"negative", "neutral", "positive"}}});
  model.merge_patch(changes);
  return model;
}
inline nlohmann::json tagging_model(const nlohmann::json& changes = nlohmann::json::object()) {
  nlohmann::json model =
      small_model({{"labels", {"O", "B-LC", "B-PS", "I-LC", "I-PS"}}, {"head_dropout", 0.1}});
  model.merge_patch(changes);
  return model;
}

inline MbqHead classifying_head(int max_length = 40) {
  return {"classifies", {{"max_length", max_length}}};
}
inline MbqHead tagging_head(int max_length = 48) { return {"tags", {{"max_length", max_length}}}; }

inline std::string random_headed_mbq(const nlohmann::json& model, const MbqHead& head,
                                     MbqWeights type, uint64_t seed = 1) {
  return make_mbq(sample_source(model, head), random_weights(model, seed, 0.2, head), type);
}

}  // namespace minibert::test
