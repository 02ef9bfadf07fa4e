// Relative positions in buckets, one learned attention bias each (T5: Raffel et al. 2020, section
// 2.1; both directions). Training and the portable engine both use them.
#pragma once

#include <cstdint>

namespace minibert {

inline constexpr int64_t kRelativeBuckets = 32;

// Returns the bucket of key position - query position: 0 to 15 for keys at or before the query, 16
// to 31 after it. Distances below 8 have one bucket each; farther ones share buckets that begin at
// 8 · 2^(i/2), rounded up; the last holds all from 91 on.
constexpr int64_t relative_bucket(int64_t offset) {
  constexpr int64_t kSide = kRelativeBuckets / 2, kFirstShared = 8;
  constexpr int64_t kBegins[] = {8, 12, 16, 23, 32, 46, 64, 91};
  const int64_t side = offset > 0 ? kSide : 0, distance = offset < 0 ? -offset : offset;
  if (distance < kFirstShared) return side + distance;
  int64_t bucket = kSide - 1;
  while (distance < kBegins[bucket - kFirstShared]) --bucket;
  return side + bucket;
}

}  // namespace minibert
