#include "data/masking.h"

#include <algorithm>

namespace minibert {

std::vector<uint8_t> word_start_table(const Tokenizer& tokenizer) {
  std::vector<uint8_t> table(static_cast<size_t>(tokenizer.size()));
  for (int32_t id = 0; id < tokenizer.size(); ++id)
    table[static_cast<size_t>(id)] = tokenizer.starts_word(id) ? 1 : 0;
  return table;
}

void mask_instance(std::span<const uint16_t> pieces, const std::vector<uint8_t>& word_starts,
                   const MaskSettings& settings, Rng& rng, std::vector<int32_t>* ids,
                   std::vector<int32_t>* positions, std::vector<int32_t>* labels) {
  ids->assign(pieces.begin(), pieces.end());
  positions->clear();
  labels->clear();

  // Word w is candidates[starts[w] .. starts[w + 1]).
  thread_local std::vector<uint32_t> candidates, starts, order;
  candidates.clear();
  starts.clear();
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (pieces[i] < kFirstOrdinaryPiece) continue;
    if (starts.empty() || !settings.whole_words || word_starts[pieces[i]] != 0)
      starts.push_back(static_cast<uint32_t>(candidates.size()));
    candidates.push_back(static_cast<uint32_t>(i));
  }
  const size_t words = starts.size();
  starts.push_back(static_cast<uint32_t>(candidates.size()));
  order.resize(words);
  for (size_t w = 0; w < words; ++w) order[w] = static_cast<uint32_t>(w);

  const double share = (static_cast<double>(pieces.size()) - 3) * settings.probability;
  const size_t budget = share > 0 ? static_cast<size_t>(share) : 0;
  const uint64_t ordinary = word_starts.size() - kFirstOrdinaryPiece;
  for (size_t n = 0; n < words && positions->size() < budget; ++n) {
    // The shuffle, one step at a time: most instances need only the first fifth of it.
    std::swap(order[n], order[n + rng.below(words - n)]);
    const uint32_t begin = starts[order[n]], end = starts[order[n] + 1];
    if (positions->size() + (end - begin) > budget) continue;
    const double dice = rng.uniform();
    for (uint32_t k = begin; k < end; ++k) {
      const uint32_t at = candidates[k];
      positions->push_back(static_cast<int32_t>(at));
      if (dice < 0.8) {
        (*ids)[at] = kMask;
      } else if (dice >= 0.9) {
        (*ids)[at] = kFirstOrdinaryPiece + static_cast<int32_t>(rng.below(ordinary));
      }
    }
  }
  std::sort(positions->begin(), positions->end());
  for (const int32_t at : *positions) labels->push_back(pieces[static_cast<size_t>(at)]);
}

}  // namespace minibert
