// A model file's weights as views into the caller's memory. B rows, K inputs, N outputs of a
// matrix.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "infer/qa_windows.h"
#include "infer/span_decode.h"
#include "infer/status.h"

namespace minibert::infer {

// How a model that answers questions reads a context, and which spans it takes for answers.
struct AnswerConfig {
  QaFeatureSettings features;
  SpanSettings spans;
  int32_t lengths = 0;  // answer lengths that the span head has counted; 0: none
};

// How a model that labels texts reads them, and its labels.
struct ClassifyConfig {
  int32_t max_length = 0;     // pieces with [CLS] and [SEP]; what is beyond is not read
  bool mean_pooling = false;  // the mean of all positions; else [CLS] through a pooler
  std::vector<std::string> labels;
};

// How a model that marks names reads a text, and its tags: O, B-… and I-….
struct TagConfig {
  int32_t max_length = 0;  // as ClassifyConfig::max_length
  std::vector<std::string> tags;
};

// The architecture, with the keys of a run's configuration.
struct ModelConfig {
  int32_t vocab_size = 0;
  int32_t d_model = 0;
  int32_t n_heads = 0;
  int32_t d_ff = 0;
  int32_t n_layers = 0;
  int32_t max_positions = 0;
  int32_t segments = 2;
  int32_t embedding_size = 0;
  bool share_layers = false;  // one layer's weights for all that are not local
  bool pre_norm = false;
  bool relative_position = false;  // a bias by offset in attention, no position embeddings
  int32_t local_layers = 0;        // the first so many mix by convolution alone, without attention
  int32_t local_taps = 7;          // of their convolution
  int32_t conv = 0;                // taps of a convolution on queries, keys and values; 0: none
  bool geglu = false;              // else GELU
  bool head_gate = false;          // a sigmoid of the layer's input scales each head
  bool mlm_transform = false;
  bool mlm_bias = false;
  int32_t mlm_context = 0;  // rank of the bonus on pieces that the input shows; 0: none
  float layer_norm_eps = 1e-3f;
  // A head in the place of the masked LM's; at most one.
  std::optional<AnswerConfig> answers;
  std::optional<ClassifyConfig> classifies;
  std::optional<TagConfig> tags;
  bool fills_masks() const { return !answers && !classifies && !tags; }

  // Layers with weights of their own.
  int32_t stored_layers() const {
    return share_layers && local_layers + 1 < n_layers ? local_layers + 1 : n_layers;
  }
  int32_t attention_layers() const { return n_layers - local_layers; }  // the last so many
  int32_t inner_rows() const { return geglu ? 2 * d_ff : d_ff; }        // outputs of ffn.inner
};

// "the model answers questions, expected one that <expected>".
Status another_task(const ModelConfig& config, std::string_view expected);

// Where the model comes from and what it weighs.
struct ModelFacts {
  bool quantized = false;   // int8; else float32
  bool fine = false;        // activations of 14 bits in all int8 products; else of 7
  uint64_t parameters = 0;  // of the exported part, biases and LayerNorm included
  uint64_t file_bytes = 0;
  std::string source_run;                 // "<experiment>/<profile>/<arm>-s<seed>"
  std::string source_sha256;              // of the run record
  std::map<std::string, double> metrics;  // the run's best metrics, e.g. mlm_accuracy (0 to 1)
};

// A [N, K] matrix, its rows contiguous along K, int8 with one scale a row or float32:
// w = scale · (int8 + low / mbq::kLowSteps).
struct Matrix {
  int32_t rows = 0;  // N
  int32_t cols = 0;  // K
  const int8_t* int8 = nullptr;
  const int8_t* low = nullptr;      // [N, K] or null, with int8
  const float* scales = nullptr;    // [N], with int8
  const float* float32 = nullptr;   // without int8
  const float* bias = nullptr;      // [N] or null
  const float* row_sums = nullptr;  // Σ w / scale [N], with int8; computed on loading
};

struct Norm {
  const float* weight = nullptr;
  const float* bias = nullptr;
};

struct LayerWeights {
  // In a local layer `value` in the place of `qkv`, and neither offsets nor gate.
  Matrix qkv, value, output, inner, outer;
  Matrix conv;     // [taps, 3D or D] float32; empty: none
  Matrix offsets;  // [H, mbq::kOffsetBuckets] float32; empty: none
  Matrix gate;     // [H, D] float32; empty: none
  Norm attention_norm, ffn_norm;
};

// Immutable once loaded; any number of engines and threads may use one model.
class Model {
 public:
  Model() = default;
  Model(Model&&) = default;
  Model& operator=(Model&&) = default;

  // Checks every offset, shape and number of a `.mbq` (infer/mbq_format.h) and keeps views into
  // `file`, which must be 16-byte aligned and outlive the model. On an error the model is empty.
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
