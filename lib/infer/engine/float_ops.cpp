#include "infer/engine/float_ops.h"

#include <cmath>
#include <cstring>

#include "infer/kernels/vector_math.h"

namespace minibert::infer {
namespace {

// R rows by C vectors of four columns, which stay in registers while k runs; b [k, 4 C].
template <int R, int C>
void multiply_tile(const float* a, int32_t lda, const float* b, float* c, int32_t ldc, int32_t k) {
  F32x4 sums[R][C] = {};
  for (int32_t i = 0; i < k; ++i, ++a, b += 4 * C) {
    F32x4 column[C];
    for (int j = 0; j < C; ++j) column[j] = load4(b + 4 * j);
    for (int r = 0; r < R; ++r)
      for (int j = 0; j < C; ++j) sums[r][j] += a[int64_t(r) * lda] * column[j];
  }
  for (int r = 0; r < R; ++r)
    for (int j = 0; j < C; ++j) store4(c + int64_t(r) * ldc + 4 * j, sums[r][j]);
}

// A panel of 4 C columns stays in the cache for all rows.
template <int C>
void multiply_panel(const float* a, int32_t lda, const float* b, float* c, int32_t ldc, int32_t m,
                    int32_t k) {
  int32_t r = 0;
  for (; r + 2 <= m; r += 2)
    multiply_tile<2, C>(a + int64_t(r) * lda, lda, b, c + int64_t(r) * ldc, ldc, k);
  if (r < m) multiply_tile<1, C>(a + int64_t(r) * lda, lda, b, c + int64_t(r) * ldc, ldc, k);
}

// R rows of a by C rows of b, four products of each pair at a time.
template <int R, int C>
void dot_tile(const float* a, int32_t lda, const float* b, int32_t k, const float* bias, float* c,
              int32_t ldc) {
  F32x4 sums[R][C] = {};
  int32_t i = 0;
  for (; i + 4 <= k; i += 4) {
    F32x4 right[C];
    for (int j = 0; j < C; ++j) right[j] = load4(b + int64_t(j) * k + i);
    for (int r = 0; r < R; ++r) {
      const F32x4 left = load4(a + int64_t(r) * lda + i);
      for (int j = 0; j < C; ++j) sums[r][j] += left * right[j];
    }
  }
  for (int r = 0; r < R; ++r)
    for (int j = 0; j < C; ++j) {
      float total = sum(sums[r][j]);
      for (int32_t rest = i; rest < k; ++rest)
        total += a[int64_t(r) * lda + rest] * b[int64_t(j) * k + rest];
      c[int64_t(r) * ldc + j] = bias == nullptr ? total : total + bias[j];
    }
}

template <int R>
void dot_rows(const float* a, int32_t lda, const float* b, const float* bias, float* c, int32_t ldc,
              int32_t n, int32_t k) {
  int32_t j = 0;
  const auto bias_at = [&](int32_t at) { return bias == nullptr ? nullptr : bias + at; };
  for (; j + 2 <= n; j += 2) dot_tile<R, 2>(a, lda, b + int64_t(j) * k, k, bias_at(j), c + j, ldc);
  if (j < n) dot_tile<R, 1>(a, lda, b + int64_t(j) * k, k, bias_at(j), c + j, ldc);
}

// 0.5 (1 + tanh(u)) = 1 − 1 / (e^(2u) + 1)
F32x4 gelu4(F32x4 v) {
  const F32x4 twice_u = v * (1.5957691216f + 0.0713548162726f * (v * v));
  return v - v / (exp4(twice_u) + 1.0f);
}

}  // namespace

void multiply(const float* a, int32_t lda, const float* b, float* c, int32_t ldc, int32_t m,
              int32_t n, int32_t k) {
  static_assert(kPanelColumns == 16);
  int32_t j = 0;
  for (; j + 16 <= n; j += 16, b += 16 * int64_t(k)) multiply_panel<4>(a, lda, b, c + j, ldc, m, k);
  if (n - j == 12) multiply_panel<3>(a, lda, b, c + j, ldc, m, k);
  if (n - j == 8) multiply_panel<2>(a, lda, b, c + j, ldc, m, k);
  if (n - j == 4) multiply_panel<1>(a, lda, b, c + j, ldc, m, k);
}

void multiply_transposed(const float* a, int32_t lda, const float* b, const float* bias, float* c,
                         int32_t ldc, int32_t m, int32_t n, int32_t k) {
  int32_t r = 0;
  for (; r + 4 <= m; r += 4)
    dot_rows<4>(a + int64_t(r) * lda, lda, b, bias, c + int64_t(r) * ldc, ldc, n, k);
  for (; r < m; ++r)
    dot_rows<1>(a + int64_t(r) * lda, lda, b, bias, c + int64_t(r) * ldc, ldc, n, k);
}

void layer_norm(const float* x, const Norm& norm, float eps, int32_t size, float* y) {
  const int32_t whole = size & ~3, rest = size - whole;
  F32x4 total = load_part(x + whole, rest, 0);
  for (int32_t i = 0; i < whole; i += 4) total += load4(x + i);
  const float mean = sum(total) / static_cast<float>(size);
  const F32x4 last = load_part(x + whole, rest, mean) - mean;
  F32x4 squares = last * last;
  for (int32_t i = 0; i < whole; i += 4) {
    const F32x4 centred = load4(x + i) - mean;
    squares += centred * centred;
  }
  const float factor = 1.0f / std::sqrt(sum(squares) / static_cast<float>(size) + eps);
  for (int32_t i = 0; i < whole; i += 4)
    store4(y + i, (load4(x + i) - mean) * factor * load4(norm.weight + i) + load4(norm.bias + i));
  for (int32_t i = whole; i < size; ++i)
    y[i] = (x[i] - mean) * factor * norm.weight[i] + norm.bias[i];
}

void add(float* x, const float* y, int32_t size) {
  for (int32_t i = 0; i < size; ++i) x[i] += y[i];
}

void scale(float* x, float factor, int32_t size) {
  for (int32_t i = 0; i < size; ++i) x[i] *= factor;
}

void gelu(float* x, int32_t size) {
  const int32_t whole = size & ~3;
  for (int32_t i = 0; i < whole; i += 4) store4(x + i, gelu4(load4(x + i)));
  store_part(x + whole, gelu4(load_part(x + whole, size - whole, 0)), size - whole);
}

void geglu(float* x, int32_t size) {
  const float* factor = x + size;
  const int32_t whole = size & ~3, rest = size - whole;
  for (int32_t i = 0; i < whole; i += 4) store4(x + i, gelu4(load4(x + i)) * load4(factor + i));
  store_part(x + whole, gelu4(load_part(x + whole, rest, 0)) * load_part(factor + whole, rest, 0),
             rest);
}

void sigmoid(float* x, int32_t size) {
  const auto sigmoid4 = [](F32x4 v) { return 1.0f / (exp4(-v) + 1.0f); };
  const int32_t whole = size & ~3, rest = size - whole;
  for (int32_t i = 0; i < whole; i += 4) store4(x + i, sigmoid4(load4(x + i)));
  store_part(x + whole, sigmoid4(load_part(x + whole, rest, 0)), rest);
}

void tanh_of(float* x, int32_t size) {
  scale(x, 2, size);
  sigmoid(x, size);
  for (int32_t i = 0; i < size; ++i) x[i] = 2 * x[i] - 1;
}

float maximum(const float* x, int32_t size) {
  const int32_t whole = size & ~3;
  F32x4 largest = load_part(x + whole, size - whole, x[0]);
  for (int32_t i = 0; i < whole; i += 4) largest = larger(largest, load4(x + i));
  return greatest(largest);
}

void softmax(float* x, int32_t size) {
  const float shift = maximum(x, size);
  const int32_t whole = size & ~3, rest = size - whole;
  F32x4 total = {};
  for (int32_t i = 0; i < whole; i += 4) {
    const F32x4 e = exp4(load4(x + i) - shift);
    store4(x + i, e);
    total += e;
  }
  store_part(x + whole, exp4(load_part(x + whole, rest, 0) - shift), rest);
  total += load_part(x + whole, rest, 0);
  const float factor = 1.0f / sum(total);
  for (int32_t i = 0; i < whole; i += 4) store4(x + i, load4(x + i) * factor);
  for (int32_t i = whole; i < size; ++i) x[i] *= factor;
}

float sum_of_exponentials(const float* x, float shift, int32_t size, const uint8_t* allowed) {
  F32x4 total = {};
  for (int32_t i = 0; i < size; i += 4) {
    const int32_t count = size - i < 4 ? size - i : 4;
    F32x4 e = exp4((count == 4 ? load4(x + i) : load_part(x + i, count, 0)) - shift);
    for (int32_t lane = 0; lane < 4; ++lane)
      if (lane >= count || (allowed != nullptr && allowed[i + lane] == 0)) e[lane] = 0;
    total += e;
  }
  return sum(total);
}

bool all_finite(std::span<const float> x) {
  // x · 0 is 0 for a finite x and NaN for another.
  F32x4 zero = {};
  size_t i = 0;
  for (; i + 4 <= x.size(); i += 4) zero += load4(x.data() + i) * 0.0f;
  zero += load_part(x.data() + i, static_cast<int32_t>(x.size() - i), 0) * 0.0f;
  return sum(zero) == 0.0f;
}

}  // namespace minibert::infer
