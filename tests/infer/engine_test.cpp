// The engine's contracts: kernels, memory, errors, top-k, attention. Its numbers: torch_test.cpp.
#include "infer/engine/engine.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>

#include "allocation_counter.h"
#include "infer/engine/fastest_kernel.h"
#include "random_model.h"

using namespace minibert;
using namespace minibert::test;
using infer::Engine;
using infer::Kernel;

namespace {

struct Loaded {
  AlignedBytes file;
  infer::Model model;
  explicit Loaded(const nlohmann::json& architecture, MbqWeights type = MbqWeights::int8)
      : file(random_mbq(architecture, type)) {
    const auto status = model.load(file.span());
    INFO(status.message());
    REQUIRE(status.ok());
  }
};

std::vector<int32_t> ids_of_length(int32_t length) {
  std::vector<int32_t> ids(static_cast<size_t>(length));
  for (int32_t i = 0; i < length; ++i) ids[i] = 7 + (i * 37) % (sample_vocabulary() - 7);
  return ids;
}

std::vector<float> copy(std::span<const float> values) { return {values.begin(), values.end()}; }

}  // namespace

TEST_CASE("every kernel gives the same logits, bit for bit") {
  // The first is narrow, so its activations have 14 bits; the second's have 7.
  for (const int d_model : {36, 261}) {
    const Loaded loaded(small_model({{"d_model", d_model},
                                     {"n_heads", 3},
                                     {"embedding_size", 20},
                                     {"mlm_transform", true},
                                     {"d_ff", 70}}));
    CHECK(loaded.model.facts().fine == (d_model == 36));
    for (const int32_t length : {1, 5, 31, 33, 64}) {
      Engine scalar(loaded.model, Kernel::scalar);
      REQUIRE(scalar.encode(ids_of_length(length)).ok());
      const auto expected = copy(scalar.logits(length - 1));
      for (const Kernel kernel : infer::available_kernels()) {
        INFO(infer::name(kernel) << ", " << length << " pieces");
        Engine engine(loaded.model, kernel);
        REQUIRE(engine.encode(ids_of_length(length)).ok());
        CHECK(copy(engine.logits(length - 1)) == expected);
      }
    }
  }
}

TEST_CASE("every kernel gives the same logits of every shape") {
  for (const Shape& shape : shapes()) {
    const Loaded loaded(small_model(shape.changes));
    for (const int32_t length : {1, 3, 8, 33}) {
      Engine scalar(loaded.model, Kernel::scalar);
      REQUIRE(scalar.encode(ids_of_length(length)).ok());
      const auto expected = copy(scalar.logits(length - 1));
      for (const Kernel kernel : infer::available_kernels()) {
        INFO(shape.name << ", " << infer::name(kernel) << ", " << length << " pieces");
        Engine engine(loaded.model, kernel);
        REQUIRE(engine.encode(ids_of_length(length)).ok());
        CHECK(copy(engine.logits(length - 1)) == expected);
      }
    }
  }
}

TEST_CASE("the fastest kernel is the best by name before it is measured, then one that there is") {
  for (const int32_t positions : {64, 8}) {  // eight are too few to measure with
    const Loaded loaded(small_model({{"max_positions", positions}}));
    infer::KernelTimes times(loaded.model);
    CHECK(times.fastest() == infer::best_kernel());
    times.measure();
    CHECK(infer::available(times.fastest()));
    if (positions == 8) CHECK(times.fastest() == infer::best_kernel());
  }
}

TEST_CASE("nothing is allocated after the first call at a length") {
  const auto plain = small_model({{"norm", "pre"}, {"mlm_transform", true}});
  const auto shaped = small_model({{"position", "relative"},
                                   {"local_layers", 1},
                                   {"conv", 3},
                                   {"ffn", "geglu"},
                                   {"head_gate", true}});
  for (const auto& [type, architecture] :
       {std::pair(MbqWeights::int8, plain), std::pair(MbqWeights::float32, plain),
        std::pair(MbqWeights::int8, shaped)}) {
    const Loaded loaded(architecture, type);
    Engine engine(loaded.model);
    const auto longest = ids_of_length(64), shorter = ids_of_length(17);
    std::vector<infer::Candidate> candidates(10);
    const auto run = [&](const std::vector<int32_t>& ids) {
      const int32_t wanted[] = {1, 3};
      bool ok = engine.encode(ids, {}, false, wanted).ok() && engine.encode(ids, {}, true).ok();
      ok = ok && !engine.logits(3).empty();
      return ok && engine.top_k(candidates) == 10 && !engine.attention(1, 1).empty();
    };
    REQUIRE(run(longest));
    const size_t before = allocations;
    const bool ok = run(longest) && run(shorter) && run(longest);
    const size_t after = allocations;
    CHECK(ok);
    CHECK(after == before);
  }
}

