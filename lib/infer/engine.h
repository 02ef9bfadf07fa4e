// The forward pass of a BERT for masked positions, from int8 or float32 weights.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "infer/kernels.h"
#include "infer/model.h"
#include "infer/status.h"

namespace minibert::infer {

struct Candidate {
  int32_t id = 0;
  float probability = 0;
};

// Owns the working memory of one thread. Allocates when it first sees an input longer than any
// before (or is first asked for attention at that length), and never again below that.
class Engine {
 public:
  // `model` must outlive the engine. `kernel` must be available().
  explicit Engine(const Model& model, Kernel kernel = best_kernel());
  ~Engine();
  Engine(Engine&&) noexcept;
  Engine& operator=(Engine&&) noexcept;

  // Runs the encoder over ids (each in [0, vocab_size)) and segments (0 or 1; empty: all 0),
  // without padding. With `wanted` positions (ascending; empty: all) the last layer does the work
  // of those alone, which changes none of their numbers; attention is kept for all only.
  // Errors: empty input, more than max_positions, an id, segment or position out of range, weights
  // so extreme that the result is not finite.
  Status encode(std::span<const int32_t> ids, std::span<const uint8_t> segments = {},
                bool keep_attention = false, std::span<const int32_t> wanted = {});

  int32_t length() const;                 // of the last encode
  std::span<const float> hidden() const;  // [wanted or all positions, d_model] of the last encode

  // Logits [vocab_size] of one wanted position of the last encode; valid until the next call.
  std::span<const float> logits(int32_t position);

  // After logits(): the `out.size()` most probable ids, best first, ties by id. `allowed` (empty:
  // all) has one byte an id, and probabilities are over the ids that it allows. Returns how many
  // there are.
  size_t top_k(std::span<Candidate> out, std::span<const uint8_t> allowed = {}) const;

  // Attention probabilities [length, length] (row: from, column: to) of the last encode, which must
  // have been asked to keep them; else empty.
  std::span<const float> attention(int32_t layer, int32_t head) const;

  Kernel kernel() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace minibert::infer
