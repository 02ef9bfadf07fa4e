// Intermediate results of a forward pass, for explanations.
#pragma once

#include <cstdint>
#include <vector>

#include "infer/engine/weights.h"

namespace minibert::infer {

// L layers, of them A with attention (the last ones), S positions, E embedding size, D d_model,
// F d_ff, H heads, K taps.
struct Trace {
  // The summands of the embeddings; no positions if the model has none.
  std::vector<float> token_SE, position_SE, segment_SE;
  // [L + 1, S, D]: the first layer's input, then each layer's output.
  std::vector<float> states_LSD;
  std::vector<float> mids_LSD;  // [L, S, D]: each layer's state after its first half
  // [L − A, S, K]: the length of each convolution tap's contribution to a position in a local
  // layer; 0 outside the sentence.
  std::vector<float> taps_LSK;
  std::vector<float> qkv_AS3D;     // queries, keys and values
  std::vector<float> offsets_AHO;  // [A, H, 2S − 1]: the bias of offset o at S − 1 + o; or empty
  std::vector<float> gates_ASH;    // the factor of each head, 0 to 1; or empty
  std::vector<float> units_LSF;    // the feed-forward part's, after GELU or GEGLU
};

// Adds a layer [length, K] to taps_LSK, from value_SD, the input of a local layer's convolution,
// and its weight [K, D].
void trace_taps(const float* value_SD, int32_t length, const Matrix& weight, Trace* trace);

// Adds a layer [H, 2 length − 1] to offsets_AHO.
void trace_offsets(const Matrix& offsets, int32_t length, Trace* trace);

}  // namespace minibert::infer
