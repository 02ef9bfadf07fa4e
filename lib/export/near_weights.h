// Int8 weights that differ from those of another file in few steps, so that the difference packs well: a model
// fine-tuned from another goes out as a fraction of its size (wasm_demo/difference.py).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "infer/format/mbq_file.h"

namespace minibert {

struct QuantizedMatrix {
  std::vector<int8_t> quantized,
      low;                    // [rows, cols] each; low is empty where there is no second byte
  std::vector<float> scales;  // [rows]
};

class NearWeights {
 public:
  // `file` is a `.mbq`, and outlives this. Throws Error where it is none.
  explicit NearWeights(std::span<const uint8_t> file);

  // Whether the file has an int8 matrix of that name and shape. If so, gives `matrix` its scales and second
  // bytes, and first bytes that lie a whole number of steps from its own. A row's step is kStep of the root mean
  // square by which the whole matrix differs, and at least one unit of the row's scale. values [rows, cols].
  bool quantize(const std::string& name, int32_t rows, int32_t cols,
                const std::vector<float>& values, QuantizedMatrix* matrix) const;

  // The larger, the smaller is what differs, and the more the answers change.
  static constexpr double kStep = 0.7;

 private:
  infer::MbqFile file_;
};

}  // namespace minibert
