#include "infer/engine/attention.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "infer/engine/float_ops.h"
#include "rules/relative_bucket.h"

namespace minibert::infer {
namespace {

constexpr int32_t kQueryRows = 32;

int32_t round_up4(int32_t value) { return (value + 3) & ~3; }

void grow(std::vector<float>* buffer, int64_t size) {
  if (buffer->size() < static_cast<size_t>(size)) buffer->resize(static_cast<size_t>(size));
}

}  // namespace

Attention::Attention(int32_t d_model, int32_t n_heads)
    : d_model_(d_model),
      n_heads_(n_heads),
      d_head_(d_model / n_heads),
      head_stride_(round_up4(d_head_)) {}

void Attention::reserve(int32_t length) {
  const int64_t columns = round_up4(length);
  grow(&query_, int64_t(length) * d_head_);
  grow(&key_transposed_, columns * d_head_);
  grow(&value_, int64_t(length) * head_stride_);
  grow(&scores_, columns * kQueryRows);
  grow(&out_, int64_t(kQueryRows) * head_stride_);
  grow(&offset_bias_, 2 * int64_t(length) - 1);
  if (buckets_.size() >= offset_bias_.size()) return;
  buckets_.resize(offset_bias_.size());
  const auto farthest = static_cast<int64_t>(buckets_.size() / 2);
  for (int64_t offset = -farthest; offset <= farthest; ++offset)
    buckets_[static_cast<size_t>(farthest + offset)] =
        static_cast<uint8_t>(relative_bucket(offset));
}

// One head's query (scaled), and its key (transposed) and value in panels, zero-padded to vectors.
void Attention::gather(const float* qkv, int32_t length, std::span<const int32_t> queries,
                       int32_t head) {
  const int32_t columns = round_up4(length);
  const float scale = 1.0f / std::sqrt(static_cast<float>(d_head_));
  for (size_t r = 0; r < queries.size(); ++r) {
    const float* query = qkv + int64_t(queries[r]) * 3 * d_model_ + int64_t(head) * d_head_;
    for (int32_t d = 0; d < d_head_; ++d) query_[r * size_t(d_head_) + d] = query[d] * scale;
  }
  for (int32_t s = 0; s < columns; ++s) {
    float* to = key_transposed_.data() + in_panels(0, s, d_head_, columns);
    const int64_t stride = in_panels(1, s, d_head_, columns) - in_panels(0, s, d_head_, columns);
    const float* key = qkv + (int64_t(s) * 3 + 1) * d_model_ + int64_t(head) * d_head_;
    for (int32_t d = 0; d < d_head_; ++d) to[d * stride] = s < length ? key[d] : 0.0f;
  }
  for (int32_t s = 0; s < length; ++s) {
    const float* value = qkv + (int64_t(s) * 3 + 2) * d_model_ + int64_t(head) * d_head_;
    for (int32_t first = 0; first < head_stride_; first += kPanelColumns) {
      float* to = value_.data() + in_panels(s, first, length, head_stride_);
      const int32_t end = std::min(kPanelColumns, head_stride_ - first);
      for (int32_t d = 0; d < end; ++d) to[d] = first + d < d_head_ ? value[first + d] : 0.0f;
    }
  }
}

void Attention::spread_offsets(const Matrix& offsets, int32_t length, int32_t head) {
  const float* values = offsets.float32 + int64_t(head) * offsets.cols;
  const uint8_t* nearest = buckets_.data() + buckets_.size() / 2;
  for (int32_t offset = 1 - length; offset < length; ++offset)
    offset_bias_[static_cast<size_t>(length - 1 + offset)] = values[nearest[offset]];
}

void Attention::run(const float* qkv, int32_t length, std::span<const int32_t> queries,
                    const Matrix& offsets, float* context, float* kept) {
  const int32_t columns = round_up4(length), all_rows = static_cast<int32_t>(queries.size());
  for (int32_t head = 0; head < n_heads_; ++head) {
    gather(qkv, length, queries, head);
    if (offsets.rows > 0) spread_offsets(offsets, length, head);
    for (int32_t first = 0; first < all_rows; first += kQueryRows) {
      const int32_t rows = std::min(kQueryRows, all_rows - first);
      multiply(query_.data() + int64_t(first) * d_head_, d_head_, key_transposed_.data(),
               scores_.data(), columns, rows, columns, d_head_);
      for (int32_t r = 0; r < rows; ++r) {
        float* row = scores_.data() + int64_t(r) * columns;
        if (offsets.rows > 0)
          add(row, offset_bias_.data() + length - 1 - queries[size_t(first + r)], length);
        softmax(row, length);
        if (kept != nullptr)
          std::memcpy(kept + (int64_t(head) * all_rows + first + r) * length, row,
                      sizeof(float) * static_cast<size_t>(length));
      }
      multiply(scores_.data(), columns, value_.data(), out_.data(), head_stride_, rows,
               head_stride_, length);
      for (int32_t r = 0; r < rows; ++r)
        std::memcpy(context + int64_t(first + r) * d_model_ + int64_t(head) * d_head_,
                    out_.data() + int64_t(r) * head_stride_,
                    sizeof(float) * static_cast<size_t>(d_head_));
    }
  }
}

}  // namespace minibert::infer
