#include "data/masking.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>

#include "corpus/sample.h"
#include "data/corpus.h"

namespace minibert::testing {
namespace {

struct Masked {
  std::vector<int32_t> ids, positions, labels;
};

Masked mask(const std::vector<uint16_t>& pieces, const std::vector<uint8_t>& word_starts,
            const MaskSettings& settings, uint64_t seed) {
  Masked out;
  Rng rng(seed);
  mask_instance(pieces, word_starts, settings, rng, &out.ids, &out.positions, &out.labels);
  return out;
}

// Instances of the sample's paragraphs: [CLS] paragraph [SEP] next [SEP], at most 128 pieces.
const std::vector<std::vector<uint16_t>>& sample_pieces() {
  static const auto all = [] {
    std::vector<std::vector<uint16_t>> made;
    CorpusReader reader({kSampleText});
    for (Document document; reader.next(&document);) {
      for (size_t i = 1; i < document.paragraphs.size(); ++i) {
        std::vector<uint16_t> pieces = {kCls};
        for (size_t k = i - 1; k <= i; ++k) {
          const auto ids = sample_tokenizer().encode(document.paragraphs[k]);
          pieces.insert(pieces.end(), ids.begin(), ids.begin() + std::min<size_t>(ids.size(), 62));
          pieces.push_back(kSep);
        }
        made.push_back(std::move(pieces));
      }
    }
    return made;
  }();
  return all;
}

// The word of every position by the course's rule, written the obvious way; -1 for special pieces.
std::vector<int> words_of(const std::vector<uint16_t>& pieces, const Tokenizer& tokenizer) {
  std::vector<int> words;
  int word = -1;
  for (const uint16_t id : pieces) {
    if (id < kFirstOrdinaryPiece) {
      words.push_back(-1);
      continue;
    }
    if (word < 0 || tokenizer.piece(id).starts_with("▁")) ++word;
    words.push_back(word);
  }
  return words;
}

}  // namespace

TEST_CASE("masks are whole words within the budget, labels are the original pieces") {
  const auto starts = word_start_table(sample_tokenizer());
  size_t full_budget = 0;
  for (const auto& pieces : sample_pieces()) {
    const auto words = words_of(pieces, sample_tokenizer());
    for (uint64_t seed = 0; seed < 5; ++seed) {
      const Masked m = mask(pieces, starts, {}, seed);
      const auto budget = static_cast<size_t>(0.15 * static_cast<double>(pieces.size() - 3));
      REQUIRE(m.ids.size() == pieces.size());
      REQUIRE(m.positions.size() <= budget);
      REQUIRE(m.labels.size() == m.positions.size());
      REQUIRE(std::is_sorted(m.positions.begin(), m.positions.end()));
      REQUIRE(std::adjacent_find(m.positions.begin(), m.positions.end()) == m.positions.end());
      full_budget += m.positions.size() == budget;
      std::map<int, int> chosen, kinds;
      for (size_t k = 0; k < m.positions.size(); ++k) {
        const auto at = static_cast<size_t>(m.positions[k]);
        REQUIRE(m.labels[k] == pieces[at]);
        REQUIRE(pieces[at] >= kFirstOrdinaryPiece);
        REQUIRE((m.ids[at] == kMask || m.ids[at] >= kFirstOrdinaryPiece));
        REQUIRE(m.ids[at] < sample_tokenizer().size());
        ++chosen[words[at]];
        kinds[words[at]] += m.ids[at] == kMask;
      }
      for (const auto& [word, count] : chosen) {
        REQUIRE(count == std::count(words.begin(), words.end(), word));
        REQUIRE((kinds[word] == 0 || kinds[word] == count));  // one throw a word
      }
      for (size_t i = 0; i < pieces.size(); ++i)
        if (!std::binary_search(m.positions.begin(), m.positions.end(), static_cast<int32_t>(i)))
          REQUIRE(m.ids[i] == pieces[i]);
    }
  }
  CHECK(full_budget > sample_pieces().size() * 5 / 2);
}

TEST_CASE("of the chosen words 80 % are masked, 10 % stay and 10 % become random pieces") {
  const auto starts = word_start_table(sample_tokenizer());
  for (const bool whole_words : {true, false}) {
    INFO("whole words: " << whole_words);
    double masked = 0, same = 0, other = 0, words = 0, pieces_seen = 0, chosen = 0;
    for (size_t i = 0; i < sample_pieces().size(); ++i) {
      const auto& pieces = sample_pieces()[i];
      const auto word = words_of(pieces, sample_tokenizer());
      for (uint64_t epoch = 0; epoch < 60; ++epoch) {
        const Masked m =
            mask(pieces, starts, {.whole_words = whole_words}, derive_seed(1, "test", epoch, i));
        pieces_seen += static_cast<double>(pieces.size());
        chosen += static_cast<double>(m.positions.size());
        int last = -1;
        for (size_t k = 0; k < m.positions.size(); ++k) {
          const auto at = static_cast<size_t>(m.positions[k]);
          if (whole_words && word[at] == last) continue;  // one throw a word
          last = word[at];
          ++words;
          masked += m.ids[at] == kMask;
          same += m.ids[at] == m.labels[k];
          other += m.ids[at] != kMask && m.ids[at] != m.labels[k];
        }
      }
    }
    REQUIRE(words > 50000);
    const double tolerance = 4 * std::sqrt(0.16 / words);  // four standard deviations of the first
    CHECK(std::abs(masked / words - 0.8) < tolerance);
    CHECK(std::abs(same / words - 0.1) < tolerance);
    CHECK(std::abs(other / words - 0.1) < tolerance);
    CHECK(chosen / pieces_seen > 0.12);
    CHECK(chosen / pieces_seen <= 0.15);
  }
}

TEST_CASE("every word is as likely to be chosen, and every ordinary piece to be drawn") {
  // Twenty words of two pieces: the budget of floor(40 * 0.15) = 6 holds three.
  std::vector<uint8_t> starts(kFirstOrdinaryPiece + 10, 0);
  starts[7] = 1;
  std::vector<uint16_t> pieces = {kCls};
  for (int i = 0; i < 20; ++i) {
    pieces.insert(pieces.end(), {7, 8});
    if (i == 9) pieces.push_back(kSep);
  }
  pieces.push_back(kSep);
  std::map<int32_t, int> chosen, drawn;
  constexpr int kRounds = 40000;
  for (int seed = 0; seed < kRounds; ++seed) {
    const Masked m = mask(pieces, starts, {}, derive_seed(1, "test", 0, seed));
    REQUIRE(m.positions.size() == 6);
    for (size_t k = 0; k < 6; ++k) {
      ++chosen[m.positions[k]];
      const int32_t id = m.ids[static_cast<size_t>(m.positions[k])];
      if (id != kMask && id != m.labels[k]) ++drawn[id];
    }
  }
  REQUIRE(chosen.size() == 40);
  for (const auto& [at, count] : chosen) {
    INFO("position " << at);
    CHECK(std::abs(count - kRounds * 0.15) < 4 * std::sqrt(kRounds * 0.15 * 0.85));
  }
  REQUIRE(drawn.size() == 10);
  for (const auto& [id, count] : drawn)
    if (id > 8) CHECK(std::abs(count - kRounds * 0.06) < 5 * std::sqrt(kRounds * 0.06));
}

TEST_CASE("as in the course a word goes on over [SEP] until a piece begins with ▁") {
  // ▁가 나 [SEP] 다 ▁라 …: "다" belongs to the word of "▁가 나".
  std::vector<uint8_t> starts(kFirstOrdinaryPiece + 4, 0);
  starts[7] = starts[10] = 1;
  std::vector<uint16_t> pieces = {kCls, 7, 8, kSep, 9};
  for (int i = 0; i < 16; ++i) pieces.push_back(10);
  pieces.push_back(kSep);  // 22 pieces: a budget of 2 with 0.15, of 3 with 0.16
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const Masked two = mask(pieces, starts, {}, seed);
    REQUIRE(two.positions.size() == 2);
    REQUIRE(two.positions[0] > 4);  // three pieces pass the budget: skipped
    const Masked three = mask(pieces, starts, {.probability = 0.16}, seed);
    const std::vector<int32_t> word = {1, 2, 4};
    if (three.positions[0] <= 4) CHECK(three.positions == word);
  }
}

