// The forward pass of a BERT, for masked positions, answers, labels or tags, from int8 or float32 weights.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "infer/engine/model.h"
#include "infer/engine/ranking.h"
#include "infer/engine/trace.h"
#include "infer/format/status.h"
#include "infer/kernels/kernels.h"

namespace minibert::infer {

// Owns the working memory of one thread. Allocates when it first sees an input longer than any
// before (or is first asked for attention at that length), and never again below that.
class Engine {
 public:
  // `model` must outlive the engine. `kernel` must be available().
  explicit Engine(const Model& model, Kernel kernel = best_kernel());
  ~Engine();
  Engine(Engine&&) noexcept;
  Engine& operator=(Engine&&) noexcept;

  // Runs the encoder over ids (each in [0, vocab_size)) and segments (each in [0, segments); empty: all 0),
  // without padding. With `wanted` positions (ascending; empty: all) the last layer does the work
  // of those alone, which changes none of their numbers; attention is kept for all only.
  // Errors: empty input, more than max_positions, an id, segment or position out of range, weights
  // so extreme that the result is not finite.
  Status encode(std::span<const int32_t> ids, std::span<const uint8_t> segments = {},
                bool keep_attention = false, std::span<const int32_t> wanted = {});

  // encode() of all positions with attention kept, telling also what it did. Allocates.
  Status trace(std::span<const int32_t> ids, Trace* trace);

  int32_t length() const;                 // of the last encode
  std::span<const float> hidden() const;  // [wanted or all positions, d_model] of the last encode

  // Logits [vocab_size] of one wanted position of the last encode; valid until the next call. Empty of a
  // model that does not fill masks, here and below.
  std::span<const float> logits(int32_t position);

  // What the span head, which the model must have, makes of every row of hidden(): start and end logit
  // [rows, 2]. Valid until the next call.
  std::span<const float> span_logits();

  // What the sequence head, which the model must have, makes of the last encode, of position 0 alone or of
  // all as ClassifyConfig::mean_pooling says: [labels]. Valid until the next call.
  std::span<const float> label_logits();

  // What the tagging head, which the model must have, makes of every row of hidden(): [rows, tags]. Valid
  // until the next call.
  std::span<const float> tag_logits();

  // Logits [vocab_size] that the output head gives a state of Trace::states_LSD [d_model]; of the
  // last layer's states they are those of logits(). Valid until the next call.
  std::span<const float> logits_of(std::span<const float> state_D);

  // After logits(): the ordinary pieces of the input, each once, and what their scores got on top for
  // being shown; empty where the model has no such bonus.
  std::span<const int32_t> shown_pieces() const;
  std::span<const float> shown_bonus() const;

  // After logits(): best_of() and standing_of() them.
  size_t top_k(std::span<Candidate> out, std::span<const uint8_t> allowed = {}) const;
  Standing place(int32_t id, std::span<const uint8_t> allowed = {}) const;

  // Attention probabilities [length, length] (row: from, column: to) of the last encode, which must
  // have been asked to keep them; else empty, and so of a local layer, which has none. Those of the
  // layers with attention lie one after the other, [A, H, length, length].
  std::span<const float> attention(int32_t layer, int32_t head) const;

  Kernel kernel() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace minibert::infer
