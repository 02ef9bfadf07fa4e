// Sentences with one blank each and how probable the pieces are that may stand there: soft targets that another
// program has made (experiments/tools/kiwi_targets.py).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "data/instances/instance_file.h"
#include "data/text_overlap.h"
#include "text/tokenizer.h"

namespace minibert {

// Immutable: shared by any number of threads.
class Blanks {
 public:
  // Reads JSON lines, {"text": "나는 [MASK]에 간다.", "targets": {"▁학교": 0.7, "▁집": 0.3}}: one [MASK] in the text, one to
  // kKeptPieces pieces of the vocabulary with a probability above 0. Leaves out sentences that overlap `exclude`, where
  // it is not null, with their most probable piece in the blank. Throws an Error that names file, line, found and
  // expected.
  Blanks(const std::string& path, const Tokenizer& tokenizer, const TextOverlap* exclude);

  size_t size() const { return positions_.size(); }
  size_t excluded() const { return excluded_; }
  // Pieces of the sentence, the special ones included.
  size_t length(size_t i) const { return offsets_[i + 1] - offsets_[i]; }
  // The sentence as it is shown, without a sentence task; its label is the most probable piece.
  void instance(size_t i, MaskedInstance* out) const;
  // The pieces and then their probabilities (float16), kKeptPieces each, as TeacherTargets::of gives them.
  std::span<const uint16_t> targets(size_t i) const;

 private:
  std::vector<uint16_t> pieces_, positions_, targets_;
  std::vector<size_t> offsets_{0};
  size_t excluded_ = 0;
};

}  // namespace minibert