TEST_CASE("an engine's result does not depend on what it ran before") {
  const Loaded loaded(small_model());
  Engine used(loaded.model), fresh(loaded.model);
  REQUIRE(used.encode(ids_of_length(64), {}, true).ok());
  used.logits(60);
  REQUIRE(used.encode(ids_of_length(9)).ok());
  REQUIRE(fresh.encode(ids_of_length(9)).ok());
  CHECK(copy(used.logits(4)) == copy(fresh.logits(4)));
  CHECK(used.attention(0, 0).empty());
}

TEST_CASE("wanted positions alone have the same numbers as among all") {
  for (const char* norm : {"post", "pre"})
    for (const MbqWeights type : {MbqWeights::int8, MbqWeights::float32}) {
      const Loaded loaded(small_model({{"norm", norm}, {"n_heads", 3}}), type);
      Engine all(loaded.model), some(loaded.model);
      const std::vector<int32_t> wanted = {0, 3, 4, 40};
      REQUIRE(all.encode(ids_of_length(41)).ok());
      REQUIRE(some.encode(ids_of_length(41), {}, false, wanted).ok());
      CHECK(some.hidden().size() == 4 * 48);
      for (const int32_t position : wanted)
        CHECK(copy(some.logits(position)) == copy(all.logits(position)));
      CHECK(some.logits(1).empty());
      CHECK(some.logits(41).empty());
      REQUIRE(some.encode(ids_of_length(41), {}, true, wanted).ok());
      CHECK(some.attention(1, 2).size() == 41 * 41);
      CHECK(copy(some.logits(1)) == copy(all.logits(1)));
    }
}

TEST_CASE("wanted positions of every shape have the same numbers as among all") {
  for (const Shape& shape : shapes()) {
    INFO(shape.name);
    const Loaded loaded(small_model(shape.changes));
    Engine all(loaded.model), some(loaded.model);
    // Neighbours in a row, positions apart, and both ends.
    const std::vector<int32_t> wanted = {0, 5, 6, 7, 8, 9, 20, 40};
    REQUIRE(all.encode(ids_of_length(41)).ok());
    REQUIRE(some.encode(ids_of_length(41), {}, false, wanted).ok());
    for (const int32_t position : wanted)
      CHECK(copy(some.logits(position)) == copy(all.logits(position)));
  }
}

TEST_CASE("a layer without attention has none to show") {
  const Loaded loaded(small_model({{"local_layers", 1}}));
  Engine engine(loaded.model);
  REQUIRE(engine.encode(ids_of_length(9), {}, true).ok());
  CHECK(engine.attention(0, 0).empty());
  CHECK(engine.attention(1, 3).size() == 9 * 9);
  const Loaded local(small_model({{"local_layers", 2}}));
  Engine without(local.model);
  REQUIRE(without.encode(ids_of_length(9), {}, true).ok());
  CHECK(without.attention(0, 0).empty());
  CHECK(without.attention(1, 0).empty());
}

TEST_CASE("attention rows are probabilities") {
  const Loaded loaded(small_model());
  Engine engine(loaded.model);
  REQUIRE(engine.encode(ids_of_length(37), {}, true).ok());
  for (int32_t layer = 0; layer < 2; ++layer)
    for (int32_t head = 0; head < 4; ++head) {
      const auto weights = engine.attention(layer, head);
      REQUIRE(weights.size() == 37 * 37);
      for (size_t row = 0; row < 37; ++row) {
        const auto from = weights.subspan(row * 37, 37);
        CHECK(std::accumulate(from.begin(), from.end(), 0.0) == Approx(1).epsilon(1e-5));
      }
    }
  CHECK(engine.attention(2, 0).empty());
  CHECK(engine.attention(0, 4).empty());
}

