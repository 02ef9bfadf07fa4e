#include "rules/span_decode.h"

#include <algorithm>
#include <cmath>

namespace minibert {
namespace {

// Ties go to the earlier, then the shorter span, so that results never depend on sorting.
bool better(const Span& a, const Span& b) {
  if (a.score != b.score) return a.score > b.score;
  if (a.start != b.start) return a.start < b.start;
  return a.end < b.end;
}

bool same_place(const Span& a, const Span& b) { return a.start == b.start && a.end == b.end; }

}  // namespace

std::vector<Span> best_spans(const float* start, const float* end, uint32_t count, uint32_t first,
                             const SpanSettings& settings, std::span<const float> length_scores) {
  const auto length_score = [&](uint32_t length) {
    return length_scores.empty()
               ? 0.0F
               : length_scores[std::min<size_t>(length, length_scores.size()) - 1];
  };
  const auto limit = static_cast<size_t>(settings.n_best);
  const auto longest = static_cast<uint32_t>(settings.max_answer);
  std::vector<Span> heap;  // the worst of the kept spans on top
  heap.reserve(limit + 1);
  for (uint32_t s = 0; s < count; ++s)
    for (uint32_t e = s; e < std::min(count, s + longest); ++e) {
      const Span span{first + s, first + e, start[s] + end[e] + length_score(e - s + 1), 0};
      if (heap.size() == limit && !better(span, heap.front())) continue;
      heap.push_back(span);
      std::push_heap(heap.begin(), heap.end(), better);
      if (heap.size() <= limit) continue;
      std::pop_heap(heap.begin(), heap.end(), better);
      heap.pop_back();
    }
  std::sort_heap(heap.begin(), heap.end(), better);
  return heap;
}

std::vector<Span> combine_spans(const std::vector<std::vector<Span>>& windows,
                                const SpanSettings& settings) {
  std::vector<Span> all;
  for (const auto& window : windows) all.insert(all.end(), window.begin(), window.end());
  std::sort(all.begin(), all.end(), better);
  std::vector<Span> kept;
  for (const Span& span : all) {
    if (kept.size() == static_cast<size_t>(settings.n_best)) break;
    const auto seen = [&](const Span& other) { return same_place(span, other); };
    if (std::none_of(kept.begin(), kept.end(), seen)) kept.push_back(span);
  }
  double total = 0;
  for (Span& span : kept) total += span.probability = std::exp(span.score - kept[0].score);
  for (Span& span : kept) span.probability /= total;
  return kept;
}

}  // namespace minibert
