// Spans from logits, against trying every pair.
#include "rules/span_decode.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "core/rng.h"

namespace minibert::infer {
namespace {

struct Logits {
  std::vector<float> start, end;
};

// Halves, so that equal scores are common.
Logits random_logits(uint32_t count, Rng& rng) {
  Logits out;
  for (uint32_t i = 0; i < count; ++i) {
    out.start.push_back(static_cast<float>(rng.below(13)) / 2 - 3);
    out.end.push_back(static_cast<float>(rng.below(13)) / 2 - 3);
  }
  return out;
}

// Every allowed pair, best first: by score, then by start, then by end.
std::vector<Span> all_spans(const Logits& logits, uint32_t first, int max_answer,
                            const std::vector<float>& lengths) {
  std::vector<Span> out;
  const auto count = static_cast<uint32_t>(logits.start.size());
  for (uint32_t s = 0; s < count; ++s)
    for (uint32_t e = 0; e < count; ++e)
      if (s <= e && e - s + 1 <= static_cast<uint32_t>(max_answer))
        out.push_back(
            {first + s, first + e,
             logits.start[s] + logits.end[e] +
                 (lengths.empty() ? 0 : lengths[std::min<size_t>(e - s, lengths.size() - 1)]),
             0});
  std::stable_sort(out.begin(), out.end(),
                   [](const Span& a, const Span& b) { return a.score > b.score; });
  return out;
}

std::vector<Span> found(const Logits& logits, uint32_t first, const SpanSettings& settings,
                        const std::vector<float>& lengths = {}) {
  return best_spans(logits.start.data(), logits.end.data(),
                    static_cast<uint32_t>(logits.start.size()), first, settings, lengths);
}

void check_same(const std::vector<Span>& a, const std::vector<Span>& b) {
  REQUIRE(a.size() == b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    CAPTURE(i);
    CHECK(a[i].start == b[i].start);
    CHECK(a[i].end == b[i].end);
    CHECK(a[i].score == b[i].score);
  }
}

}  // namespace

TEST_CASE("the n best spans are those of trying every pair") {
  Rng rng(1, "decode");
  for (const uint32_t count : {1U, 2U, 7U, 29U, 30U, 31U, 90U})
    for (const int max_answer : {1, 3, 30})
      for (const int n_best : {1, 5, 20}) {
        const std::vector<float> lengths =
            n_best == 5 ? std::vector<float>{-1, 0.5F, 0, -2} : std::vector<float>{};
        CAPTURE(count, max_answer, n_best);
        const Logits logits = random_logits(count, rng);
        const uint32_t first = static_cast<uint32_t>(rng.below(50));
        auto expected = all_spans(logits, first, max_answer, lengths);
        expected.resize(std::min(expected.size(), static_cast<size_t>(n_best)));
        check_same(found(logits, first, {max_answer, n_best}, lengths), expected);
      }
}

TEST_CASE("an answer has at most 30 pieces, however good a longer one looks") {
  Logits logits{std::vector<float>(60, 0.0f), std::vector<float>(60, 0.0f)};
  logits.start[10] = 50, logits.end[40] = 50;  // 31 pieces
  logits.end[39] = 10;                         // 30 pieces
  const auto spans = found(logits, 0, {});
  CHECK(spans[0].start == 10);
  CHECK(spans[0].end == 39);
  for (const Span& span : spans) CHECK(span.end - span.start < 30);
}

TEST_CASE("a length that answers seldom have costs a span its place") {
  Logits logits{std::vector<float>(10, 0.0f), std::vector<float>(10, 0.0f)};
  logits.start[2] = 3, logits.end[7] = 3, logits.end[3] = 2.5F;
  CHECK(found(logits, 0, {})[0].end == 7);
  const std::vector<float> lengths{-2, -0.5F, -3};  // six pieces count as three
  CHECK(found(logits, 0, {}, lengths)[0].end == 3);
  CHECK(found(logits, 0, {}, lengths)[0].score == 5);
}

TEST_CASE("an end before the start is no answer") {
  Logits logits{std::vector<float>(5, 0.0f), std::vector<float>(5, 0.0f)};
  logits.start[4] = 9, logits.end[0] = 9;
  for (const Span& span : found(logits, 0, {})) CHECK(span.start <= span.end);
}

TEST_CASE("logits beyond the context are not looked at") {
  const std::vector<float> start{0, 1, 99}, end{0, 1, 99};
  const auto spans = best_spans(start.data(), end.data(), 2, 100, {});
  REQUIRE(spans.size() == 3);
  CHECK(spans[0].start == 101);
  CHECK(spans[0].end == 101);
  CHECK(spans[0].score == 2);
}

TEST_CASE("no context, no answer") {
  CHECK(best_spans(nullptr, nullptr, 0, 0, {}).empty());
  CHECK(combine_spans({}, {}).empty());
  CHECK(combine_spans({{}, {}}, {}).empty());
}

TEST_CASE("windows are merged: a span seen twice keeps its best score") {
  const std::vector<Span> first{{3, 4, 2.0f, 0}, {1, 1, 1.0f, 0}},
      second{{3, 4, 5.0f, 0}, {7, 9, 3.0f, 0}};
  const auto best = combine_spans({first, second}, {30, 20});
  check_same(best, {{3, 4, 5.0f, 0}, {7, 9, 3.0f, 0}, {1, 1, 1.0f, 0}});
  check_same(combine_spans({first, second}, {30, 2}), {{3, 4, 5.0f, 0}, {7, 9, 3.0f, 0}});
}

TEST_CASE("probabilities are the softmax of the scores that are kept") {
  const auto best =
      combine_spans({{{0, 0, 80.0f, 0}, {1, 2, 79.0f, 0}, {5, 5, 60.0f, 0}}}, {30, 2});
  REQUIRE(best.size() == 2);
  CHECK(best[0].probability == Approx(1 / (1 + std::exp(-1.0))));
  CHECK(best[0].probability + best[1].probability == Approx(1));
}

}  // namespace minibert::infer
