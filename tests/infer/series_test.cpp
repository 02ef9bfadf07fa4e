// Several files of one model while it learnt, as one.
#include <catch2/catch.hpp>
#include <random>

#include "infer/format/mbq_series.h"
#include "infer/training.h"
#include "random_model.h"

using namespace minibert;
using namespace minibert::test;
using infer::SeriesPart;

namespace {

std::span<const uint8_t> bytes_of(const std::string& text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

std::string refusal(const std::string& series) {
  std::vector<SeriesPart> parts = {{1, "kept"}};
  const auto status = infer::read_series(bytes_of(series), &parts);
  if (!status.ok()) CHECK(parts.empty());
  return status.ok() ? "" : std::string(status.message());
}

}  // namespace

TEST_CASE("a series gives back the files it is made of, to the bit") {
  const std::vector<SeriesPart> parts = {
      {0, std::string("\0\x01\xff some bytes", 14)}, {10, "a longer file than that"}, {1000, ""}};
  const std::string series = infer::write_series(parts);
  CHECK(infer::is_series(bytes_of(series)));
  std::vector<SeriesPart> read;
  REQUIRE(infer::read_series(bytes_of(series), &read).ok());
  REQUIRE(read.size() == 3);
  for (size_t i = 0; i < read.size(); ++i) {
    CHECK(read[i].share == parts[i].share);
    CHECK(read[i].file == parts[i].file);
  }
  // Files that end alike differ by zeros.
  const std::string twice = infer::write_series(std::vector<SeriesPart>{{0, "abcd"}, {5, "xabcd"}});
  CHECK(twice.ends_with("abcdx"));
}

TEST_CASE("damage to a series is told in one line, and nothing of it is read") {
  const std::string good = infer::write_series(std::vector<SeriesPart>{{0, "abcd"}, {5, "efgh"}});
  CHECK(refusal(good).empty());
  for (size_t length = 0; length < good.size(); ++length) {
    INFO(length);
    CHECK_THAT(refusal(good.substr(0, length)), Catch::StartsWith("a series: "));
  }
  CHECK(refusal(good + "x") == "a series: the file goes on behind its last part");
  const auto with = [&](size_t at, char byte) {
    std::string bad = good;
    bad[at] = byte;
    return refusal(bad);
  };
  CHECK(with(0, 'X') == "a series: the file does not begin as one");
  CHECK(with(8, 0) == "a series: found 0 files, expected 1 to 100");
  CHECK(with(8, 101) == "a series: found 101 files, expected 1 to 100");
  CHECK(with(24, 0) == "a series: found share 0, expected rising ones to 1000");
  CHECK(with(26, 1) == "a series: found share 65541, expected rising ones to 1000");
  CHECK(with(31, 127).find("more than there can be") != std::string::npos);
  CHECK(with(32, 5) == "a series: found 5 of 4 bytes for file 2, more than there can be");
  // Whatever stands in it, it is read or refused, and what it says of sizes takes no memory.
  std::mt19937 random(7);
  for (int i = 0; i < 2000; ++i) {
    std::string bad = good;
    for (int k = 0; k < 3; ++k) bad[random() % bad.size()] = static_cast<char>(random());
    refusal(bad);
  }
}

TEST_CASE("each checkpoint of a training guesses as its own file does") {
  const std::string text = "고구려는 [MASK]에 세운 나라이다.";
  std::vector<SeriesPart> parts;
  for (const uint32_t share : {0u, 50u, 1000u})
    parts.push_back(
        {share, random_mbq(small_model({{"n_layers", share == 50 ? 1 : 2}}), MbqWeights::int8)});
  infer::Training training;
  REQUIRE(training.load(bytes_of(infer::write_series(parts))).ok());
  CHECK(training.shares() == std::vector<uint32_t>{0, 50, 1000});
  std::vector<infer::CheckpointFill> all;
  REQUIRE(training.fill(text, 5, &all).ok());
  REQUIRE(all.size() == 3);
  for (size_t i = 0; i < all.size(); ++i) {
    const AlignedBytes file(parts[i].file);
    infer::FillMask model;
    REQUIRE(model.load(file.span()).ok());
    infer::FillResult found;
    REQUIRE(model.fill(text, 5, &found).ok());
    CHECK(all[i].share == parts[i].share);
    CHECK(all[i].found.filled == found.filled);
    for (size_t k = 0; k < 5; ++k) {
      CHECK(all[i].found.masks[0].guesses[k].id == found.masks[0].guesses[k].id);
      CHECK(all[i].found.masks[0].guesses[k].probability == found.masks[0].guesses[k].probability);
    }
  }
  CHECK_FALSE(training.fill("서울", 5, &all).ok());
  parts[1].file = "no model";
  const auto status = training.load(bytes_of(infer::write_series(parts)));
  CHECK_THAT(std::string(status.message()), Catch::StartsWith("file 2 of the series: "));
}