TEST_CASE("top-k is ordered, normalized over what is allowed, and names the best logits") {
  const Loaded loaded(small_model());
  Engine engine(loaded.model);
  REQUIRE(engine.encode(ids_of_length(12)).ok());
  const auto logits = copy(engine.logits(5));
  std::vector<infer::Candidate> all(logits.size());
  REQUIRE(engine.top_k(all) == logits.size());
  double total = 0;
  for (size_t i = 0; i < all.size(); ++i) {
    total += all[i].probability;
    if (i > 0) {
      const bool ordered =
          logits[all[i - 1].id] > logits[all[i].id] ||
          (logits[all[i - 1].id] == logits[all[i].id] && all[i - 1].id < all[i].id);
      REQUIRE(ordered);
    }
  }
  CHECK(total == Approx(1).epsilon(1e-4));
  std::vector<uint8_t> allowed(logits.size(), 0);
  allowed[10] = allowed[20] = allowed[30] = 1;
  std::vector<infer::Candidate> few(5);
  REQUIRE(engine.top_k(few, allowed) == 3);
  CHECK(few[0].probability + few[1].probability + few[2].probability == Approx(1));
  for (size_t i = 0; i < 3; ++i) CHECK(allowed[few[i].id] == 1);
  CHECK(engine.top_k({}, allowed) == 0);
}

TEST_CASE("bad input is an error that names it") {
  const Loaded loaded(small_model());
  Engine engine(loaded.model);
  const auto message = [&](const std::vector<int32_t>& ids,
                           const std::vector<uint8_t>& segments = {}) {
    const auto status = engine.encode(ids, segments);
    return status.ok() ? "ok" : status.message();
  };
  CHECK(message({}) == "the input is empty");
  CHECK(message(ids_of_length(65)) == "the input has 65 pieces, the model reads at most 64");
  CHECK(message({5, -1, 4}).find("found piece id -1") == 0);
  CHECK(message({5, sample_vocabulary(), 4}).find("found piece id") == 0);
  CHECK(message({5, 7, 4}, {0, 0}) == "found 2 segments for 3 pieces");
  CHECK(message({5, 7, 4}, {0, 2, 0}) == "found segment 2, expected 0 to 1");
  const auto wanted = [&](const std::vector<int32_t>& positions) {
    return engine.encode(std::vector<int32_t>{5, 7, 4}, {}, false, positions).message();
  };
  CHECK(wanted({0, 3}) == "found position 3, expected ascending ones from 0 to 2");
  CHECK(wanted({1, 1}) == "found position 1, expected ascending ones from 0 to 2");
  CHECK(wanted({-1}) == "found position -1, expected ascending ones from 0 to 2");
  CHECK(engine.logits(0).empty());
  CHECK(message({5, 7, 4}, {0, 1, 1}) == "ok");
  CHECK(engine.logits(-1).empty());
  CHECK(engine.logits(3).empty());
}

TEST_CASE("weights that overflow are an error, not a wrong answer") {
  const auto model = small_model();
  auto weights = random_weights(model);
  for (auto& weight : weights)
    if (weight.name.ends_with("attention.qkv.weight"))
      for (float& value : weight.values) value *= 1e38f;
  for (const MbqWeights type : {MbqWeights::int8, MbqWeights::float32}) {
    const AlignedBytes file(make_mbq(sample_source(model), weights, type));
    infer::Model loaded;
    REQUIRE(loaded.load(file.span()).ok());
    Engine engine(loaded);
    const auto status = engine.encode(ids_of_length(8));
    CHECK_FALSE(status.ok());
    CHECK(status.message().find("not finite") != std::string::npos);
  }
}

TEST_CASE("int8 gives the bonus of float32 where the tokens' vectors have much in common") {
  const auto model = small_model({{"mlm_context", 4}});
  std::vector<NamedTensor> weights = random_weights(model);
  for (NamedTensor& weight : weights)
    if (weight.name == "bert.embeddings.token.weight")
      for (float& value : weight.values) value += 0.5f;
  std::vector<float> bonus[2];
  for (const MbqWeights type : {MbqWeights::float32, MbqWeights::int8}) {
    const AlignedBytes file(make_mbq(sample_source(model), weights, type));
    infer::Model loaded;
    REQUIRE(loaded.load(file.span()).ok());
    Engine engine(loaded);
    REQUIRE(engine.encode(ids_of_length(30)).ok());
    REQUIRE_FALSE(engine.logits(12).empty());
    bonus[type == MbqWeights::int8] = copy(engine.shown_bonus());
  }
  REQUIRE(bonus[0].size() == 30);
  REQUIRE(bonus[1].size() == 30);
  float largest = 0, apart = 0;
  for (size_t i = 0; i < 30; ++i) {
    largest = std::max(largest, std::abs(bonus[0][i]));
    apart = std::max(apart, std::abs(bonus[0][i] - bonus[1][i]));
  }
  CHECK(apart < 0.02f * largest);
}
