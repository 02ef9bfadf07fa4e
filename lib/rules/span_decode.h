// Finds the best valid answer spans and their probabilities from start and end logits.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace minibert {

struct SpanSettings {
  int max_answer = 30;  // pieces
  int n_best = 20;
};

// A span of context pieces [start, end], inclusive; score = start logit + end logit + length score.
struct Span {
  uint32_t start, end;
  float score;
  double probability;  // set by combine_spans
};

// Returns the n-best valid spans of one window, best first: start <= end, at most max_answer
// pieces, inside the context. `start` and `end` hold the logits of the window's `count` context
// pieces; `first` is added to the positions. length_scores: scores of spans of 1, 2, … pieces
// (longer spans get the last); empty: none.
std::vector<Span> best_spans(const float* start, const float* end, uint32_t count, uint32_t first,
                             const SpanSettings& settings,
                             std::span<const float> length_scores = {});

// Merges the spans of all windows of one question, best first, at most n_best; a span in several
// windows keeps its best score. probability is the softmax over the spans kept, as in the SQuAD
// code of Devlin et al. 2019.
std::vector<Span> combine_spans(const std::vector<std::vector<Span>>& windows,
                                const SpanSettings& settings);

}  // namespace minibert
