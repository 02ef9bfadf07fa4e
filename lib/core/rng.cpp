#include "core/rng.h"

namespace minibert {

uint64_t derive_seed(uint64_t seed, std::string_view purpose, uint64_t epoch, uint64_t index) {
  uint64_t hash = 0xcbf29ce484222325ULL;
  for (unsigned char c : purpose) hash = (hash ^ c) * 0x100000001b3ULL;
  uint64_t key = hash;
  for (uint64_t word : {seed, epoch, index}) key = Rng(key ^ word).next();
  return key;
}

}  // namespace minibert
