#include "infer/engine/ranking.h"

#include <cmath>

#include "infer/engine/float_ops.h"

namespace minibert::infer {

size_t best_of(std::span<const float> logits_V, std::span<const uint8_t> allowed,
               std::span<Candidate> out) {
  size_t found = 0;
  for (size_t id = 0; id < logits_V.size(); ++id) {
    if (!allowed.empty() && allowed[id] == 0) continue;
    const float logit = logits_V[id];
    if (!(found < out.size() || (found > 0 && logit > out[found - 1].probability))) continue;
    if (std::isnan(logit)) continue;
    // Insertion from behind; an equal logit of a smaller id stays in front.
    size_t at = found < out.size() ? found++ : found - 1;
    for (; at > 0 && out[at - 1].probability < logit; --at) out[at] = out[at - 1];
    out[at] = {static_cast<int32_t>(id), logit};
  }
  if (found == 0) return 0;
  const float largest = out[0].probability;
  const float total =
      sum_of_exponentials(logits_V.data(), largest, static_cast<int32_t>(logits_V.size()),
                          allowed.empty() ? nullptr : allowed.data());
  for (size_t i = 0; i < found; ++i)
    out[i].probability = sum_of_exponentials(&out[i].probability, largest, 1) / total;
  return found;
}

Standing standing_of(std::span<const float> logits_V, std::span<const uint8_t> allowed,
                     int32_t id) {
  Candidate best;
  const size_t index = size_t(id);
  if (id < 0 || index >= logits_V.size() || (!allowed.empty() && allowed[index] == 0) ||
      best_of(logits_V, allowed, {&best, 1}) == 0)
    return {};
  size_t rank = 1;
  for (size_t other = 0; other < logits_V.size(); ++other) {
    const bool before =
        logits_V[other] > logits_V[index] || (logits_V[other] == logits_V[index] && other < index);
    if (before && (allowed.empty() || allowed[other] != 0)) ++rank;
  }
  const float over_best = sum_of_exponentials(&logits_V[index], logits_V[size_t(best.id)], 1);
  return {rank, over_best * best.probability};
}

}  // namespace minibert::infer
