// Chooses masked-LM targets of one instance, as the course does (S0: create_pretrain_mask), with
// token-level masking and independent choices as options (S2: make_mlm_inputs_and_labels).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/rng.h"
#include "text/tokenizer.h"

namespace minibert {

enum class MaskChoice {
  budget,  // words are drawn until a share of the instance's pieces is reached (the course, BERT)
  independent,  // each word is drawn by itself, so that the number varies (S2)
};

enum class MaskReplacement {
  bert,  // a chosen word becomes [MASK] (80 %), stays (10 %) or becomes random (Devlin et al.)
  mask,  // always [MASK] (BabyBERTa, Huebner et al. 2021)
};

struct MaskSettings {
  double probability = 0.15;  // for a piece, in [0, 1]; with a budget the largest share
  bool whole_words = true;    // false: every piece is a word
  MaskChoice choice = MaskChoice::budget;
  MaskReplacement replacement = MaskReplacement::bert;
  // An instance without a chosen word gets one, whatever its length, unless the probability is 0
  // (BERT's max(1, …)). False: as in the first records.
  bool at_least_one = false;

  bool operator==(const MaskSettings&) const = default;
};

// A piece's role in masking. Persisted in instance files, never to be changed.
enum PieceRole : uint8_t {
  kContinuesWord = 0,
  kStartsWord = 1,
  kNoText = 2,  // special: never chosen and never drawn, like the following roles
  kIsMask = 3,
  kIsCls = 4,
  kIsSep = 5,
};

// The roles of a vocabulary for instances and masks. Immutable; threads may share it.
class PieceRoles {
 public:
  explicit PieceRoles(const Tokenizer& tokenizer);
  // Takes a role for every piece. Throws Error for an unknown role, no ordinary piece, or not
  // exactly one mask, [CLS] and [SEP].
  explicit PieceRoles(std::vector<uint8_t> roles);

  size_t size() const { return roles_.size(); }  // pieces in the vocabulary
  const std::vector<uint8_t>& table() const { return roles_; }
  bool is_ordinary(uint16_t id) const { return roles_[id] <= kStartsWord; }
  bool starts_word(uint16_t id) const { return roles_[id] == kStartsWord; }
  const std::vector<uint16_t>& ordinary() const { return ordinary_; }  // ids, ascending
  uint16_t mask() const { return mask_; }
  uint16_t cls() const { return cls_; }
  uint16_t sep() const { return sep_; }

 private:
  std::vector<uint8_t> roles_;
  std::vector<uint16_t> ordinary_;
  uint16_t mask_ = 0, cls_ = 0, sep_ = 0;
};

// Chooses the positions to predict and writes the model's input.
//
// budget: words are shuffled and taken in that order while they fit a budget of floor((length - 3)
// * probability) positions; a word that would exceed it is skipped. independent: each word is taken
// with the probability. at_least_one: if no word was taken, one is drawn among all. One draw a word
// decides its replacement (MaskReplacement); a random ordinary piece is drawn for every position.
// Special pieces are never chosen and never drawn.
//
// As in the course a word is a piece that starts one and the following pieces that do not, and
// [CLS] and [SEP] do not end it: a segment B that begins inside a word (its front was trimmed away,
// or the order was swapped) continues the last word of A. The same holds for any special piece in
// the text.
//
//   pieces       the instance with its special pieces; every id is below roles.size()
//   ids          out: the input, as long as pieces
//   positions    out: the chosen positions, ascending
//   labels       out: the original ids there
//
// Does not allocate once the outputs and this thread's scratch memory have grown. Thread-safe.
void mask_instance(std::span<const uint16_t> pieces, const PieceRoles& roles,
                   const MaskSettings& settings, Rng& rng, std::vector<int32_t>* ids,
                   std::vector<int32_t>* positions, std::vector<int32_t>* labels);

}  // namespace minibert
