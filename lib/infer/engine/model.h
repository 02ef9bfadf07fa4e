// A model file's weights as views into the caller's memory; a matrix has N outputs, K inputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "infer/engine/architecture.h"
#include "infer/engine/weights.h"
#include "infer/format/status.h"

namespace minibert::infer {

// "the model answers questions, expected one that <expected>".
Status another_task(const ModelConfig& config, std::string_view expected);

// A figure on the model's card; its split is the one of the metrics.
struct CardFigure {
  std::string name, heading, split;  // "exact_match", "EM", "test"
  int decimals = 0;
  double value = 0;
};

// The model's origin and size.
struct ModelFacts {
  bool quantized = false;   // int8; else float32
  bool fine = false;        // activations of 14 bits in all int8 products; else of 7
  uint64_t parameters = 0;  // in the exported part, including biases and LayerNorm
  uint64_t file_bytes = 0;
  std::string source_run;                 // "<experiment>/<profile>/<arm>-s<seed>"
  std::string source_sha256;              // of the run record
  std::map<std::string, double> metrics;  // the run's summary: of test; of dev for pretraining
  std::vector<CardFigure> card;           // those that tell its quality; empty in older files
};

// Immutable once loaded; engines and threads may share a model.
class Model {
 public:
  Model() = default;
  Model(Model&&) = default;
  Model& operator=(Model&&) = default;

  // Checks every offset, shape and number of a `.mbq` (infer/format/mbq_format.h) and keeps views
  // into `file`, which must be 16-byte aligned and outlive it. The model is empty after an error.
  Status load(std::span<const uint8_t> file);

  const ModelConfig& config() const { return config_; }
  const ModelFacts& facts() const { return facts_; }
  std::string_view tokenizer() const { return tokenizer_; }  // a serialized SentencePiece model

  // [V, E], [P, E] (empty with relative positions), [segments, E]; token.bias is the output bias
  Matrix token, position, segment;
  Norm embedding_norm, final_norm, mlm_norm;
  Matrix projection, mlm_transform;
  Matrix context_query, context_key;  // [rank, E] float32 with their biases; empty: no bonus
  Matrix span;  // [2, D] float32 with its bias: start, end; empty: no span head
  std::span<const float> answer_lengths;  // log probability of an answer of 1, 2, … pieces
  Matrix pooler, sequence;           // [D, D], [labels, D] float32, with their biases; empty: none
  Matrix tag;                        // [tags, D] float32 with its bias; empty: no tagging head
  std::vector<LayerWeights> layers;  // config().stored_layers()
  const LayerWeights& layer(int32_t i) const {
    const auto index = static_cast<size_t>(i);
    return layers[index < layers.size() ? index : layers.size() - 1];
  }

 private:
  friend class ModelBuilder;
  ModelConfig config_;
  ModelFacts facts_;
  std::string_view tokenizer_;
  std::vector<std::vector<float>> row_sums_;
};

}  // namespace minibert::infer
