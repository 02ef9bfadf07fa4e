// Counts floating-point operations of matrix products: a multiplication and an addition are two,
// and a product's backward pass is two products of its size (Kaplan et al. 2020, arXiv:2001.08361,
// section 2.1). As in Hoffmann et al. 2022 (arXiv:2203.15556, appendix F) attention's scores and
// the vocabulary's logits count. All counts follow what this program computes: padding counts, too;
// the last layer and the masked LM's head count only where they are computed; a convolution is K
// products a channel. Look-ups, norms, activations, softmax and the optimizer do not count.
#pragma once

#include <cstdint>

namespace minibert {

struct Flops {
  double forward = 0, backward = 0;
  double both() const { return forward + backward; }
  Flops& operator+=(const Flops& other) {
    forward += other.forward, backward += other.backward;
    return *this;
  }
};

inline Flops operator+(Flops a, const Flops& b) { return a += b; }

// The cost of `multiply_adds` multiplications with an addition each.
inline Flops products(double multiply_adds) { return {2 * multiply_adds, 4 * multiply_adds}; }

// The cost of a dense layer from `in` to `out` numbers on `rows` rows.
inline Flops dense(int64_t rows, int64_t in, int64_t out) {
  return products(static_cast<double>(rows) * static_cast<double>(in) * static_cast<double>(out));
}

// The number of weights of such a layer, including its bias.
inline int64_t dense_numbers(int64_t in, int64_t out) { return (in + 1) * out; }

// A batch as an encoder computes it: B rows of S positions, including padding. `read`: the
// positions of a row whose hidden states are needed (BertEncoder::encode_at); S for all.
struct PassShape {
  int64_t rows = 0, length = 0, read = 0;
};

}  // namespace minibert
