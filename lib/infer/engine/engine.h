// The forward pass of a BERT for masks, answers, labels or tags, with int8 or float32 weights.
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
#include "rules/intervention.h"

namespace minibert::infer {

// The error for results that are not all finite (all_finite); such results cannot be compared.
Status not_finite();

// Owns the working memory of one thread. Allocates for the longest input so far (and for the first
// request of attention at that length), and otherwise never.
class Engine {
 public:
  // `model` must outlive the engine. `kernel` must be available().
  explicit Engine(const Model& model, Kernel kernel = best_kernel());
  ~Engine();
  Engine(Engine&&) noexcept;
  Engine& operator=(Engine&&) noexcept;

  // Runs the encoder over ids (each in [0, vocab_size)) and segments (each in [0, segments); empty:
  // all 0), without padding. With `wanted` positions (ascending; empty: all) the last layer
  // computes only these, with the same numbers; attention is kept only for all positions. Fails for
  // empty input, more than max_positions, an id, segment or position out of range, and weights so
  // extreme that the result is not finite.
  Status encode(std::span<const int32_t> ids, std::span<const uint8_t> segments = {},
                bool keep_attention = false, std::span<const int32_t> wanted = {});

  // Changes all later passes; an empty intervention changes nothing. Fails, and changes nothing,
  // for a layer, head or stage that the model lacks, or a state that is not [d_model]. encode()
  // fails for a patch behind the end of an input.
  Status intervene(Intervention what);
  void restore();           // removes the intervention
  bool is_patched() const;  // true if the intervention has patches

  // Encodes all positions, keeps attention and records the pass. Allocates.
  Status trace(std::span<const int32_t> ids, Trace* trace);

  int32_t length() const;                 // of the last encode()
  std::span<const float> hidden() const;  // [wanted or all positions, d_model] of the last encode()

  // Logits [vocab_size] of one wanted position of the last encode(); valid until the next call.
  // Empty if the model does not fill masks, here and below.
  std::span<const float> logits(int32_t position);

  // Start and end logit of every row of hidden() by the span head, which the model must have:
  // [rows, 2]. Valid until the next call.
  std::span<const float> span_logits();

  // Logits of the last encode() by the sequence head, which the model must have: [labels]. The head
  // reads position 0 or, with ClassifyConfig::mean_pooling, all. Valid until the next call.
  std::span<const float> label_logits();

  // Logits of every row of hidden() by the tagging head, which the model must have: [rows, tags].
  // Valid until the next call.
  std::span<const float> tag_logits();

  // Logits [vocab_size] of the output head for a state of Trace::states_LSD [d_model]; for the last
  // layer's states they equal logits(). Valid until the next call.
  std::span<const float> logits_of(std::span<const float> state_D);

  // Call after logits(): the ordinary pieces of the input, each once, and their bonuses; empty if
  // the model has no bonus.
  std::span<const int32_t> shown_pieces() const;
  std::span<const float> shown_bonus() const;

  // Call after logits(): best_of() and standing_of() its logits.
  size_t top_k(std::span<Candidate> out, std::span<const uint8_t> allowed = {}) const;
  Standing place(int32_t id, std::span<const uint8_t> allowed = {}) const;

  // Attention probabilities [length, length] (row: from, column: to) of the last encode(). Empty if
  // it was not told to keep them, and for a local layer. All layers with attention are contiguous,
  // [A, H, length, length].
  std::span<const float> attention(int32_t layer, int32_t head) const;

  Kernel kernel() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace minibert::infer
