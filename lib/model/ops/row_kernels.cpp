#include "model/ops/row_kernels.h"

#include <cmath>

#include "model/ops/kernel_math.h"

namespace minibert::kernels {
namespace {

// `omp simd reduction` lets the compiler keep one partial sum a vector lane; the order of additions
// then follows from the instruction set alone.
MINIBERT_INLINE float row_max(const float* x, int64_t n) {
  float best = x[0];
#pragma omp simd reduction(max : best)
  for (int64_t i = 0; i < n; ++i) best = x[i] > best ? x[i] : best;
  return best;
}

// x becomes exp(x - shift); returns the sum.
MINIBERT_INLINE float exp_row(float* x, float shift, int64_t n) {
  float total = 0;
#pragma omp simd reduction(+ : total)
  for (int64_t i = 0; i < n; ++i) {
    const float value = fast_exp(x[i] - shift);
    x[i] = value;
    total += value;
  }
  return total;
}

// Picks the values of keys 0, 1, … of a row from the values by offset.
template <class T, class Value>
MINIBERT_INLINE Value* of_row(const ScoreRows<T>& a, Value* by_offset, int64_t row) {
  return by_offset + a.cols - 1 - (a.query == nullptr ? row : a.query[row]);
}

template <class T>
MINIBERT_INLINE void softmax_body(const ScoreRows<T>& a) {
  const int64_t cols = a.cols;
  const float* bias = a.bias;
  float* scratch = a.scratch;
  for (int64_t row = 0; row < a.rows; ++row) {
    T* x = a.x + row * cols;
    for (int64_t i = 0; i < cols; ++i) scratch[i] = load(x[i]) * a.scale + bias[i];
    if (a.offset_bias != nullptr) {
      const float* added = of_row(a, a.offset_bias, row);
      for (int64_t i = 0; i < cols; ++i) scratch[i] += added[i];
    }
    const float share = 1.0f / exp_row(scratch, row_max(scratch, cols), cols);
    for (int64_t i = 0; i < cols; ++i) x[i] = store<T>(scratch[i] * share);
  }
}

template <class T>
MINIBERT_INLINE void softmax_backward_body(const ScoreRows<T>& a) {
  const int64_t cols = a.cols;
  for (int64_t row = 0; row < a.rows; ++row) {
    const T* p = a.p + row * cols;
    T* grad_out = a.grad_out + row * cols;
    float dot = 0;
#pragma omp simd reduction(+ : dot)
    for (int64_t i = 0; i < cols; ++i) dot += load(p[i]) * load(grad_out[i]);
    if (a.d_offset_bias != nullptr) {
      float* sums = of_row(a, a.d_offset_bias, row);
#pragma omp simd
      for (int64_t i = 0; i < cols; ++i) sums[i] += load(p[i]) * (load(grad_out[i]) - dot);
    }
    for (int64_t i = 0; i < cols; ++i)
      grad_out[i] = store<T>(load(p[i]) * (load(grad_out[i]) - dot) * a.scale);
  }
}

MINIBERT_INLINE float sigmoid(float x) { return 1.0f / (1.0f + fast_exp(-x)); }

template <class T>
MINIBERT_INLINE void gate_body(const T* x, const T* gate, T* y, int64_t rows, int64_t heads,
                               int64_t width) {
  for (int64_t head = 0; head < rows * heads; ++head, x += width, y += width) {
    const float share = sigmoid(load(gate[head]));
    for (int64_t i = 0; i < width; ++i) y[i] = store<T>(load(x[i]) * share);
  }
}

template <class T>
MINIBERT_INLINE void gate_backward_body(const T* x, const T* gate, const T* grad_out, T* d_x,
                                        T* d_gate, int64_t rows, int64_t heads, int64_t width) {
  for (int64_t head = 0; head < rows * heads; ++head, x += width, grad_out += width, d_x += width) {
    const float share = sigmoid(load(gate[head]));
    float dot = 0;
#pragma omp simd reduction(+ : dot)
    for (int64_t i = 0; i < width; ++i) dot += load(x[i]) * load(grad_out[i]);
    for (int64_t i = 0; i < width; ++i) d_x[i] = store<T>(load(grad_out[i]) * share);
    d_gate[head] = store<T>(dot * share * (1.0f - share));
  }
}

template <class T>
MINIBERT_INLINE void residual_sum(const NormRows<T>& a, int64_t row) {
  const T* x = a.x + row * a.cols;
  T* sum = a.sum + row * a.cols;
  float* out = a.scratch;
  if (a.branch == nullptr) {
    for (int64_t i = 0; i < a.cols; ++i) out[i] = load(x[i]);
    if (sum != x)
      for (int64_t i = 0; i < a.cols; ++i) sum[i] = x[i];
    return;
  }
  const T* branch = a.branch + row * a.cols;
  const DropoutRule rule = a.dropout;
  const auto index = static_cast<uint32_t>(row * a.cols);
  // Rounded before it is normalized, so that the backward pass sees the same values.
  if (rule.threshold == 0) {
    for (int64_t i = 0; i < a.cols; ++i) {
      const T value = store<T>(load(x[i]) + load(branch[i]));
      sum[i] = value;
      out[i] = load(value);
    }
    return;
  }
  for (int64_t i = 0; i < a.cols; ++i) {
    const float factor =
        dropout_factor(index + static_cast<uint32_t>(i), rule.key, rule.threshold, rule.scale);
    const T value = store<T>(load(x[i]) + load(branch[i]) * factor);
    sum[i] = value;
    out[i] = load(value);
  }
}

template <class T>
MINIBERT_INLINE void norm_body(const NormRows<T>& a) {
  const float share = 1.0f / static_cast<float>(a.cols);
  const float* s = a.scratch;
  const float *gamma = a.gamma, *beta = a.beta;
  for (int64_t row = a.first; row < a.first + a.rows; ++row) {
    residual_sum(a, row);
    float total = 0;
#pragma omp simd reduction(+ : total)
    for (int64_t i = 0; i < a.cols; ++i) total += s[i];
    const float mean = total * share;
    float squares = 0;
#pragma omp simd reduction(+ : squares)
    for (int64_t i = 0; i < a.cols; ++i) squares += (s[i] - mean) * (s[i] - mean);
    const float reciprocal = 1.0f / std::sqrt(squares * share + a.eps);
    a.mean[row] = mean;
    a.reciprocal[row] = reciprocal;
    T* y = a.y + row * a.cols;
    for (int64_t i = 0; i < a.cols; ++i)
      y[i] = store<T>((s[i] - mean) * reciprocal * gamma[i] + beta[i]);
  }
}

template <class T>
MINIBERT_INLINE void norm_backward_body(const NormRows<T>& a) {
  const float share = 1.0f / static_cast<float>(a.cols);
  const float* gamma = a.gamma;
  float *d_gamma = a.d_gamma, *d_beta = a.d_beta, *out = a.scratch;
  for (int64_t row = a.first; row < a.first + a.rows; ++row) {
    const T* sum = a.sum + row * a.cols;
    const T* grad_out = a.grad_y + row * a.cols;
    const float mean = a.mean[row], reciprocal = a.reciprocal[row];
    float total = 0, projected = 0;
#pragma omp simd reduction(+ : total, projected)
    for (int64_t i = 0; i < a.cols; ++i) {
      const float normal = (load(sum[i]) - mean) * reciprocal;
      const float scaled = load(grad_out[i]) * gamma[i];
      total += scaled;
      projected += scaled * normal;
    }
    total *= share;
    projected *= share;
#pragma omp simd
    for (int64_t i = 0; i < a.cols; ++i) {
      const float normal = (load(sum[i]) - mean) * reciprocal;
      const float grad = load(grad_out[i]);
      d_gamma[i] += grad * normal;
      d_beta[i] += grad;
      out[i] = reciprocal * (grad * gamma[i] - total - normal * projected);
    }
    if (a.grad_sum != nullptr) {
      const T* through = a.grad_sum + row * a.cols;
      for (int64_t i = 0; i < a.cols; ++i) out[i] += load(through[i]);
    }
    T* d_x = a.d_x + row * a.cols;
    for (int64_t i = 0; i < a.cols; ++i) d_x[i] = store<T>(out[i]);
    if (a.d_branch == nullptr) continue;
    T* d_branch = a.d_branch + row * a.cols;
    const DropoutRule rule = a.dropout;
    const auto index = static_cast<uint32_t>(row * a.cols);
    for (int64_t i = 0; i < a.cols; ++i)
      d_branch[i] = store<T>(load(d_x[i]) * dropout_factor(index + static_cast<uint32_t>(i),
                                                           rule.key, rule.threshold, rule.scale));
  }
}

template <class T>
MINIBERT_INLINE void add_bias(const T* logits, const float* bias, float* out, int64_t cols) {
  if (bias != nullptr)
    for (int64_t i = 0; i < cols; ++i) out[i] = load(logits[i]) + bias[i];
  else
    for (int64_t i = 0; i < cols; ++i) out[i] = load(logits[i]);
}

// True if the label is the first of the highest.
MINIBERT_INLINE bool is_first(const float* x, int64_t label, float best) {
  bool first = x[label] == best;
  for (int64_t i = 0; first && i < label; ++i) first = x[i] != best;
  return first;
}

template <class T>
MINIBERT_INLINE RowLoss cross_entropy_body(const T* logits, const float* bias, float* scratch,
                                           int64_t cols, int64_t label, float grad_scale,
                                           T* grad_out) {
  add_bias(logits, bias, scratch, cols);
  const float best = row_max(scratch, cols), gold = scratch[label];
  const bool correct = is_first(scratch, label, best);
  const float total = exp_row(scratch, best, cols);
  if (grad_out != nullptr) {
    const float scale = grad_scale / total;
    const float gold_grad = scratch[label] * scale - grad_scale;
    for (int64_t i = 0; i < cols; ++i) grad_out[i] = store<T>(scratch[i] * scale);
    grad_out[label] = store<T>(gold_grad);
  }
  return {std::log(total) + best - gold, correct};
}

template <class T>
MINIBERT_INLINE TaughtLoss taught_body(const T* logits, const float* bias, float* scratch,
                                       int64_t cols, int64_t label, const TaughtRow<T>& teacher,
                                       float grad_scale, T* grad_out) {
  add_bias(logits, bias, scratch, cols);
  add_bias(teacher.logits, teacher.bias, teacher.scratch, cols);
  const float best = row_max(scratch, cols), teacher_best = row_max(teacher.scratch, cols);
  const bool correct = is_first(scratch, label, best);
  const float cold = 1.0f / teacher.temperature;
  float total = 0, soft_total = 0, teacher_total = 0, dot = 0;
#pragma omp simd reduction(+ : total, soft_total, teacher_total, dot)
  for (int64_t i = 0; i < cols; ++i) {
    const float x = scratch[i] - best, soft = x * cold;
    const float known = (teacher.scratch[i] - teacher_best) * cold, p = fast_exp(known);
    scratch[i] = x;
    teacher.scratch[i] = p;
    total += fast_exp(x);
    soft_total += fast_exp(soft);
    teacher_total += p;
    dot += p * (known - soft);
  }
  const float gold = scratch[label];
  if (grad_out != nullptr) {
    const float hard = teacher.hard * grad_scale / total;
    const float soft = teacher.soft * teacher.temperature * grad_scale;
    const float own = soft / soft_total, theirs = soft / teacher_total;
    const auto slope = [&](int64_t i) {
      return hard * fast_exp(scratch[i]) + own * fast_exp(scratch[i] * cold) -
             theirs * teacher.scratch[i];
    };
    for (int64_t i = 0; i < cols; ++i) grad_out[i] = store<T>(slope(i));
    grad_out[label] = store<T>(slope(label) - teacher.hard * grad_scale);
  }
  return {{std::log(total) - gold, correct},
          dot / teacher_total + std::log(soft_total) - std::log(teacher_total)};
}

template <class T>
MINIBERT_INLINE TaughtLoss sparse_taught_body(const T* logits, const float* bias, float* scratch,
                                              int64_t cols, int64_t label, const SparseRow& teacher,
                                              float grad_scale, T* grad_out) {
  add_bias(logits, bias, scratch, cols);
  const float best = row_max(scratch, cols), cold = 1.0f / teacher.temperature;
  const bool correct = is_first(scratch, label, best);
  float total = 0, soft_total = 0;
#pragma omp simd reduction(+ : total, soft_total)
  for (int64_t i = 0; i < cols; ++i) {
    const float x = scratch[i] - best;
    scratch[i] = x;
    total += fast_exp(x);
    soft_total += fast_exp(x * cold);
  }
  float divergence = std::log(soft_total);
  for (int64_t k = 0; k < teacher.count; ++k)
    if (const float p = teacher.probabilities[k]; p > 0)
      divergence += p * (std::log(p) - scratch[teacher.pieces[k]] * cold);
  const float gold = scratch[label];
  if (grad_out != nullptr) {
    const float hard = teacher.hard * grad_scale, own_hard = hard / total;
    const float soft = teacher.soft * teacher.temperature * grad_scale, own = soft / soft_total;
    for (int64_t i = 0; i < cols; ++i)
      scratch[i] = own_hard * fast_exp(scratch[i]) + own * fast_exp(scratch[i] * cold);
    scratch[label] -= hard;
    for (int64_t k = 0; k < teacher.count; ++k)
      scratch[teacher.pieces[k]] -= soft * teacher.probabilities[k];
    for (int64_t i = 0; i < cols; ++i) grad_out[i] = store<T>(scratch[i]);
  }
  return {{std::log(total) - gold, correct}, divergence};
}

template <class T>
MINIBERT_INLINE void column_sums_body(const T* x, int64_t rows, int64_t cols, float* sums) {
  for (int64_t row = 0; row < rows; ++row, x += cols) {
#pragma omp simd
    for (int64_t i = 0; i < cols; ++i) sums[i] += load(x[i]);
  }
}

}  // namespace

MINIBERT_CLONES void softmax_rows(const ScoreRows<float>& a) { softmax_body(a); }
MINIBERT_CLONES void softmax_rows(const ScoreRows<uint16_t>& a) { softmax_body(a); }
MINIBERT_CLONES void softmax_backward_rows(const ScoreRows<float>& a) { softmax_backward_body(a); }
MINIBERT_CLONES void softmax_backward_rows(const ScoreRows<uint16_t>& a) {
  softmax_backward_body(a);
}
MINIBERT_CLONES void gate_rows(const float* x, const float* gate, float* y, int64_t rows,
                               int64_t heads, int64_t width) {
  gate_body(x, gate, y, rows, heads, width);
}
MINIBERT_CLONES void gate_rows(const uint16_t* x, const uint16_t* gate, uint16_t* y, int64_t rows,
                               int64_t heads, int64_t width) {
  gate_body(x, gate, y, rows, heads, width);
}
MINIBERT_CLONES void gate_backward_rows(const float* x, const float* gate, const float* grad_out,
                                        float* d_x, float* d_gate, int64_t rows, int64_t heads,
                                        int64_t width) {
  gate_backward_body(x, gate, grad_out, d_x, d_gate, rows, heads, width);
}
MINIBERT_CLONES void gate_backward_rows(const uint16_t* x, const uint16_t* gate,
                                        const uint16_t* grad_out, uint16_t* d_x, uint16_t* d_gate,
                                        int64_t rows, int64_t heads, int64_t width) {
  gate_backward_body(x, gate, grad_out, d_x, d_gate, rows, heads, width);
}
MINIBERT_CLONES void norm_rows(const NormRows<float>& a) { norm_body(a); }
MINIBERT_CLONES void norm_rows(const NormRows<uint16_t>& a) { norm_body(a); }
MINIBERT_CLONES void norm_rows_backward(const NormRows<float>& a) { norm_backward_body(a); }
MINIBERT_CLONES void norm_rows_backward(const NormRows<uint16_t>& a) { norm_backward_body(a); }
MINIBERT_CLONES RowLoss cross_entropy_row(const float* logits, const float* bias, float* scratch,
                                          int64_t cols, int64_t label, float grad_scale,
                                          float* grad_out) {
  return cross_entropy_body(logits, bias, scratch, cols, label, grad_scale, grad_out);
}
MINIBERT_CLONES RowLoss cross_entropy_row(const uint16_t* logits, const float* bias, float* scratch,
                                          int64_t cols, int64_t label, float grad_scale,
                                          uint16_t* grad_out) {
  return cross_entropy_body(logits, bias, scratch, cols, label, grad_scale, grad_out);
}
MINIBERT_CLONES TaughtLoss taught_row(const float* logits, const float* bias, float* scratch,
                                      int64_t cols, int64_t label, const TaughtRow<float>& teacher,
                                      float grad_scale, float* grad_out) {
  return taught_body(logits, bias, scratch, cols, label, teacher, grad_scale, grad_out);
}
MINIBERT_CLONES TaughtLoss taught_row(const uint16_t* logits, const float* bias, float* scratch,
                                      int64_t cols, int64_t label,
                                      const TaughtRow<uint16_t>& teacher, float grad_scale,
                                      uint16_t* grad_out) {
  return taught_body(logits, bias, scratch, cols, label, teacher, grad_scale, grad_out);
}
MINIBERT_CLONES TaughtLoss sparse_taught_row(const float* logits, const float* bias, float* scratch,
                                             int64_t cols, int64_t label, const SparseRow& teacher,
                                             float grad_scale, float* grad_out) {
  return sparse_taught_body(logits, bias, scratch, cols, label, teacher, grad_scale, grad_out);
}
MINIBERT_CLONES TaughtLoss sparse_taught_row(const uint16_t* logits, const float* bias,
                                             float* scratch, int64_t cols, int64_t label,
                                             const SparseRow& teacher, float grad_scale,
                                             uint16_t* grad_out) {
  return sparse_taught_body(logits, bias, scratch, cols, label, teacher, grad_scale, grad_out);
}
MINIBERT_CLONES void add_column_sums(const float* x, int64_t rows, int64_t cols, float* sums) {
  column_sums_body(x, rows, cols, sums);
}
MINIBERT_CLONES void add_column_sums(const uint16_t* x, int64_t rows, int64_t cols, float* sums) {
  column_sums_body(x, rows, cols, sums);
}

}  // namespace minibert::kernels
