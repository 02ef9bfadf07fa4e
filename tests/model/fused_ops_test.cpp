// The fused CPU operations against the same mathematics in plain LibTorch calls, values and
// gradients, at sizes that do not fill a vector register or a block of rows.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <mutex>
#include <set>
#include <thread>

#include "gradients.h"
#include "model/ops/attention.h"
#include "model/ops/dropout.h"
#include "model/ops/elementwise.h"
#include "model/ops/embedding.h"
#include "model/ops/linear.h"
#include "model/ops/residual_norm.h"
#include "model/ops/tied_cross_entropy.h"

namespace minibert {
namespace {

struct Type {
  torch::ScalarType scalar;
  double tolerance;
};
const Type kTypes[] = {{torch::kFloat32, kFloat32Tolerance},
                       {torch::kBFloat16, kBfloat16Tolerance}};

torch::Tensor random(at::IntArrayRef shape, double scale = 1.0) {
  return torch::randn(shape) * scale;
}

torch::nn::LayerNorm norm_with(int64_t size) {
  torch::nn::LayerNorm norm(torch::nn::LayerNormOptions({size}).eps(1e-3));
  torch::NoGradGuard no_grad;
  norm->weight.copy_(1 + 0.2 * torch::randn(size));
  norm->bias.copy_(0.1 * torch::randn(size));
  return norm;
}

}  // namespace

TEST_CASE("linear equals LibTorch's, with and without bias") {
  torch::manual_seed(1);
  for (const Type& type : kTypes)
    for (const auto& [rows, in, out] :
         {std::array<int64_t, 3>{1, 1, 1}, {7, 33, 5}, {300, 64, 129}})
      for (const bool bias : {true, false}) {
        CAPTURE(type.scalar, rows, in, out, bias);
        TensorList inputs{random({rows, in}).to(type.scalar), random({out, in}, 0.2)};
        if (bias) inputs.push_back(random({out}));
        const auto rounded = [&](const torch::Tensor& x) {
          return x.to(type.scalar).to(torch::kFloat32);
        };
        require_same(
            [&](const TensorList& t) {
              return TensorList{linear(t[0], t[1], bias ? t[2] : torch::Tensor(), type.scalar)};
            },
            [&](const TensorList& t) {
              return TensorList{
                  torch::linear(t[0], rounded(t[1]), bias ? rounded(t[2]) : torch::Tensor())};
            },
            inputs, type.tolerance);
      }
}

TEST_CASE("linear keeps leading dimensions and gives float32 gradients to float32 weights") {
  torch::manual_seed(2);
  const auto weight = random({6, 8}).set_requires_grad(true);
  const auto bias = random({6}).set_requires_grad(true);
  const auto y = linear(random({2, 3, 8}), weight, bias, torch::kBFloat16);
  CHECK(y.sizes() == at::IntArrayRef({2, 3, 6}));
  CHECK(y.scalar_type() == torch::kBFloat16);
  y.sum().backward();
  CHECK(weight.grad().scalar_type() == torch::kFloat32);
  CHECK(bias.grad().equal(torch::full({6}, 6.0f)));
}

TEST_CASE("self-attention equals softmax(QK'/sqrt(d) + bias) V") {
  torch::manual_seed(3);
  struct Shape {
    int64_t batch, length, heads, width;
  };
  for (const Type& type : kTypes)
    for (const Shape s : {Shape{1, 1, 1, 1}, {2, 5, 3, 7}, {3, 37, 2, 20}, {2, 130, 4, 32}}) {
      CAPTURE(type.scalar, s.batch, s.length, s.heads, s.width);
      const auto qkv = random({s.batch, s.length, 3 * s.heads * s.width}).to(type.scalar);
      auto bias = torch::zeros({s.batch, s.length});
      if (s.length > 2) bias.index_put_({0, at::indexing::Slice(s.length - 2)}, -1e9);
      require_same(
          [&](const TensorList& t) { return TensorList{self_attention(t[0], bias, s.heads)}; },
          [&](const TensorList& t) {
            const auto parts =
                t[0].view({s.batch, s.length, 3, s.heads, s.width}).permute({2, 0, 3, 1, 4});
            const auto scores = torch::matmul(parts[0], parts[1].transpose(-1, -2)) /
                                    std::sqrt(static_cast<double>(s.width)) +
                                bias.unsqueeze(1).unsqueeze(1);
            return TensorList{torch::matmul(torch::softmax(scores, -1), parts[2])
                                  .transpose(1, 2)
                                  .reshape({s.batch, s.length, s.heads * s.width})};
          },
          {qkv}, type.tolerance);
    }
}

TEST_CASE("dropout, residual sum and LayerNorm in one step equal the three") {
  torch::manual_seed(4);
  for (const Type& type : kTypes)
    for (const auto& [rows, size] : {std::array<int64_t, 2>{1, 3}, {3, 17}, {131, 40}, {260, 128}})
      for (const double p : {0.0, 0.3}) {
        CAPTURE(type.scalar, rows, size, p);
        const auto norm = norm_with(size);
        const TensorList inputs{random({rows, size}).to(type.scalar),
                                random({rows, size}).to(type.scalar), norm->weight, norm->bias};
        const auto fused = [&](const TensorList& t) {
          torch::nn::LayerNorm with(norm->options);
          with->weight = t[2], with->bias = t[3];
          const ResidualNorm out = residual_norm(t[0], t[1], with, p, 99);
          return TensorList{out.y, out.sum};
        };
        const auto plain = [&](const TensorList& t) {
          const auto sum = t[0] + keyed_dropout(t[1], p, 99);
          return TensorList{torch::layer_norm(sum, {size}, t[2], t[3], 1e-3), sum};
        };
        require_same(fused, plain, inputs, type.tolerance);
        // As a post-norm layer uses it: the sum goes nowhere else.
        require_same([&](const TensorList& t) { return TensorList{fused(t)[0]}; },
                     [&](const TensorList& t) { return TensorList{plain(t)[0]}; }, inputs,
                     type.tolerance);
      }
}

TEST_CASE("LayerNorm alone equals LibTorch's and keeps three dimensions") {
  torch::manual_seed(5);
  const auto norm = norm_with(24);
  const auto x = random({2, 9, 24});
  require_same([&](const TensorList& t) { return TensorList{layer_norm(t[0], norm)}; },
               [&](const TensorList& t) {
                 return TensorList{torch::layer_norm(t[0], {24}, norm->weight, norm->bias, 1e-3)};
               },
               {x}, kFloat32Tolerance);
}

TEST_CASE("the embedding sum and its gradients equal three look-ups") {
  torch::manual_seed(6);
  const auto ids = torch::randint(0, 11, {4, 6}, torch::kInt64);
  const auto segments = torch::randint(0, 2, {4, 6}, torch::kInt64);
  require_same(
      [&](const TensorList& t) {
        return TensorList{embedding_sum(ids, segments, t[0], t[1], t[2])};
      },
      [&](const TensorList& t) {
        return TensorList{torch::embedding(t[0], ids) + t[1].slice(0, 0, 6) +
                          torch::embedding(t[2], segments)};
      },
      {random({11, 5}), random({9, 5}), random({2, 5})}, kFloat32Tolerance);
}

TEST_CASE("pieces and segments outside the tables are errors") {
  const auto token = random({11, 5}), position = random({4, 5}), segment = random({2, 5});
  const auto one = [](int64_t value) { return torch::full({1, 1}, value, torch::kInt64); };
  CHECK_NOTHROW(embedding_sum(one(10), one(1), token, position, segment));
  CHECK_THROWS(embedding_sum(one(11), one(0), token, position, segment));
  CHECK_THROWS(embedding_sum(one(-1), one(0), token, position, segment));
  CHECK_THROWS(embedding_sum(one(0), one(2), token, position, segment));
}

TEST_CASE("gathered rows give their gradients back, repeated rows all of them") {
  torch::manual_seed(7);
  const auto rows = torch::tensor({5, 0, 5, 7}, torch::kInt64);
  for (const Type& type : kTypes)
    require_same([&](const TensorList& t) { return TensorList{gather_rows(t[0], rows)}; },
                 [&](const TensorList& t) {
                   return TensorList{t[0].reshape({8, 19}).index_select(0, rows)};
                 },
                 {random({2, 4, 19}).to(type.scalar)}, type.tolerance);
}

TEST_CASE("GELU equals LibTorch's tanh form") {
  for (const Type& type : kTypes) {
    const auto x = torch::linspace(-12, 12, 1003).to(type.scalar);
    require_same([](const TensorList& t) { return TensorList{tanh_gelu(t[0])}; },
                 [](const TensorList& t) { return TensorList{torch::gelu(t[0], "tanh")}; }, {x},
                 type.tolerance);
  }
}

TEST_CASE("the tied cross-entropy equals log-softmax over all logits") {
  torch::manual_seed(8);
  for (const Type& type : kTypes)
    for (const auto& [rows, size, pieces] :
         {std::array<int64_t, 3>{1, 3, 9}, {37, 16, 101}, {1100, 8, 53}})
      for (const bool bias : {true, false}) {
        CAPTURE(type.scalar, rows, size, pieces, bias);
        const auto labels = torch::randint(0, pieces, {rows}, torch::kInt64);
        TensorList inputs{random({rows, size}).to(type.scalar), random({pieces, size})};
        if (bias) inputs.push_back(random({pieces}));
        const auto logits = [&](const TensorList& t) {
          const auto product =
              t[0].mm(t[1].to(type.scalar).to(torch::kFloat32).t()).to(type.scalar);
          return product.to(torch::kFloat32) + (bias ? t[2] : torch::zeros({pieces}));
        };
        require_same(
            [&](const TensorList& t) {
              return TensorList{
                  tied_cross_entropy(t[0], t[1], bias ? t[2] : torch::Tensor(), labels).loss};
            },
            [&](const TensorList& t) {
              return TensorList{
                  -torch::log_softmax(logits(t), 1).gather(1, labels.unsqueeze(1)).mean()};
            },
            inputs, type.tolerance);
        TensorList widened = inputs;
        widened[0] = inputs[0].to(torch::kFloat32);
        const auto out =
            tied_cross_entropy(inputs[0], inputs[1], bias ? inputs[2] : torch::Tensor(), labels);
        // Ties, common among bfloat16 logits, go to the first of the highest.
        const auto all = logits(widened);
        int64_t correct = 0;
        for (int64_t i = 0; i < rows; ++i) {
          const float* row = all[i].data_ptr<float>();
          correct += std::max_element(row, row + pieces) - row == labels[i].item<int64_t>();
        }
        CHECK(std::abs(out.correct.item<int64_t>() - correct) <=
              (type.scalar == torch::kFloat32 ? 0 : 2));
      }
}

TEST_CASE("the tied cross-entropy adds a bonus to the pieces that a row is shown") {
  torch::manual_seed(8);
  for (const Type& type : kTypes)
    for (const int64_t rows : {5, 1100})
      for (const bool bias : {true, false}) {
        CAPTURE(type.scalar, rows, bias);
        const int64_t pieces = 53;
        // Pieces repeat in a row of ids: their scores add up.
        const ShownPieces shown{torch::randint(0, pieces, {3, 20}, torch::kInt64),
                                torch::randint(0, 3, {rows}, torch::kInt64)};
        const auto labels = torch::randint(0, pieces, {rows}, torch::kInt64);
        TensorList inputs{random({rows, 8}).to(type.scalar), random({pieces, 8}),
                          random({rows, 20})};
        if (bias) inputs.push_back(random({pieces}));
        require_same(
            [&](const TensorList& t) {
              return TensorList{tied_cross_entropy(t[0], t[1], bias ? t[3] : torch::Tensor(),
                                                   labels, {shown, t[2]})
                                    .loss};
            },
            [&](const TensorList& t) {
              auto logits = t[0].mm(t[1].to(type.scalar).to(torch::kFloat32).t())
                                .to(type.scalar)
                                .to(torch::kFloat32);
              if (bias) logits = logits + t[3];
              logits = logits.scatter_add(1, shown.ids.index_select(0, shown.example), t[2]);
              return TensorList{
                  -torch::log_softmax(logits, 1).gather(1, labels.unsqueeze(1)).mean()};
            },
            inputs, type.tolerance);
      }
}

TEST_CASE("the tied cross-entropy against a teacher is its divergence and the labels' part") {
  torch::manual_seed(8);
  for (const Type& type : kTypes)
    for (const int64_t rows : {5, 1100})
      for (const double temperature : {1.0, 2.5}) {
        CAPTURE(type.scalar, rows, temperature);
        const int64_t pieces = 53;
        const ShownPieces shown{torch::randint(0, pieces, {3, 20}, torch::kInt64),
                                torch::randint(0, 3, {rows}, torch::kInt64)};
        const auto labels = torch::randint(0, pieces, {rows}, torch::kInt64);
        const SoftTargets soft{{random({rows, 24}).to(type.scalar),
                                random({pieces, 24}),
                                random({pieces}),
                                {shown, random({rows, 20})}},
                               temperature,
                               0.7,
                               0.3};
        const auto logits = [&](const torch::Tensor& x, const torch::Tensor& weight,
                                const torch::Tensor& bias, const torch::Tensor& scores) {
          const auto product = x.mm(weight.to(type.scalar).to(x.scalar_type()).t()).to(type.scalar);
          return (product.to(torch::kFloat32) + bias)
              .scatter_add(1, shown.ids.index_select(0, shown.example), scores);
        };
        const auto known =
            logits(soft.scores.x, soft.scores.weight, soft.scores.bias, soft.scores.context.scores);
        const TensorList inputs{random({rows, 8}).to(type.scalar), random({pieces, 8}),
                                random({pieces}), random({rows, 20})};
        require_same(
            [&](const TensorList& t) {
              return TensorList{
                  tied_cross_entropy(t[0], t[1], t[2], labels, {shown, t[3]}, &soft).taught};
            },
            [&](const TensorList& t) {
              const auto own = logits(t[0], t[1], t[2], t[3]);
              const auto divergence =
                  torch::kl_div((own / temperature).log_softmax(1),
                                (known / temperature).softmax(1), at::Reduction::Sum) /
                  rows;
              const auto hard = -torch::log_softmax(own, 1).gather(1, labels.unsqueeze(1)).mean();
              return TensorList{0.7 * temperature * temperature * divergence + 0.3 * hard};
            },
            // ATen's bf16 products of processors without AVX-512 add their 1,100 terms in bf16.
            inputs, 1.5 * type.tolerance);
        const auto alone =
            tied_cross_entropy(inputs[0], inputs[1], inputs[2], labels, {shown, inputs[3]});
        const auto out =
            tied_cross_entropy(inputs[0], inputs[1], inputs[2], labels, {shown, inputs[3]}, &soft);
        CHECK(out.loss.item<float>() == Approx(alone.loss.item<float>()).epsilon(1e-5));
        CHECK(out.correct.item<int64_t>() == alone.correct.item<int64_t>());
        CHECK_FALSE(alone.taught.defined());
      }
}

TEST_CASE("of some pieces of a teacher it is the divergence of their probabilities") {
  torch::manual_seed(9);
  for (const Type& type : kTypes)
    for (const double temperature : {1.0, 2.5}) {
      CAPTURE(type.scalar, temperature);
      const int64_t rows = 1100, pieces = 53, count = 7;
      const auto labels = torch::randint(0, pieces, {rows}, torch::kInt64);
      // Some stand several times; all of the first row's are one piece, of probability 0 but for one.
      auto some = torch::randint(0, pieces, {rows, count}, torch::kInt64);
      auto probabilities = (3 * random({rows, count})).softmax(1);
      some[0].fill_(5);
      probabilities[0].zero_()[2] = 1;
      const SoftTargets soft{{}, temperature, 0.7, 0.3, {some, probabilities}};
      const TensorList inputs{random({rows, 8}).to(type.scalar), random({pieces, 8}),
                              random({pieces})};
      require_same(
          [&](const TensorList& t) {
            return TensorList{tied_cross_entropy(t[0], t[1], t[2], labels, {}, &soft).taught};
          },
          [&](const TensorList& t) {
            const auto product = t[0].mm(t[1].to(type.scalar).to(t[0].scalar_type()).t());
            const auto own = product.to(type.scalar).to(torch::kFloat32) + t[2];
            const auto cold = (own / temperature).log_softmax(1).gather(1, some);
            const auto divergence =
                (at::xlogy(probabilities, probabilities) - probabilities * cold).sum() / rows;
            const auto hard = -torch::log_softmax(own, 1).gather(1, labels.unsqueeze(1)).mean();
            return TensorList{0.7 * temperature * temperature * divergence + 0.3 * hard};
          },
          inputs, 1.5 * type.tolerance);
      const auto out = tied_cross_entropy(inputs[0], inputs[1], inputs[2], labels, {}, &soft);
      const auto alone = tied_cross_entropy(inputs[0], inputs[1], inputs[2], labels);
      CHECK(out.loss.item<float>() == Approx(alone.loss.item<float>()).epsilon(1e-5));
      CHECK(out.correct.item<int64_t>() == alone.correct.item<int64_t>());
    }
}

TEST_CASE("the tied cross-entropy of no rows is zero") {
  const auto weight = random({9, 4}).set_requires_grad(true);
  const auto out = tied_cross_entropy(torch::empty({0, 4}), weight, torch::Tensor(),
                                      torch::empty({0}, torch::kInt64));
  CHECK(out.loss.item<float>() == 0);
  CHECK(out.correct.item<int64_t>() == 0);
  out.loss.backward();
  CHECK(weight.grad().abs().max().item<float>() == 0);
}

TEST_CASE("a label outside the vocabulary is an error") {
  CHECK_THROWS(tied_cross_entropy(random({1, 4}), random({9, 4}), torch::Tensor(),
                                  torch::full({1}, 9, torch::kInt64)));
}

TEST_CASE("loops over rows are shared among the threads") {
#ifdef __clang__
  WARN("skipped: what Clang compiles keeps to one thread (lib/cmake/Dependencies.cmake)");
#else
  const int before = at::get_num_threads();
  at::set_num_threads(2);
  std::mutex mutex;
  std::set<std::thread::id> threads;
  at::parallel_for(0, 2, 1, [&](int64_t, int64_t) {
    const std::lock_guard lock(mutex);
    threads.insert(std::this_thread::get_id());
  });
  at::set_num_threads(before);
  CHECK(threads.size() == 2);
#endif
}

TEST_CASE("fused operations give the same bits on one thread and on three") {
  torch::manual_seed(9);
  const int64_t batch = 5, length = 61, heads = 4, size = 48;
  const auto qkv = random({batch, length, 3 * size}), weight = random({3 * size, size}, 0.1);
  const auto bias = random({3 * size}), x = random({batch, length, size});
  const auto norm = norm_with(size);
  const auto ids = torch::randint(0, 30, {batch, length}, torch::kInt64);
  const auto segments = torch::randint(0, 2, {batch, length}, torch::kInt64);
  const Operation all = [&](const TensorList& t) {
    const auto padding = torch::zeros({batch, length});
    torch::nn::LayerNorm with(norm->options);
    with->weight = t[4], with->bias = t[5];
    const auto embedded = embedding_sum(ids, segments, t[6], t[7], t[8]);
    const auto mixed = self_attention(linear(t[0], t[1], t[2], torch::kBFloat16), padding, heads);
    const auto out = residual_norm(t[0].to(torch::kBFloat16), mixed, with, 0.2, 5);
    return TensorList{out.y, out.sum, tanh_gelu(embedded), self_attention(t[3], padding, heads)};
  };
  const TensorList inputs{x,
                          weight,
                          bias,
                          qkv,
                          norm->weight,
                          norm->bias,
                          random({30, 8}),
                          random({70, 8}),
                          random({2, 8})};
  const int before = at::get_num_threads();
  at::set_num_threads(1);
  const Pass one = run_pass(all, inputs);
  at::set_num_threads(3);
  const Pass three = run_pass(all, inputs);
  at::set_num_threads(before);
  for (size_t i = 0; i < one.outputs.size(); ++i) {
    INFO("output " << i);
    CHECK(one.outputs[i].equal(three.outputs[i]));
  }
  for (size_t i = 0; i < one.gradients.size(); ++i) {
    INFO("gradient " << i);
    CHECK(one.gradients[i].equal(three.gradients[i]));
  }
}

}  // namespace minibert
