#include "data/instances/masking.h"

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

Masked mask(const std::vector<uint16_t>& pieces, const PieceRoles& roles,
            const MaskSettings& settings, uint64_t seed) {
  Masked out;
  Rng rng(seed);
  mask_instance(pieces, roles, settings, rng, &out.ids, &out.positions, &out.labels);
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
  const PieceRoles roles(sample_tokenizer());
  size_t full_budget = 0;
  for (const auto& pieces : sample_pieces()) {
    const auto words = words_of(pieces, sample_tokenizer());
    for (uint64_t seed = 0; seed < 5; ++seed) {
      const Masked m = mask(pieces, roles, {}, seed);
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
  const PieceRoles roles(sample_tokenizer());
  for (const bool whole_words : {true, false}) {
    INFO("whole words: " << whole_words);
    double masked = 0, same = 0, other = 0, words = 0, pieces_seen = 0, chosen = 0;
    for (size_t i = 0; i < sample_pieces().size(); ++i) {
      const auto& pieces = sample_pieces()[i];
      const auto word = words_of(pieces, sample_tokenizer());
      for (uint64_t epoch = 0; epoch < 60; ++epoch) {
        const Masked m =
            mask(pieces, roles, {.whole_words = whole_words}, derive_seed(1, "test", epoch, i));
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
  const PieceRoles roles = course_roles(starts);
  std::vector<uint16_t> pieces = {kCls};
  for (int i = 0; i < 20; ++i) {
    pieces.insert(pieces.end(), {7, 8});
    if (i == 9) pieces.push_back(kSep);
  }
  pieces.push_back(kSep);
  std::map<int32_t, int> chosen, drawn;
  constexpr int kRounds = 40000;
  for (int seed = 0; seed < kRounds; ++seed) {
    const Masked m = mask(pieces, roles, {}, derive_seed(1, "test", 0, seed));
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
  const PieceRoles roles = course_roles(starts);
  std::vector<uint16_t> pieces = {kCls, 7, 8, kSep, 9};
  for (int i = 0; i < 16; ++i) pieces.push_back(10);
  pieces.push_back(kSep);  // 22 pieces: a budget of 2 with 0.15, of 3 with 0.16
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const Masked two = mask(pieces, roles, {}, seed);
    REQUIRE(two.positions.size() == 2);
    REQUIRE(two.positions[0] > 4);  // three pieces pass the budget: skipped
    const Masked three = mask(pieces, roles, {.probability = 0.16}, seed);
    const std::vector<int32_t> word = {1, 2, 4};
    if (three.positions[0] <= 4) CHECK(three.positions == word);
  }
}

TEST_CASE("unknown pieces and special pieces in the text are never chosen") {
  const PieceRoles roles = course_roles(std::vector<uint8_t>(kFirstOrdinaryPiece + 4, 1));
  std::vector<uint16_t> pieces = {kCls};
  for (int i = 0; i < 10; ++i) pieces.insert(pieces.end(), {kUnk, 8, kMask, 9, kBos, kEos, kPad});
  pieces.push_back(kSep);
  for (uint64_t seed = 0; seed < 200; ++seed)
    for (const bool whole_words : {true, false})
      for (const int32_t label :
           mask(pieces, roles, {.probability = 1, .whole_words = whole_words}, seed).labels)
        REQUIRE(label >= kFirstOrdinaryPiece);
}

TEST_CASE("short instances and extreme probabilities") {
  const PieceRoles roles = course_roles(std::vector<uint8_t>(kFirstOrdinaryPiece + 4, 1));
  const std::vector<uint16_t> shortest = {kCls, 7, kSep};
  const std::vector<uint16_t> ten = {kCls, 7, 8, 9, kSep, 7, 8, 9, 10, kSep};
  CHECK(mask({}, roles, {}, 1).positions.empty());
  CHECK(mask(shortest, roles, {.probability = 1}, 1).positions.empty());
  CHECK(mask(ten, roles, {.probability = 0}, 1).positions.empty());
  CHECK(mask(ten, roles, {}, 1).positions.size() == 1);
  CHECK(mask(ten, roles, {.probability = 1}, 1).positions.size() == 7);
}

TEST_CASE("independent choices take every word with the same probability, whatever the others do") {
  // 30 words, of two pieces each.
  std::vector<uint8_t> starts(kFirstOrdinaryPiece + 10, 0);
  starts[7] = 1;
  const PieceRoles roles = course_roles(starts);
  std::vector<uint16_t> pieces = {kCls};
  for (int i = 0; i < 30; ++i) pieces.insert(pieces.end(), {7, 8});
  pieces.push_back(kSep);
  constexpr int kRounds = 20000;
  for (const bool whole_words : {true, false}) {
    INFO("whole words: " << whole_words);
    const int units = whole_words ? 30 : 60, size = whole_words ? 2 : 1;
    double sum = 0, squares = 0;
    std::map<int32_t, int> chosen;
    for (int seed = 0; seed < kRounds; ++seed) {
      const Masked m =
          mask(pieces, roles, {.whole_words = whole_words, .choice = MaskChoice::independent},
               derive_seed(1, "test", 0, seed));
      REQUIRE(std::is_sorted(m.positions.begin(), m.positions.end()));
      const auto count = static_cast<double>(m.positions.size()) / size;
      sum += count;
      squares += count * count;
      for (const int32_t at : m.positions) ++chosen[at];
    }
    // A binomial's mean and variance.
    const double mean = sum / kRounds, variance = squares / kRounds - mean * mean;
    CHECK(mean == Approx(units * 0.15).epsilon(0.02));
    CHECK(variance == Approx(units * 0.15 * 0.85).epsilon(0.05));
    REQUIRE(chosen.size() == 60);
    for (const auto& [at, count] : chosen) {
      INFO("position " << at);
      CHECK(std::abs(count - kRounds * 0.15) < 4.5 * std::sqrt(kRounds * 0.15 * 0.85));
    }
  }
}

TEST_CASE(
    "with at_least_one every instance with an ordinary piece has a mask, whatever its length") {
  std::vector<uint8_t> starts(kFirstOrdinaryPiece + 10, 0);
  starts[7] = 1;
  const PieceRoles roles = course_roles(starts);
  // So many words of so many pieces.
  const auto instance = [](int words, int length) {
    std::vector<uint16_t> pieces = {kCls};
    for (int w = 0; w < words; ++w)
      for (int k = 0; k < length; ++k) pieces.push_back(k == 0 ? 7 : 8);
    pieces.push_back(kSep);
    return pieces;
  };
  for (const MaskChoice choice : {MaskChoice::budget, MaskChoice::independent})
    for (const bool whole_words : {true, false})
      for (const int length : {1, 2, 5}) {
        const MaskSettings settings{
            .whole_words = whole_words, .choice = choice, .at_least_one = true};
        for (int words = 1; words <= 12; ++words) {
          const std::vector<uint16_t> pieces = instance(words, length);
          std::map<int32_t, int> chosen;
          for (uint64_t seed = 0; seed < 400; ++seed) {
            INFO("words: " << words << " of " << length << ", whole: " << whole_words);
            const Masked m = mask(pieces, roles, settings, seed);
            REQUIRE_FALSE(m.positions.empty());
            if (whole_words) REQUIRE(m.positions.size() % static_cast<size_t>(length) == 0);
            for (const int32_t at : m.positions) ++chosen[at];
            // Where the old rule chooses some, these are chosen as before.
            MaskSettings old = settings;
            old.at_least_one = false;
            const Masked before = mask(pieces, roles, old, seed);
            if (before.positions.empty()) continue;
            REQUIRE(before.positions == m.positions);
            REQUIRE(before.ids == m.ids);
          }
          // Words longer than the budget are drawn, too, and every one of them.
          CHECK(chosen.size() == pieces.size() - 2);
        }
      }
  const MaskSettings at_least_one{.at_least_one = true};
  CHECK(mask({kCls, kSep}, roles, at_least_one, 1).positions.empty());
  CHECK(mask(instance(3, 1), roles, {.probability = 0, .at_least_one = true}, 1).positions.empty());
}

TEST_CASE("with the replacement mask every chosen piece becomes [MASK] and no other") {
  const PieceRoles roles(sample_tokenizer());
  for (const auto& pieces : sample_pieces()) {
    const Masked bert = mask(pieces, roles, {}, 5),
                 always = mask(pieces, roles, {.replacement = MaskReplacement::mask}, 5);
    if (bert.positions.empty()) continue;
    REQUIRE_FALSE(always.positions.empty());
    for (size_t i = 0; i < pieces.size(); ++i) {
      const bool chosen = std::ranges::count(always.positions, static_cast<int32_t>(i)) > 0;
      REQUIRE(always.ids[i] == (chosen ? roles.mask() : pieces[i]));
    }
  }
}

TEST_CASE("a WordPiece vocabulary has its own special pieces, and ## continues a word") {
  // [UNK] 100, [CLS] 101, [SEP] 102 and [MASK] 103 as in bert-base-uncased; 110 on continue a word.
  std::string vocabulary = "[PAD]\n";
  for (int id = 1; id < 120; ++id)
    vocabulary += (id == 100   ? "[UNK]"
                   : id == 101 ? "[CLS]"
                   : id == 102 ? "[SEP]"
                   : id == 103 ? "[MASK]"
                   : id >= 110 ? "##" + std::to_string(id)
                               : "w" + std::to_string(id)) +
                  "\n";
  const PieceRoles roles(Tokenizer::from_bytes(vocabulary));
  CHECK(roles.mask() == 103);
  CHECK(roles.cls() == 101);
  CHECK(roles.sep() == 102);
  CHECK(roles.ordinary().size() == 115);
  CHECK(roles.is_ordinary(5));  // a special piece's id only in SentencePiece's models
  std::vector<uint16_t> pieces = {101};
  for (int i = 0; i < 10; ++i) pieces.insert(pieces.end(), {5, 110, 111, 100});
  pieces.push_back(102);
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const Masked m = mask(pieces, roles, {}, seed);
    REQUIRE(m.positions.size() == 3);  // one word in a budget of 5
    REQUIRE(m.labels == std::vector<int32_t>{5, 110, 111});
    for (const int32_t at : m.positions) {
      const auto id = static_cast<uint16_t>(m.ids[static_cast<size_t>(at)]);
      REQUIRE((id == 103 || roles.is_ordinary(id)));
    }
  }
}

TEST_CASE("a table of roles that masks cannot work with is refused") {
  const std::vector<uint8_t> good = {kNoText, kIsCls, kIsSep, kIsMask, kStartsWord};
  CHECK(PieceRoles(good).ordinary() == std::vector<uint16_t>{4});
  const auto refused = [&](size_t at, uint8_t role) {
    std::vector<uint8_t> roles = good;
    roles[at] = role;
    return error_of([&] { PieceRoles{roles}; });
  };
  CHECK(refused(3, kNoText) == "the vocabulary has 0 pieces with the role of [MASK], expected one");
  CHECK(refused(0, kIsCls) == "the vocabulary has 2 pieces with the role of [CLS], expected one");
  CHECK(refused(4, kNoText) == "the vocabulary has special pieces only");
  CHECK(refused(0, 6) == "piece 0 has the role 6, expected at most 5");
}

}  // namespace minibert::testing
