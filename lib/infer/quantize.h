// Quantization of weights (once, on export) and of activations (for every token, as the model
// runs).
//
// Weights: symmetric int8, one scale a row: w ≈ scale · q, q in −127…127.
// Activations: seven bits unsigned, one scale and one minimum a token: x ≈ scale · q + minimum, q
// in 0…127. The dot product is then exact on every instruction set: WASM's relaxed dot product
// leaves the meaning of a second operand above 127 open, and x86's vpmaddubsw would saturate.
#pragma once

#include <cstdint>

namespace minibert::infer {

inline constexpr int32_t kActivationMax = 127;

// values [rows, cols] -> quantized [rows, cols], scales [rows]. A row of zeros gets the scale 1.
void quantize_rows(const float* values, int32_t rows, int32_t cols, int8_t* quantized,
                   float* scales);

struct TokenScale {
  float scale = 0;
  float minimum = 0;
};

// values [cols] -> quantized [stride], zeros behind cols. Not finite values give any numbers in
// range.
TokenScale quantize_token(const float* values, int32_t cols, uint8_t* quantized, int32_t stride);

}  // namespace minibert::infer
