// Adam, AdamW and gradient clipping against torch::optim and torch::nn::utils.
#include "train/optimizer.h"

#include <torch/nn/utils/clip_grad.h>
#include <torch/optim/adam.h>
#include <torch/optim/adamw.h>
#include <torch/version.h>

#include <catch2/catch.hpp>
#include <cmath>

namespace minibert {
namespace {

using torch::Tensor;

// float32 is the CPU kernel's, float64 that of ATen's operations, which a GPU runs too.
torch::ScalarType either_form() { return GENERATE(torch::kFloat32, torch::kFloat64); }

// A matrix and a bias, the same every time.
std::vector<Tensor> parameters(torch::ScalarType type = torch::kFloat32) {
  torch::manual_seed(1);
  return {torch::randn({5, 3}).to(type).set_requires_grad(true),
          torch::randn(5).to(type).set_requires_grad(true)};
}

NamedTensors named(const std::vector<Tensor>& values) {
  return {{"dense.weight", values[0]}, {"dense.bias", values[1]}};
}

Tensor loss_of(const std::vector<Tensor>& values, int64_t step) {
  const auto x = torch::cos(torch::arange(21, values[0].scalar_type()) + static_cast<double>(step));
  return torch::linear(x.view({7, 3}), values[0], values[1]).tanh().pow(2).sum();
}

// Warm-up and decay, so that the rate of every step is another.
double rate(int64_t step) {
  return 0.01 * static_cast<double>(step < 5 ? step + 1 : 10 - step / 4);
}

void check_same(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  for (size_t i = 0; i < a.size(); ++i)
    CHECK((a[i] - b[i]).abs().max().item<double>() < 1e-6 * b[i].abs().max().item<double>());
}

void set_rate(torch::optim::Optimizer& optimizer, double lr) {
  for (auto& group : optimizer.param_groups()) group.options().set_lr(lr);
}

// Steps of both from the same start; `theirs` works on `values`.
void compare(const OptimizerConfig& config, torch::optim::Optimizer& theirs,
             const std::vector<Tensor>& values) {
  const auto type = values[0].scalar_type();
  CAPTURE(type);
  const std::vector<Tensor> own = parameters(type);
  Optimizer ours(named(own), config);
  for (int64_t step = 0; step < 25; ++step) {
    CAPTURE(step);
    ours.zero_grad();
    loss_of(own, step).backward();
    ours.step(rate(step), step);
    theirs.zero_grad();
    loss_of(values, step).backward();
    set_rate(theirs, rate(step));
    theirs.step();
    check_same(own, values);
  }
  CHECK_FALSE(own[0].allclose(parameters(type)[0], 0.01));
}

}  // namespace

TEST_CASE("Adam takes torch::optim's steps") {
  const auto values = parameters(either_form());
  torch::optim::Adam theirs(values, torch::optim::AdamOptions(1).betas({0.9, 0.98}).eps(1e-9));
  compare({.type = "adam", .beta1 = 0.9, .beta2 = 0.98, .eps = 1e-9}, theirs, values);
}

TEST_CASE("AdamW takes torch::optim's steps and decays matrices alone") {
  const auto values = parameters(either_form());
  const auto options = [](double decay) {
    return std::make_unique<torch::optim::AdamWOptions>(
        torch::optim::AdamWOptions(1).betas({0.8, 0.95}).eps(1e-6).weight_decay(decay));
  };
  std::vector<torch::optim::OptimizerParamGroup> groups;
  groups.emplace_back(std::vector<Tensor>{values[0]}, options(0.1));
  groups.emplace_back(std::vector<Tensor>{values[1]}, options(0.0));
  torch::optim::AdamW theirs(groups);
  compare({.type = "adamw", .beta1 = 0.8, .beta2 = 0.95, .eps = 1e-6, .weight_decay = 0.1}, theirs,
          values);
}

TEST_CASE("AdamW decays all weights where it is told to, as torch::optim with one group does") {
  const auto values = parameters(either_form());
  torch::optim::AdamW theirs(
      values, torch::optim::AdamWOptions(1).betas({0.9, 0.999}).eps(1e-8).weight_decay(0.01));
  compare({.type = "adamw", .eps = 1e-8, .weight_decay = 0.01, .decay = "all"}, theirs, values);
}

TEST_CASE("clipping equals clip_grad_norm_ and leaves small gradients alone") {
  for (const double max_norm : {0.05, 1000.0}) {
    CAPTURE(max_norm);
    const auto a = parameters(), b = parameters();
    loss_of(a, 0).backward();
    loss_of(b, 0).backward();
    const Optimizer optimizer(named(a), {});
    const Tensor factor = Optimizer::clip_factor(max_norm, optimizer.gradient_norm());
    torch::nn::utils::clip_grad_norm_(b, max_norm);
    check_same({a[0].grad() * factor, a[1].grad() * factor}, {b[0].grad(), b[1].grad()});
  }
}

TEST_CASE("a step with a factor is that of gradients times the factor") {
  for (const auto type : {torch::kFloat32, torch::kFloat64}) {
    const Tensor start = torch::linspace(-1, 1, 37, type), grad = torch::linspace(2, 1, 37, type);
    Tensor a = start.clone(), b = start.clone();
    a.mutable_grad() = grad, b.mutable_grad() = grad * 0.25;
    // eps counts beside such moments, so that the factor is seen.
    Optimizer({{"a", a}}, {.eps = 1}).step(0.1, 0, torch::tensor(0.25F));
    Optimizer({{"b", b}}, {.eps = 1}).step(0.1, 0);
    CHECK(a.allclose(b, 1e-7, 1e-7));
    CHECK_FALSE(a.allclose(start, 1e-3));
    CHECK(a.grad().equal(grad));
  }
}

// Sizes of less than a register and of more than a piece of the parallel loop; beta1 on both sides of
// where ATen's lerp changes its form.
TEST_CASE("the CPU's kernel takes the steps of ATen's operations") {
  for (const double beta1 : {0.9, 0.3})
    for (const int64_t size : {7L, 1029L, 40001L}) {
      CAPTURE(beta1, size);
      torch::manual_seed(3);
      const OptimizerConfig config{.type = "adamw",
                                   .beta1 = beta1,
                                   .beta2 = 0.99,
                                   .eps = 1e-6,
                                   .weight_decay = 0.1,
                                   .decay = "all"};
      Tensor value = torch::randn(size), expected = value.clone();
      Tensor first = torch::zeros(size), second = torch::zeros(size);
      Optimizer optimizer({{"value", value}}, config);
      for (int64_t step = 0; step < 12; ++step) {
        const Tensor given = torch::randn(size), factor = torch::tensor(0.37F);
        value.mutable_grad() = given;
        optimizer.step(rate(step), step, factor);
        const Tensor grad = given * factor;
        expected.mul_(1.0 - rate(step) * 0.1);
        first.lerp_(grad, 1.0 - beta1);
        second.mul_(0.99).addcmul_(grad, grad, 1.0 - 0.99);
        const double steps = static_cast<double>(step + 1);
        const Tensor scale = (second / (1.0 - std::pow(0.99, steps))).sqrt_().add_(1e-6);
        expected.addcdiv_(first, scale, -rate(step) / (1.0 - std::pow(beta1, steps)));
      }
      CHECK(value.allclose(expected, 1e-5, 1e-5));
// Records of before the kernel are made again bit for bit: what GCC and the kernels of LibTorch 1.13
// fuse is the same.
#if TORCH_VERSION_MAJOR == 1 && defined(__x86_64__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__)
      CHECK(value.equal(expected));
      CHECK(optimizer.state()[0].second.equal(first));
      CHECK(optimizer.state()[1].second.equal(second));
#endif
    }
}

TEST_CASE("cautious decay leaves alone what the update moves away from zero, in both forms") {
  const auto type = either_form();
  CAPTURE(type);
  // An update is subtracted: against +2 and with -2 a gradient of 1 makes smaller and larger.
  Tensor value = torch::tensor({{2.0, -2.0, 2.0, -2.0, 0.0}}).to(type), plain = value.clone();
  const Tensor grad = torch::tensor({{1.0, 1.0, -1.0, -1.0, 1.0}}).to(type);
  const OptimizerConfig config{.type = "adamw", .eps = 1e-12, .weight_decay = 0.5};
  OptimizerConfig cautious = config;
  cautious.cautious_decay = true;
  value.mutable_grad() = grad, plain.mutable_grad() = grad;
  Optimizer({{"value", value}}, cautious).step(0.1, 0);
  Optimizer({{"value", plain}}, config).step(0.1, 0);
  CHECK(value.allclose(torch::tensor({{1.8, -2.1, 2.1, -1.8, -0.1}}).to(type), 1e-6, 1e-6));
  CHECK(plain.allclose(torch::tensor({{1.8, -2.0, 2.0, -1.8, -0.1}}).to(type), 1e-6, 1e-6));
}

TEST_CASE("a parameter without a gradient stays as it is") {
  const auto values = parameters();
  const auto before = values[1].detach().clone();
  Optimizer optimizer(named(values), {});
  values[0].sum().backward();
  optimizer.step(0.1, 0, Optimizer::clip_factor(1, optimizer.gradient_norm()));
  CHECK(values[1].equal(before));
  CHECK_FALSE(values[0].equal(parameters()[0]));
  optimizer.zero_grad();
  CHECK_FALSE(values[0].grad().defined());
}

TEST_CASE("the state is named after the parameters and alive") {
  const auto values = parameters();
  Optimizer optimizer(named(values), {.beta1 = 0.9});
  const NamedTensors state = optimizer.state();
  REQUIRE(state.size() == 4);
  CHECK(state[0].first == "adam_m/dense.weight");
  CHECK(state[1].first == "adam_m/dense.bias");
  CHECK(state[2].first == "adam_v/dense.weight");
  CHECK(state[3].first == "adam_v/dense.bias");
  values[0].sum().backward();
  optimizer.step(0.1, 0);
  CHECK(state[0].second.allclose(torch::full({5, 3}, 0.1)));
}

}  // namespace minibert
