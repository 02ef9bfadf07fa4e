// Sentences with one blank each and the probabilities of pieces for it: soft targets from another
// program (experiments/tools/kiwi_targets.py).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "data/instances/instance_file.h"
#include "data/text_overlap.h"
#include "text/tokenizer.h"

namespace minibert {

inline constexpr int64_t kKeptPieces = 16;  // the most targets of a blank

// Immutable; threads may share it.
class Blanks {
 public:
  // Reads JSON lines, {"text": "나는 [MASK]에 간다.", "targets": {"▁학교": 0.7, "▁집": 0.3}}: one [MASK] in
  // the text, and one to kKeptPieces pieces of the vocabulary with a probability above 0. Leaves
  // out sentences that overlap `exclude` (unless null) with their most probable piece in the blank.
  // Throws Error naming file, line, found and expected.
  Blanks(const std::string& path, const Tokenizer& tokenizer, const TextOverlap* exclude);

  size_t size() const { return positions_.size(); }
  size_t excluded() const { return excluded_; }
  // Pieces in the sentence, including special ones.
  size_t length(size_t i) const { return offsets_[i + 1] - offsets_[i]; }
  // The sentence as input, without a sentence task; its label is the most probable piece.
  void instance(size_t i, MaskedInstance* out) const;
  // Returns kKeptPieces pieces, then their probabilities (float16).
  std::span<const uint16_t> targets(size_t i) const;

 private:
  std::vector<uint16_t> pieces_, positions_, targets_;
  std::vector<size_t> offsets_{0};
  size_t excluded_ = 0;
};

}  // namespace minibert
