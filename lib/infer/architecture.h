// The architecture in a model file: read from its JSON, and the tensors that follow from it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "infer/model.h"
#include "infer/status.h"

namespace minibert::infer {

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

// Which head a file has in the place of the masked LM's, and how it is used.
struct HeadText {
  std::string_view key;  // of the metadata: mbq::kAnswers, kClassifies or kTags; empty: a masked LM
  std::string_view text;  // JSON
};

// Reads the keys of a run's "model" and those of its head; keys that only training uses (a list) are passed
// over, any other is an error: a key that this program does not know may change what the model computes.
// Errors name the key, what was found and what was expected.
Status parse_config(std::string_view model, const HeadText& head, ModelConfig* config);

// In the order of the forward pass.
std::vector<TensorSpec> expected_tensors(const ModelConfig& config);

// The version of a file with this architecture.
std::string_view format_version(const ModelConfig& config);

}  // namespace minibert::infer
