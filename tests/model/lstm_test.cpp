// The LSTM baseline: Keras' initial weights, and padding at the end.
#include "model/lstm.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "model/heads.h"

namespace minibert {
namespace {

// With a span head, as in the course.
struct Lstm : Model {
  Lstm(int64_t vocab_size, int64_t d_model, uint64_t seed = 5)
      : Model(std::make_shared<LstmEncoder>(LstmConfig{vocab_size, d_model})),
        head(add_head(std::make_shared<SpanHead>(d_model, 0))) {
    encoder().initialize(seed);
    head->initialize(encoder(), seed);
  }
  std::shared_ptr<SpanHead> head;
};

// Uniform in ±bound: nothing outside, and spread like it.
void check_uniform(const torch::Tensor& value, double bound) {
  CHECK(value.abs().max().item<double>() <= bound);
  CHECK(value.abs().max().item<double>() > 0.99 * bound);
  CHECK(value.std().item<double>() == Approx(bound / std::sqrt(3.0)).epsilon(0.03));
}

}  // namespace

TEST_CASE("an LSTM starts as Keras starts it") {
  const int64_t d = 64;
  const auto parameters = Lstm(500, d).named_parameters();
  check_uniform(parameters["token.weight"], 0.05);
  CHECK(parameters["segment.weight"].abs().max().item<double>() <= 0.05);
  check_uniform(parameters["lstm.weight_ih_l0"], std::sqrt(6.0 / (d + 4 * d)));
  check_uniform(parameters["lstm.weight_ih_l1"], std::sqrt(6.0 / (d + 4 * d)));
  CHECK(parameters["qa.weight"].abs().max().item<double>() <= std::sqrt(6.0 / (d + 2)));
  for (const std::string layer : {"l0", "l1"}) {
    INFO(layer);
    // Keras' recurrent kernel is [d, 4d] with orthonormal rows; LibTorch's is its transpose.
    const auto& recurrent = parameters["lstm.weight_hh_" + layer];
    const auto product = recurrent.t().mm(recurrent);
    CHECK((product - torch::eye(d)).abs().max().item<double>() < 1e-5);
    // Gates in the order input, forget, cell, output.
    const auto bias = parameters["lstm.bias_ih_" + layer] + parameters["lstm.bias_hh_" + layer];
    CHECK(bias.slice(0, d, 2 * d).eq(1).all().item<bool>());
    CHECK(bias.abs().sum().item<double>() == d);
  }
  CHECK(parameters["qa.bias"].eq(0).all().item<bool>());
}

TEST_CASE("an LSTM's weights follow from the seed") {
  const auto a = Lstm(50, 8).parameters(), b = Lstm(50, 8).parameters(),
             other = Lstm(50, 8, 6).parameters();
  for (size_t i = 0; i < a.size(); ++i) CHECK(a[i].equal(b[i]));
  CHECK_FALSE(a[0].equal(other[0]));
}

TEST_CASE("padding at the end changes no real position of an LSTM") {
  Lstm model(30, 16);
  const auto ids = torch::tensor({5, 9, 7, 4, 11, 6}, torch::kInt64).unsqueeze(0);
  const auto segments = torch::tensor({0, 0, 0, 0, 1, 1}, torch::kInt64).unsqueeze(0);
  const auto pad = [](const torch::Tensor& x) { return torch::constant_pad_nd(x, {0, 9}); };
  const auto encode = [&](const torch::Tensor& i, const torch::Tensor& s) {
    return model.encoder().encode(i, s);
  };
  const auto alone = (*model.head)(encode(ids, segments)),
             padded = (*model.head)(encode(pad(ids), pad(segments)));
  CHECK(padded.size(1) == 15);
  CHECK((alone - padded.slice(1, 0, 6)).abs().max().item<double>() < 1e-6);
}

TEST_CASE("an LSTM judges a text by its last piece, whatever padding follows") {
  const Lstm model(30, 16);
  const auto ids = torch::tensor({{5, 9, 7, 4}, {5, 8, 0, 0}}, torch::kInt64);
  const auto hidden = model.encoder().encode(ids, torch::zeros_like(ids));
  const auto pooled = model.encoder().pooled(hidden, ids);
  CHECK(pooled[0].equal(hidden[0][3]));
  CHECK(pooled[1].equal(hidden[1][1]));
}

}  // namespace minibert
