// The architecture in a model file: reads it from JSON and lists its tensors.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "infer/format/status.h"
#include "rules/qa_windows.h"
#include "rules/span_decode.h"

namespace minibert::infer {

// How a question answering model reads a context, and which spans may be answers.
struct AnswerConfig {
  QaFeatureSettings features;
  SpanSettings spans;
  int32_t lengths = 0;  // answer lengths that the span head has counted; 0: none
};

// How a labelling model reads texts, and its labels.
struct ClassifyConfig {
  int32_t max_length = 0;     // pieces in a window, including [CLS] and [SEP]
  bool mean_pooling = false;  // the mean of all positions; false: [CLS] through a pooler
  bool several = false;       // a text may have several labels, or none
  // Trained on pairs of texts or on single texts; some files do not say.
  std::optional<bool> pairs = {};
  std::vector<std::string> labels;
};

// How a tagging model reads a text, and its tags: O, B-… and I-….
struct TagConfig {
  int32_t max_length = 0;  // like ClassifyConfig::max_length
  std::vector<std::string> tags;
};

// The architecture, named by the keys of a run's configuration. A boolean key that shapes the
// layers is a member and a row of kLayerFlags, from which it is read and written.
struct ModelConfig {
  int32_t vocab_size = 0;
  int32_t d_model = 0;
  int32_t n_heads = 0;
  int32_t d_ff = 0;
  int32_t n_layers = 0;
  int32_t max_positions = 0;
  int32_t segments = 2;
  int32_t embedding_size = 0;
  bool share_layers = false;  // one layer's weights for all layers that are not local
  bool pre_norm = false;
  bool relative_position = false;  // a bias by offset in attention, no position embeddings
  int32_t local_layers = 0;        // the first layers, which mix by convolution, without attention
  int32_t local_taps = 7;          // of their convolution
  int32_t conv = 0;                // taps of a convolution on queries, keys and values; 0: none
  bool geglu = false;              // GEGLU; false: GELU
  bool head_gate = false;          // a sigmoid of the layer's input scales each head
  bool mlm_transform = false;
  bool mlm_bias = false;
  int32_t mlm_context = 0;  // rank of the bonus on shown pieces; 0: none
  float layer_norm_eps = 1e-3f;
  // A head in place of the masked LM's; at most one.
  std::optional<AnswerConfig> answers;
  std::optional<ClassifyConfig> classifies;
  std::optional<TagConfig> tags;
  bool fills_masks() const { return !answers && !classifies && !tags; }

  // The number of layers with weights of their own.
  int32_t stored_layers() const {
    return share_layers && local_layers + 1 < n_layers ? local_layers + 1 : n_layers;
  }
  int32_t attention_layers() const { return n_layers - local_layers; }  // the last ones
  int32_t inner_rows() const { return geglu ? 2 * d_ff : d_ff; }        // outputs of ffn.inner
};

struct LayerFlag {
  const char* key;
  bool ModelConfig::*member;
};
inline constexpr LayerFlag kLayerFlags[] = {
    {"head_gate", &ModelConfig::head_gate},
};

struct TensorSpec {
  // A table is a matrix that is float32 in every file.
  enum class Kind { vector, table, matrix };
  std::string name;
  Kind kind = Kind::vector;
  int32_t rows = 0;
  int32_t cols = 0;  // 0 for a vector
  std::vector<int64_t> shape() const;
  uint64_t size() const { return uint64_t(rows) * uint64_t(kind == Kind::vector ? 1 : cols); }
};

// The head that replaces the masked LM's, and its settings.
struct HeadText {
  std::string_view key;  // in the metadata: mbq::kAnswers, kClassifies or kTags; empty: a masked LM
  std::string_view text;  // JSON
};

// Reads the keys of a run's "model" and of its head. Ignores a list of keys that only training
// uses; any other unknown key is an error, because it may change what the model computes. Errors
// name the key, what was found and what was expected.
Status parse_config(std::string_view model, const HeadText& head, ModelConfig* config);

// Lists a file's tensors in the order of the forward pass.
std::vector<TensorSpec> expected_tensors(const ModelConfig& config);

// Returns the version of a file with this architecture.
std::string_view format_version(const ModelConfig& config);

}  // namespace minibert::infer
