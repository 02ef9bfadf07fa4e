// Quantization of weights (once, on export) and of activations (for every token, as the model
// runs).
//
// Weights: symmetric int8, one scale a row: w ≈ scale · q, q in −127…127.
// Activations: seven bits unsigned, one scale and one minimum a token: x ≈ scale · q + minimum, q
// in 0…127. The dot product is then exact on every instruction set: WASM's relaxed dot product
// leaves the meaning of a second operand above 127 open, and x86's vpmaddubsw would saturate.
//
// For more precision both have a second byte, and a product is a sum of such exact products: w ≈
// scale · (q + low / 254) and x ≈ scale · (128 high + low) + minimum, high and low in 0…127.
#pragma once

#include <cstdint>

namespace minibert::infer {

inline constexpr int32_t kActivationMax = 127;
inline constexpr int32_t kFineActivationMax = 128 * 128 - 1;

// values [rows, cols] -> quantized [rows, cols], scales [rows]. A row of zeros gets the scale 1.
// With `low` [rows, cols], also the second byte.
void quantize_rows(const float* values, int32_t rows, int32_t cols, int8_t* quantized,
                   float* scales, int8_t* low = nullptr);

struct TokenScale {
  float scale = 0;
  float minimum = 0;
};

// values [cols] -> quantized [stride], with zeros behind cols. Values that are not finite give
// arbitrary numbers in range.
TokenScale quantize_token(const float* values, int32_t cols, uint8_t* quantized, int32_t stride);
// The same in fourteen bits: high [stride] and low [stride].
TokenScale quantize_token_fine(const float* values, int32_t cols, uint8_t* high, uint8_t* low,
                               int32_t stride);

}  // namespace minibert::infer
