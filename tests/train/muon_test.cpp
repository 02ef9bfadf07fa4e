// Muon: updates that are orthogonal, what it takes and leaves, and the same bits on any number of threads.
#include "train/muon.h"

#include <catch2/catch.hpp>

#include "core/error.h"
#include "train/optimizer.h"

namespace minibert {
namespace {

using torch::Tensor;

// The weights of a layer and what stands around it, with gradients; the same every time.
NamedTensors some_weights(torch::Device device = torch::kCPU) {
  torch::manual_seed(4);
  NamedTensors out;
  const auto add = [&](const std::string& name, std::vector<int64_t> shape) {
    Tensor value = torch::randn(shape).to(device);
    value.mutable_grad() = torch::randn(shape).to(device);
    out.emplace_back(name, value);
  };
  add("bert.embeddings.token.weight", {50, 24});
  add("bert.layers.0.attention.qkv.weight", {72, 24});
  add("bert.layers.0.attention.qkv.bias", {72});
  add("bert.layers.0.attention.conv", {3, 72});
  add("bert.layers.0.attention.output.weight", {24, 24});
  add("bert.layers.0.ffn.inner.weight", {96, 24});
  add("bert.layers.0.ffn.outer.weight", {24, 96});
  add("bert.layers.0.ffn_norm.weight", {24});
  add("mlm.transform.weight", {24, 24});
  return out;
}

const Tensor& named(const NamedTensors& all, const std::string& name) {
  for (const auto& one : all)
    if (one.first == name) return one.second;
  throw Error("no " + name);
}

Tensor singular_values(const Tensor& matrix) { return torch::linalg_svdvals(matrix); }

}  // namespace

TEST_CASE("an orthogonalized matrix keeps its singular vectors, with values near one") {
  torch::manual_seed(2);
  for (const auto& [rows, columns] : {std::pair<int64_t, int64_t>{40, 40}, {160, 40}, {30, 90}}) {
    CAPTURE(rows, columns);
    const Tensor matrix = torch::randn({rows, columns}) * 1e-3;
    const Tensor made = orthogonalized(matrix);
    REQUIRE(made.sizes() == matrix.sizes());
    const Tensor values = singular_values(made);
    CHECK(values.max().item<float>() < 1.25F);
    // A square matrix has singular values near 0, which five steps do not lift to 1.
    CHECK(values[rows == columns ? 35 : std::min(rows, columns) - 1].item<float>() > 0.6F);
    // Both have the same singular vectors, because their product is symmetric.
    const Tensor product = made.t().mm(matrix);
    CHECK(product.allclose(product.t(), 1e-3, 1e-6));
  }
  CHECK(orthogonalized(torch::zeros({4, 3})).eq(0).all().item<bool>());
}

TEST_CASE("matrices of one shape are made orthogonal together as each is alone") {
  torch::manual_seed(3);
  for (const auto& [rows, columns] : {std::pair<int64_t, int64_t>{20, 20}, {60, 20}, {15, 45}}) {
    CAPTURE(rows, columns);
    const Tensor three = torch::randn({3, rows, columns});
    const Tensor made = all_orthogonalized(three);
    REQUIRE(made.sizes() == three.sizes());
    for (int64_t i = 0; i < 3; ++i) CHECK(made[i].allclose(orthogonalized(three[i]), 1e-4, 1e-5));
  }
}

TEST_CASE("Muon takes the matrices of layers, and AdamW the rest as it does alone") {
  NamedTensors both = some_weights(), alone = some_weights();
  const NamedTensors before = some_weights();
  const OptimizerConfig config{.type = "muon", .lr = 0.01, .muon_lr = 0.1};
  OptimizerConfig adamw = config;
  adamw.type = "adamw";
  Optimizer muon(both, config), other(alone, adamw);
  CHECK(muon.gradient_norm().item<float>() == Approx(other.gradient_norm().item<float>()));
  muon.step(0.005, 0);  // half of the highest rate, so half of Muon's
  other.step(0.005, 0);
  std::vector<std::string> taken;
  for (size_t i = 0; i < both.size(); ++i) {
    const auto& [name, value] = both[i];
    INFO(name);
    if (!is_hidden_matrix(name, value)) {
      CHECK(value.equal(alone[i].second));
      continue;
    }
    taken.push_back(name);
    const Tensor moved = (before[i].second - value) / 0.05;
    const int64_t parts = name.find("qkv") != std::string::npos ? 3 : 1;
    const double scale = std::sqrt(std::max(
        1.0, static_cast<double>(value.size(0) / parts) / static_cast<double>(value.size(1))));
    for (const Tensor& part : moved.chunk(parts)) {
      const Tensor values = singular_values(part) / scale;
      CHECK(values.max().item<float>() < 1.25F);
      CHECK(values.median().item<float>() > 0.6F);
    }
  }
  CHECK(taken == std::vector<std::string>{
                     "bert.layers.0.attention.qkv.weight", "bert.layers.0.attention.output.weight",
                     "bert.layers.0.ffn.inner.weight", "bert.layers.0.ffn.outer.weight"});
  std::vector<std::string> states;
  for (const auto& [name, tensor] : muon.state()) states.push_back(name);
  CHECK(std::ranges::count(states, "muon_m/bert.layers.0.ffn.outer.weight") == 1);
  CHECK(std::ranges::count(states, "adam_m/bert.layers.0.ffn.outer.weight") == 0);
  CHECK(std::ranges::count(states, "adam_v/mlm.transform.weight") == 1);
  muon.zero_grad();
  for (const auto& [name, value] : both) CHECK_FALSE(value.grad().defined());
}

TEST_CASE("Muon's steps come down to the lowest point of a bowl that is steep one way") {
  torch::manual_seed(1);
  const Tensor target = torch::randn({12, 8}), slopes = torch::logspace(0, 2, 8);
  const Tensor weight = torch::zeros({12, 8}).set_requires_grad(true);
  Optimizer optimizer({{"layers.0.dense.weight", weight}, {"bias", torch::zeros(3)}},
                      {.type = "muon", .lr = 1, .muon_lr = 0.1});
  const auto loss = [&] { return ((weight - target).pow(2) * slopes).sum(); };
  const double before = loss().item<double>();
  for (int64_t step = 0; step < 200; ++step) {
    optimizer.zero_grad();
    loss().backward();
    optimizer.step(1 - static_cast<double>(step) / 200, step);
  }
  CHECK(loss().item<double>() < 1e-3 * before);
}

TEST_CASE("Muon decays by its own rate, cautiously where it is told to") {
  for (const bool cautious : {false, true}) {
    CAPTURE(cautious);
    const OptimizerConfig config{.type = "muon",
                                 .lr = 0.01,
                                 .muon_lr = 0.1,
                                 .weight_decay = 0.5,
                                 .cautious_decay = cautious};
    OptimizerConfig without = config;
    without.weight_decay = 0;
    const std::string name = "bert.layers.0.ffn.outer.weight";
    const NamedTensors decayed = some_weights(), plain = some_weights();
    Optimizer(decayed, config).step(0.01, 0);
    Optimizer(plain, without).step(0.01, 0);
    const Tensor start = named(some_weights(), name);
    const Tensor update = start - named(plain, name),
                 gone = named(plain, name) - named(decayed, name);
    const Tensor away = (update * start).lt(0);
    const Tensor expected = start * 0.05 * (cautious ? away.logical_not() : torch::ones_like(away));
    CHECK(gone.allclose(expected, 1e-4, 1e-5));
    CHECK(away.any().item<bool>());
  }
}

TEST_CASE("Muon's bits do not depend on the number of threads") {
  const int threads = at::get_num_threads();
  NamedTensors first;
  for (const int count : {1, 2, 3}) {
    at::set_num_threads(count);
    NamedTensors weights = some_weights();
    Optimizer optimizer(weights, {.type = "muon", .weight_decay = 0.1});
    for (int64_t step = 0; step < 5; ++step)
      optimizer.step(1e-3, step, Optimizer::clip_factor(1, optimizer.gradient_norm()));
    if (first.empty()) first = weights;
    for (size_t i = 0; i < weights.size(); ++i) CHECK(weights[i].second.equal(first[i].second));
  }
  at::set_num_threads(threads);
}

TEST_CASE("Muon's operations are those of its products") {
  // A 2 x 3 matrix takes five times x x' (2·2·2·3), its square (2·2·2·2) and a product with x
  // (2·2·2·3).
  CHECK(Muon({{"layers.0.a.weight", torch::zeros({2, 3})}}, {}).flops() == 5 * (24 + 16 + 24));
  CHECK(Muon({{"layers.0.a.weight", torch::zeros({3, 2})}}, {}).flops() == 5 * (24 + 16 + 24));
  CHECK(Muon({{"layers.0.qkv.weight", torch::zeros({6, 3})}}, {}).flops() ==
        3 * 5 * (24 + 16 + 24));
  CHECK(Optimizer({{"a", torch::zeros(3)}}, {}).flops() == 0);
}

TEST_CASE("Muon is refused where a model has no matrix for it") {
  try {
    Optimizer({{"head.weight", torch::zeros({2, 3})}}, {.type = "muon"});
    FAIL("taken");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    CHECK_THAT(error.what(), Catch::Contains("train.optimizer.type: found \"muon\""));
  }
}

}  // namespace minibert
