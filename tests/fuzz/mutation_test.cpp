// A fixed number of mutations of the fuzzer's seeds, in every build; run.sh goes on from there.
#include <catch2/catch.hpp>
#include <cstring>
#include <memory>

#include "core/rng.h"
#include "infer/answerer.h"
#include "infer/classifier.h"
#include "infer/fill_mask.h"
#include "infer/tagger.h"
#include "tiny_model.h"

using namespace minibert;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

constexpr int kMutations = 3000;

int run(const std::string& bytes) {
  return LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
}

}  // namespace

TEST_CASE("the seeds load and do what they are for") {
  int answering = 0, labelling = 0, naming = 0;
  for (const std::string& bytes : test::tiny_files()) {
    struct alignas(16) Block {
      uint8_t bytes[16];
    };
    std::vector<Block> memory(bytes.size() / sizeof(Block) + 1);
    std::memcpy(memory.data(), bytes.data(), bytes.size());
    const std::span<const uint8_t> file(memory.data()->bytes, bytes.size());
    infer::Answerer answerer;
    if (answerer.load(file).ok()) {
      infer::AnswerResult result;
      REQUIRE(answerer.answer("한국어 a", "한국 어 a.", 3, &result).ok());
      CHECK(result.answers.size() == 3);
      ++answering;
      continue;
    }
    infer::Classifier classifier;
    if (classifier.load(file).ok()) {
      infer::ClassifyResult result;
      REQUIRE(classifier.classify("한국 어 a.", "", true, &result).ok());
      CHECK(result.words.size() == 3);
      ++labelling;
      continue;
    }
    infer::Tagger tagger;
    if (tagger.load(file).ok()) {
      infer::TagResult result;
      REQUIRE(tagger.tag("한국 어 a.", &result).ok());
      CHECK(result.read == result.pieces);
      ++naming;
      continue;
    }
    infer::FillMask model;
    const auto status = model.load(file);
    INFO(status.message());
    REQUIRE(status.ok());
    infer::FillResult result;
    REQUIRE(model.fill("한국 [MASK]어.", 3, &result).ok());
    CHECK(result.masks[0].guesses.size() == 2);  // ▁한 and ▁a begin a word
  }
  CHECK(answering == 2);
  CHECK(labelling == 2);
  CHECK(naming == 2);
}

TEST_CASE("mutated files never crash") {
  const auto seeds = test::tiny_files();
  int runs = 0;
  for (int i = 0; i < kMutations; ++i) {
    Rng rng(1, "mutation", 0, static_cast<uint64_t>(i));
    std::string bytes = seeds[rng.below(seeds.size())];
    uint64_t header = 0;
    std::memcpy(&header, bytes.data(), 8);
    const bool in_header = rng.below(2) == 0;
    for (uint64_t edits = 1 + rng.below(4); edits > 0; --edits) {
      const size_t at =
          in_header ? 8 + rng.below(header) : 8 + header + rng.below(bytes.size() - 8 - header);
      switch (rng.below(3)) {
        case 0:
          bytes[at] = static_cast<char>(rng.below(256));
          break;
        case 1:
          bytes[at] = static_cast<char>(bytes[at] ^ (1 << rng.below(8)));
          break;
        default:
          bytes[at] = "0123456789-\"[]{},:"[rng.below(18)];
      }
    }
    if (rng.below(8) == 0) bytes.resize(rng.below(bytes.size()));
    runs += run(bytes) == 0;
  }
  CHECK(runs == kMutations);
}
