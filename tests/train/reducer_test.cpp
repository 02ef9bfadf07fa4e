// Gradients summed over processes while the backward pass goes on: what is sent when, and the sums.
#include "train/reducer.h"

#include <catch2/catch.hpp>

#include "train/processes.h"

namespace minibert {
namespace {

using namespace testing;

// A layer of four on another, and one that the loss does not reach.
struct Layers : torch::nn::Module {
  Layers() {
    torch::manual_seed(1);
    first = register_module("first", torch::nn::Linear(4, 4));
    unused = register_module("unused", torch::nn::Linear(4, 4));
    last = register_module("last", torch::nn::Linear(4, 4));
    frozen = register_parameter("frozen", torch::ones({4}), /*requires_grad=*/false);
  }
  torch::Tensor loss(float value) {
    return last(first(torch::full({1, 4}, value)).tanh() * frozen).sum();
  }
  NamedTensors parameters() const {
    NamedTensors out;
    for (const auto& item : named_parameters()) out.emplace_back(item.key(), item.value());
    return out;
  }
  void reset() {
    for (auto& [name, value] : parameters()) value.mutable_grad().reset();
  }
  std::vector<torch::Tensor> gradients() const {
    std::vector<torch::Tensor> out;
    for (const auto& [name, value] : parameters())
      if (value.grad().defined()) out.push_back(value.grad().clone());
    return out;
  }
  torch::nn::Linear first{nullptr}, unused{nullptr}, last{nullptr};
  torch::Tensor frozen;
};

// One process, whose sums are what it has; remembers how much each of them was.
struct Alone : Workers {
  int64_t rank() const override { return 0; }
  int64_t size() const override { return 1; }
  int64_t local_rank() const override { return 0; }
  void begin_sum(torch::Tensor values) override { sums.push_back(values.numel()); }
  void end_sums() override {}
  void broadcast(torch::Tensor) override {}
  std::string from_first(const std::string& text) override { return text; }
  std::vector<std::string> from_all(const std::string& text) override { return {text}; }
  void fail(const std::string&) noexcept override {}
  std::vector<int64_t> sums;
};

using Sums = std::vector<int64_t>;

void check_same_tensors(const std::vector<torch::Tensor>& a, const std::vector<torch::Tensor>& b) {
  REQUIRE(a.size() == b.size());
  for (size_t i = 0; i < a.size(); ++i) CHECK(a[i].allclose(b[i]));
}

}  // namespace

TEST_CASE("buckets are sent during the backward pass, those of the last layers first") {
  Layers layers;
  Alone alone;
  // Room for a bias and something of a weight: a layer a bucket.
  Reducer reducer(layers.parameters(), alone, 20 * sizeof(float));
  layers.loss(0.5).backward();
  CHECK(alone.sums.empty());
  reducer.finish();
  CHECK(alone.sums == Sums{6, 20, 20});  // which have gradients, and these

  const auto whole = layers.gradients();
  layers.reset();
  alone.sums.clear();
  reducer.begin();
  Sums before_the_first;
  const torch::Tensor hidden = layers.first(torch::full({1, 4}, 0.5));
  hidden.register_hook([&](const torch::Tensor&) { before_the_first = alone.sums; });
  layers.last(hidden.tanh() * layers.frozen).sum().backward();
  CHECK(before_the_first == Sums{20});
  CHECK(alone.sums == Sums{20, 20});
  reducer.finish();
  CHECK(alone.sums == Sums{20, 20, 6});
  check_same_tensors(layers.gradients(), whole);
}

TEST_CASE("with gradient accumulation only what the last part leaves is sent") {
  Layers layers;
  Alone alone;
  Reducer reducer(layers.parameters(), alone, 1);
  for (int step = 0; step < 2; ++step) {
    alone.sums.clear();
    layers.reset();
    layers.loss(0.5).backward();
    layers.loss(-2).backward();
    CHECK(alone.sums.empty());
    reducer.begin();
    layers.loss(1).backward();
    reducer.finish();
  }
  CHECK(alone.sums == Sums{4, 16, 4, 16, 6});
  const auto found = layers.gradients();
  layers.reset();
  (layers.loss(0.5) + layers.loss(-2) + layers.loss(1)).backward();
  check_same_tensors(found, layers.gradients());
}

TEST_CASE(
    "what a step does not reach has no gradient, and what no step before reached gets its sum") {
  Layers layers;
  Alone alone;
  Reducer reducer(layers.parameters(), alone);
  layers.loss(1).backward();
  reducer.finish();
  CHECK(alone.sums == Sums{6, 40});
  layers.reset();
  alone.sums.clear();
  reducer.begin();
  layers.unused(torch::ones({1, 4})).sum().backward();
  reducer.finish();
  CHECK(alone.sums == Sums{40, 6, 20});
  CHECK(layers.unused->weight.grad().equal(torch::ones({4, 4})));
  CHECK_FALSE(layers.first->weight.grad().defined());
  CHECK_FALSE(layers.last->bias.grad().defined());
}

TEST_CASE("nothing comes of a backward pass after the reducer is gone") {
  Layers layers;
  Alone alone;
  const torch::Tensor loss = layers.loss(1);
  {
    Reducer reducer(layers.parameters(), alone);
    layers.loss(1).backward();
    reducer.finish();
    reducer.begin();
  }
  alone.sums.clear();
  loss.backward();
  CHECK(alone.sums.empty());
}

TEST_CASE("processes have the sum of all gradients, also where one of them has none", "[gloo]") {
  if (!has_gloo()) return;
  // Each process's value in each step; 0: none.
  const std::vector<std::vector<float>> steps = {{0, 0.5F}, {1, -1}, {0.25F, 0}, {0, 0}, {2, 3}};
  Layers model;
  std::vector<std::vector<torch::Tensor>> expected;
  for (const std::vector<float>& step : steps) {
    model.reset();
    for (const float value : step)
      if (value != 0) model.loss(value).backward();
    expected.push_back(model.gradients());
  }
  const int64_t bucket_bytes = GENERATE(1, 64, 1 << 20);
  std::vector<Layers> layers(2);
  const auto ends = together(some_processes(2), [&](Workers& workers) {
    Layers& own = layers[static_cast<size_t>(workers.rank())];
    Reducer reducer(own.parameters(), workers, bucket_bytes);
    for (size_t step = 0; step < steps.size(); ++step) {
      own.reset();
      reducer.begin();
      if (const float value = steps[step][static_cast<size_t>(workers.rank())]; value != 0)
        own.loss(value).backward();
      reducer.finish();
      const auto found = own.gradients();
      if (found.size() != expected[step].size()) throw Error("step " + std::to_string(step));
      for (size_t i = 0; i < found.size(); ++i)
        if (!found[i].allclose(expected[step][i])) throw Error("step " + std::to_string(step));
    }
  });
  CHECK(ends == std::vector<std::string>(2));
}

}  // namespace minibert
