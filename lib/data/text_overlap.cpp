#include "data/text_overlap.h"

#include <algorithm>

#include "core/characters.h"
#include "core/sha256.h"
#include "core/utf8.h"

namespace minibert {
namespace {

constexpr size_t kFilterBits = size_t{1} << 24;

// The finalizer of SplitMix64: spreads a polynomial hash over all bits.
uint64_t spread(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

// Calls visit(hash) for every n-gram, for a shorter text once for all of it, until it says true.
template <class Visit>
bool any_ngram(std::string_view text, const Visit& visit) {
  constexpr uint64_t kBase = 0x9e3779b97f4a7c15ULL;  // odd: a polynomial modulo 2^64
  const std::u32string read = letters_of(text);
  uint64_t gone = 1;  // kBase to the power kLetters
  for (size_t i = 0; i < TextOverlap::kLetters; ++i) gone *= kBase;
  uint64_t hash = 0;
  for (size_t i = 0; i < read.size(); ++i) {
    hash = hash * kBase + read[i];
    if (i >= TextOverlap::kLetters) hash -= gone * read[i - TextOverlap::kLetters];
    if (i + 1 >= TextOverlap::kLetters && visit(spread(hash))) return true;
  }
  return read.size() < TextOverlap::kLetters && !read.empty() && visit(spread(hash));
}

}  // namespace

std::u32string letters_of(std::string_view text) {
  std::u32string out;
  for (char32_t c : to_code_points(text)) {
    if (c >= U'A' && c <= U'Z') c += U'a' - U'A';
    if (is_letter_or_digit(c)) out.push_back(c);
  }
  return out;
}

void TextOverlap::add(std::string_view text) {
  any_ngram(text, [&](uint64_t hash) {
    hashes_.push_back(hash);
    return false;
  });
}

void TextOverlap::finish() {
  std::ranges::sort(hashes_);
  hashes_.erase(std::unique(hashes_.begin(), hashes_.end()), hashes_.end());
  may_have_.assign(kFilterBits, false);
  for (const uint64_t hash : hashes_) may_have_[hash % kFilterBits] = true;
}

size_t TextOverlap::place_of(uint64_t hash) const {
  if (!may_have_[hash % kFilterBits]) return kNone;
  const auto found = std::ranges::lower_bound(hashes_, hash);
  return found != hashes_.end() && *found == hash ? static_cast<size_t>(found - hashes_.begin())
                                                  : kNone;
}

bool TextOverlap::overlaps(std::string_view paragraph) const {
  return any_ngram(paragraph, [&](uint64_t hash) { return place_of(hash) != kNone; });
}

void TextOverlap::mark(std::string_view paragraph, std::vector<bool>* seen) const {
  any_ngram(paragraph, [&](uint64_t hash) {
    if (const size_t place = place_of(hash); place != kNone) (*seen)[place] = true;
    return false;
  });
}

double TextOverlap::share(std::string_view text, const std::vector<bool>& seen) const {
  size_t all = 0, marked = 0;
  any_ngram(text, [&](uint64_t hash) {
    const size_t place = place_of(hash);
    ++all;
    marked += place != kNone && seen[place];
    return false;
  });
  return all == 0 ? 0 : static_cast<double>(marked) / static_cast<double>(all);
}

std::string TextOverlap::sha256() const {
  return sha256_hex(std::string_view(reinterpret_cast<const char*>(hashes_.data()),
                                     hashes_.size() * sizeof(uint64_t)));
}

}  // namespace minibert
