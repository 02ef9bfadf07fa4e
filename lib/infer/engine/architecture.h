// The architecture in a model file: reads it from its JSON, and lists the tensors that follow from
// it.
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

// How a model that answers questions reads a context, and which spans it takes for answers.
struct AnswerConfig {
  QaFeatureSettings features;
  SpanSettings spans;
  int32_t lengths = 0;  // answer lengths that the span head has counted; 0: none
};

// How a model that labels texts reads them, and its labels.
struct ClassifyConfig {
  int32_t max_length = 0;     // pieces of a window with [CLS] and [SEP]
  bool mean_pooling = false;  // the mean of all positions; else [CLS] through a pooler
  bool several = false;       // a text may have several labels, or none
  std::optional<bool> pairs =
      {};  // trained on pairs of texts, or on single ones; the file may not say
  std::vector<std::string> labels;
};

// How a model that marks names reads a text, and its tags: O, B-… and I-….
struct TagConfig {
  int32_t max_length = 0;  // as ClassifyConfig::max_length
  std::vector<std::string> tags;
};

// The architecture, with the keys of a run's configuration. A key that is true or false and that shapes the layers is
// a member and a row of kLayerFlags: from it the key is read and told.
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
  int32_t local_layers = 0;        // so many first layers mix by convolution, without attention
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

struct LayerFlag {
  const char* key;
  bool ModelConfig::*member;
};
inline constexpr LayerFlag kLayerFlags[] = {
    {"head_gate", &ModelConfig::head_gate},
};

// A tensor that a `.mbq` of this architecture has.
struct TensorSpec {
  // A table is a matrix that is float32 in every file.
  enum class Kind { vector, table, matrix };
  std::string name;
  Kind kind = Kind::vector;
  int32_t rows = 0;
  int32_t cols = 0;  // 0 of a vector
  std::vector<int64_t> shape() const;
  uint64_t size() const { return uint64_t(rows) * uint64_t(kind == Kind::vector ? 1 : cols); }
};

// The head that a file has in the place of the masked LM's, and how to use it.
struct HeadText {
  std::string_view key;  // of the metadata: mbq::kAnswers, kClassifies or kTags; empty: a masked LM
  std::string_view text;  // JSON
};

// Reads the keys of a run's "model" and those of its head. It passes over a list of keys that only
// training uses; any other key is an error, since a key that this program does not know may change
// what the model computes. Errors name the key, what was found and what was expected.
Status parse_config(std::string_view model, const HeadText& head, ModelConfig* config);

// Lists a file's tensors in the order of the forward pass.
std::vector<TensorSpec> expected_tensors(const ModelConfig& config);

// Gives the version of a file with this architecture.
std::string_view format_version(const ModelConfig& config);

}  // namespace minibert::infer