TEST_CASE("unknown pieces and special pieces in the text are never chosen") {
  std::vector<uint8_t> starts(kFirstOrdinaryPiece + 4, 1);
  std::vector<uint16_t> pieces = {kCls};
  for (int i = 0; i < 10; ++i) pieces.insert(pieces.end(), {kUnk, 8, kMask, 9, kBos, kEos, kPad});
  pieces.push_back(kSep);
  for (uint64_t seed = 0; seed < 200; ++seed)
    for (const bool whole_words : {true, false})
      for (const int32_t label :
           mask(pieces, starts, {.probability = 1, .whole_words = whole_words}, seed).labels)
        REQUIRE(label >= kFirstOrdinaryPiece);
}

TEST_CASE("short instances and extreme probabilities") {
  const std::vector<uint8_t> starts(kFirstOrdinaryPiece + 4, 1);
  const std::vector<uint16_t> shortest = {kCls, 7, kSep};
  const std::vector<uint16_t> ten = {kCls, 7, 8, 9, kSep, 7, 8, 9, 10, kSep};
  CHECK(mask({}, starts, {}, 1).positions.empty());
  CHECK(mask(shortest, starts, {.probability = 1}, 1).positions.empty());
  CHECK(mask(ten, starts, {.probability = 0}, 1).positions.empty());
  CHECK(mask(ten, starts, {}, 1).positions.size() == 1);
  CHECK(mask(ten, starts, {.probability = 1}, 1).positions.size() == 7);
}

TEST_CASE("the same stream masks alike, another one otherwise") {
  const auto starts = word_start_table(sample_tokenizer());
  const auto& pieces = sample_pieces()[3];
  CHECK(mask(pieces, starts, {}, 1).ids == mask(pieces, starts, {}, 1).ids);
  CHECK(mask(pieces, starts, {}, 1).ids != mask(pieces, starts, {}, 2).ids);
}

}  // namespace minibert::testing
